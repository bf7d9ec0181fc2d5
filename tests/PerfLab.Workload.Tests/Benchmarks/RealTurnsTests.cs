using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Processes;
using PerfLab.Launching.Proof;

namespace PerfLab.Workload.Tests.Benchmarks;

/// <summary>Programs that are built as the lab builds them take turns: a workload of the kit, and a benchmark of an unchanged project.</summary>
public sealed class RealTurnsTests(Lab lab)
{
    private static readonly TurnPlan Turns = new(6, 0.02);

    [Fact]
    public async Task each_iteration_of_benchmarkdotnet_is_a_slice_of_as_many_operations()
    {
        var project = Path.Combine(Lab.Fixture("benchmarks"), "Some.Benchmarks", "Some.Benchmarks.csproj");
        var (planned, launches) = await PlannedBenchmark.MakeAsync(lab, project, "Some.Benchmarks.Ages.Flat");
        var cell = planned with { Turns = Turns };
        await using var launcher = ProcessLauncher.Create();
        var pilots = new PilotLaunches(launches, launcher);
        (await pilots.FailureAsync(cell, CancellationToken.None)).ShouldBeNull();
        var run = pilots.Of(cell).ShouldNotBeNull();
        run.Iterations.ShouldBe(Turns.Slices);

        var arms = await InTurnsAsync(launcher, cell, nonce => launches.Of(cell, cell.Arms[0], nonce, 0, run: run));

        foreach (var (taken, judged) in arms)
        {
            judged.Outcome.ShouldBe(Outcome.Measured, $"{judged.Reason} {taken.End.Tail}");
            taken.Slices!.Work.ShouldBe(Enumerable.Repeat((double)run.Operations, Turns.Slices));
            taken.Slices.ProcessorSeconds.ShouldNotBeNull();
            // Its own report leaves out the slow ones of what it finds too far off; the slices are all there.
            var said = judged.Evidence["benchmarkDotNet"]!;
            said["iterations"]!.GetValue<double>().ShouldBeInRange(Turns.Slices - said["outliers"]!.GetValue<int>(), Turns.Slices);
        }
    }

    [Fact]
    public async Task a_workload_of_the_kit_reports_what_its_slices_add_up_to()
    {
        var manifest = Manifest.Of("calibrated-spin");
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0"));
        await using var launcher = ProcessLauncher.Create();
        var arm = Spec(build, manifest.Command, LaunchEnvironment.NewNonce()).InTurns(Turns);
        var round = new TurnsSpec([arm, arm], ["base", "head"], Order);

        var end = await launcher.LaunchInTurnsAsync(round, CancellationToken.None);

        end.Void.ShouldBeNull();
        foreach (var taken in end.Arms)
        {
            (taken.End.How, taken.End.ExitCode, taken.Broken).ShouldBe((EndKind.Exited, 0, null), taken.End.Tail);
            taken.Slices!.Work!.Sum().ShouldBe(200); // 20 units of work, 10 pieces each
            var result = System.Text.Json.Nodes.JsonNode.Parse(await File.ReadAllTextAsync(taken.End.ResultFile, CancellationToken.None))!;
            result["metrics"]!["time"]!["value"]!.GetValue<double>().ShouldBe(taken.Slices.Seconds.Sum(), 1e-6);
        }
    }

    private static IReadOnlyList<IReadOnlyList<int>> Order => [.. Enumerable.Range(0, Turns.Slices).Select(set => set % 2 == 0 ? new[] { 0, 1 } : [1, 0])];

    private static async Task<List<(TurnsArm Taken, JudgedLaunch Judged)>> InTurnsAsync(
        ProcessLauncher launcher, PlannedCell cell, Func<string, LaunchSpec> spec)
    {
        string[] nonces = [LaunchEnvironment.NewNonce(), LaunchEnvironment.NewNonce()];
        var end = await launcher.LaunchInTurnsAsync(
            new([.. nonces.Select(nonce => spec(nonce).InTurns(Turns))], ["base", "head"], Order), CancellationToken.None);
        end.Void.ShouldBeNull();
        return [.. end.Arms.Zip(nonces, (arm, nonce) => (arm, TurnsJudge.Judge(new(cell, cell.Arms[0], nonce), arm)))];
    }

    private static LaunchSpec Spec(PerfLab.Building.Build build, IReadOnlyList<string> command, string nonce) => new()
    {
        Session = "test",
        Build = build,
        Command = command,
        Environment =
        [
            new("PATH", "/usr/bin:/bin"), new("HOME", "/tmp"), new("LANG", "C.UTF-8"), new("PERF_LAB_NONCE", nonce),
            new("PERF_LAB_WARM_UP", "0.1"), new("PERF_LAB_WARM_UP_BOUND", "0.1"), new("PERF_LAB_MEASURE", "1"), new("PERF_LAB_PARAM_WORK", "20"),
        ],
        Resources = new(1, 512 << 20, 128),
        Timeout = TimeSpan.FromSeconds(60),
    };
}
