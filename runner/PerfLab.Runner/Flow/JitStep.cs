using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Reports.Why;
using PerfLab.Launching.Proof;
using PerfLab.Launching.Results;
using PerfLab.Launching;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>Plan + builds -> JIT statistics: one traced launch of each arm, nothing of which is measured.</summary>
internal sealed class JitStep(Lab lab, ILauncher launcher)
{
    public async Task<JitReport> RunAsync(RunPlan plan, ArmBuilds built, CancellationToken cancellationToken)
    {
        var builds = SameIl.Check(plan, built);
        var cells = builds.ToCells(plan);
        var label = JitCell.Labels(cells);
        await launcher.PrepareAsync([.. builds.Builds], cancellationToken);
        var traced = new TracedLaunches(new LaunchSpecs(SessionFolder.NewId(lab.Terminal.Clock), builds, lab.WorkloadCpus), launcher);
        var report = new List<JitCell>();
        foreach (var cell in plan.Cells)
        {
            var arms = new List<JitArm>();
            foreach (var arm in cell.Arms)
            {
                lab.Terminal.Say($"tracing {label(cell.Id)}, {arm.Id}");
                arms.Add(await ArmAsync(traced, cell, arm, builds, cancellationToken));
            }

            report.Add(new(label(cell.Id), arms));
        }

        return new(report);
    }

    private static async Task<JitArm> ArmAsync(TracedLaunches traced, PlannedCell cell, PlannedArm arm, ArmBuilds builds, CancellationToken cancellationToken)
    {
        var values = string.Join(",", arm.Dimensions.Select(pair => $"{pair.Key}={pair.Value}"));
        if (builds[cell.Id, arm.Id] is { Build: null } missing)
        {
            return missing.Unavailable is { } unavailable
                ? new(arm.Id, values, null, [], [$"unavailable: {unavailable}"]) { IsUnavailable = true }
                : new(arm.Id, values, null, [], [missing.Failure!]);
        }

        var launch = await traced.LaunchAsync(cell, arm, $"{TraceVariables.Jit},{TraceVariables.MulticoreJit}", cancellationToken);
        var failed = launch.Judged.Outcome != Outcome.Measured;
        return new(
            arm.Id, values,
            failed || launch.Readings.Count == 0 ? null : launch.Facts.Jit with { ProcessCpuSeconds = CpuSeconds(launch) },
            Facts(launch),
            [.. failed ? [Failure(launch)] : Array.Empty<string>(), .. launch.Doubts]);
    }

    private static string Failure(TracedLaunch launch) => Quote.Of(
        $"{(launch.Judged.Outcome == Outcome.Refused ? "refused" : "failed")}: {launch.Judged.Reason ?? Invariant($"exit code {launch.End.ExitCode}")}", 1000);

    private static double? CpuSeconds(TracedLaunch launch) =>
        Number(launch.End.Evidence["cpuSeconds"]) ?? Number(launch.Judged.Evidence["processorSeconds"]);

    private static double? Number(JsonNode? node) => JsonNumber.Of(node) is > 0 and var number ? number : null;

    private static List<string> Facts(TracedLaunch launch)
    {
        var facts = new List<string>();
        if (JsonText.Of(launch.Judged.Evidence["framework"]) is { } framework)
        {
            facts.Add(framework);
        }

        if (launch.Judged.Evidence["proof"]?["settings"]?["TieredPGO"] is JsonObject pgo)
        {
            facts.Add($"TieredPGO is {pgo["is"]} ({pgo["by"]})");
        }

        if (CpuSeconds(launch) is { } cpu)
        {
            facts.Add(Invariant($"{cpu:0.00} s of CPU"));
        }

        if (launch.Readings.Count > 1)
        {
            facts.Add(Invariant($"{launch.Readings.Count} processes"));
        }

        return facts;
    }
}
