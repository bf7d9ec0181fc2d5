using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching;
using PerfLab.Launching.Proof;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Commits;

/// <summary>What came of one probe.</summary>
/// <param name="Differences">Paired log ratios of commit and reference, + is worse; empty when nothing was measured.</param>
/// <param name="Row">The primary metric as a report would show it; null when nothing was measured.</param>
/// <param name="Untestable">Why nothing was.</param>
internal sealed record ProbeResult(IReadOnlyList<double> Differences, ComparedMetric? Row, string? Untestable = null);

/// <summary>Measures two commits in a folder of their own, like any session: planned, built, journalled.</summary>
/// <param name="lab">The wiring.</param>
/// <param name="plans">Who plans.</param>
/// <param name="launcher">Who launches.</param>
/// <param name="folder">Of the search.</param>
/// <param name="budget">How long to wait for a quiet machine, all probes together.</param>
internal sealed class Probes(Lab lab, PlanStep plans, ILauncher launcher, string folder, WaitBudget budget)
{
    private const string Reference = "good", Arm = "commit";

    /// <summary>The plan of a probe; its one cell is the search's.</summary>
    public RunPlan Plan(BisectFile file, BisectProbe probe)
    {
        var written = Path.Combine(FolderOf(probe), "plan.json");
        if (File.Exists(written))
        {
            return PlanStep.Read(written);
        }

        var plan = Pair(file, (probe.Reference, probe.Commit), probe.Rounds, file.Seed + (ulong)probe.Number);
        return Wrong(plan.Cells) is { } problem ? throw new WrongUseException([problem]) : plan;
    }

    /// <summary>The plan of two commits side by side.</summary>
    public RunPlan Pair(BisectFile file, (int Reference, int Commit) pair, int rounds, ulong seed) => plans.Make(
        new BenchmarkRequest
        {
            Targets = [file.Target],
            Arms = [Of(Reference, file.Commits[pair.Reference]), Of(Arm, file.Commits[pair.Commit])],
            Set = file.Set,
            Feeds = file.Feeds,
            Filters = file.Filters,
            CurrentSdk = file.CurrentSdk,
            WarmUpSeconds = file.WarmUpSeconds,
            Rounds = (0, rounds),
            Turns = TurnPlan.WhereItCan,
            Seed = seed,
            Policy = lab.Config.Policy with { Repeats = 0 },
        },
        [], isCompared: false);

    private static Problem? Wrong(IReadOnlyList<PlannedCell> cells) =>
        cells is not [var cell] ? new("target", Invariant($"bisect takes exactly one cell; these are {cells.Count}."),
            "Name one value of each dimension (--runtime net10.0, --set size=1), and of BenchmarkDotNet one benchmark (--filter 'My.Parsing.Dates').")
        : cell.Unavailable is { } missing ? new("target", missing)
        : cell.Metrics.Any(metric => metric is { Primary: true, Kind: MetricKind.Exact })
            ? new("target", "its primary metric is exact: two launches tell all that there is to tell.",
                "`git bisect run` with a script that compares two values is all it takes.")
        : null;

    /// <summary>Builds of reference and commit.</summary>
    public async Task<(BuildResult Reference, BuildResult Commit)> BuildAsync(RunPlan plan, CancellationToken cancellationToken)
    {
        SourceCommits.CheckOut(plan, lab.Config);
        lab.RequireLaunchable(launcher, plan);
        var builds = await new BuildStep(lab.BuilderFor(launcher), lab.Terminal).RunAsync(plan, cancellationToken);
        return (builds[(plan.Cells[0].Id, Reference)], builds[(plan.Cells[0].Id, Arm)]);
    }

    /// <summary>
    /// Why nothing of what the one cell runs differs between the two, in a sentence; null where something does, or may
    /// (docs/selection.md).
    /// </summary>
    public async Task<string?> SameAsync(
        RunPlan plan, (BuildResult Reference, BuildResult Commit) built, CancellationToken cancellationToken)
    {
        var builds = Built(plan, built);
        var cell = plan.Cells[0];
        var launches = new LaunchSpecs(SessionFolder.NewId(lab.Terminal.Clock), builds, lab.WorkloadCpus);
        var judge = new TouchJudge(builds, new(launches, launcher, new(TouchStore.In(lab.Config.Store))));
        await launcher.PrepareAsync([.. builds.Builds], cancellationToken);
        var (_, touched) = await judge.OfAsync(cell, cell.Arms[^1], cancellationToken);
        return touched.Untouched ? touched.Reason : null;
    }

    public async Task<ProbeResult> MeasureAsync(
        BisectProbe probe, RunPlan plan, (BuildResult Reference, BuildResult Commit) built, CancellationToken cancellationToken)
    {
        var builds = Built(plan, built);
        using var session = SessionFolder.Open(FolderOf(probe));
        if (!File.Exists(session.Plan))
        {
            SessionFolder.WriteWhole(session.Plan, stream => PlanFile.File.Write(new(plan), stream));
        }

        // A probe that was cut is short: measured anew, whatever happened to the machine meanwhile.
        File.Delete(session.Samples);
        SessionFolder.WriteWhole(session.Builds, BuildsFile.Write(plan, builds.Results));
        await new MeasureStep(lab, launcher, budget: budget) { TellsInterruption = false }.RunAsync(plan, builds, session, cancellationToken);
        return Read(probe, plan)!;
    }

    private static ArmBuilds Built(RunPlan plan, (BuildResult Reference, BuildResult Commit) built) =>
        new(new Dictionary<(string Cell, string Arm), BuildResult>
        {
            [(plan.Cells[0].Id, Reference)] = built.Reference,
            [(plan.Cells[0].Id, Arm)] = built.Commit,
        });

    /// <summary>What an earlier run measured; null when it did not end.</summary>
    public ProbeResult? Read(BisectProbe probe, RunPlan plan)
    {
        var journal = Path.Combine(FolderOf(probe), "samples.ndjson");
        if (!File.Exists(journal))
        {
            return null;
        }

        var (samples, comparison) = CompareStep.Run(journal, plan);
        if (!samples.Complete)
        {
            return null;
        }

        var cell = samples.Header.Cells[0];
        var pair = new PairEvidence(cell, cell.Arms.First(arm => arm.Id == Arm), CellLaunches.ByCell(samples)[cell.Id]);
        var ratios = LogRatios.Of(pair.Deciding, cell.PrimaryMetric);
        var row = comparison.Cells.First(row => row.Primary);
        if (row.Verdict == Verdict.NotSteady)
        {
            // No evidence for or against a commit: how old its processes were decides it. The ends and a confirmation just prove nothing.
            var why = row.Warnings.First(warning => warning.StartsWith(Words.Of(Verdict.NotSteady), StringComparison.Ordinal));
            return new([], row, probe.Kind == ProbeKind.Search ? why : null);
        }

        return ratios.Differences.Length > 0 ? new(ratios.Differences, row)
            : new([], row, ratios.Problem ?? (row.Warnings is [var warning, ..] ? warning : "no launch of it gave a value"));
    }

    /// <summary>The session of a probe, a path as the search's folder is one.</summary>
    public static string FolderOf(BisectProbe probe, string folder) => Path.Combine(folder, Invariant($"probe-{probe.Number:000}"));

    private string FolderOf(BisectProbe probe) => FolderOf(probe, folder);

    private static ArmRequest Of(string id, BisectCommit commit) =>
        new(id, new Dictionary<string, string>(StringComparer.Ordinal) { ["source"] = commit.Id });
}
