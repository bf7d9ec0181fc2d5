using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Runner.Tests.Execution;

namespace PerfLab.Runner.Tests.Benchmarks;

/// <summary>One launch finds out how much all others do; what it can't do, no other is tried for.</summary>
public sealed class PilotTests
{
    private static readonly PlannedCell Cell = Planned("base", "head");

    [Fact]
    public void the_variables_are_the_same_for_every_arm_and_tell_pilot_from_measured()
    {
        var launches = Launches(Cell);
        var (pilot, measured) = (launches.Of(Cell, Cell.Arms[0], "n", 0), launches.Of(Cell, Cell.Arms[1], "n", 0, run: new(640, 10, 3)));
        pilot.Environment.Select(pair => pair.Key).ShouldBe(measured.Environment.Select(pair => pair.Key));
        pilot.Environment.Single(pair => pair.Key == "PERF_LAB_BENCHMARK_RUN").Value.ShouldBe("");
        measured.Environment.Single(pair => pair.Key == "PERF_LAB_BENCHMARK_RUN").Value.ShouldBe("640/10/3");
        measured.OutFiles.ShouldContain(new KeyValuePair<string, string>("PERF_LAB_REPORT", "report.json"));
    }

    [Fact]
    public async Task the_first_pilot_holds_for_the_cell()
    {
        using var launcher = new FakeLauncher { Script = (_, launch) => Good(launch) };
        var pilots = new Launching.Proof.PilotLaunches(Launches(Cell), launcher);

        (await pilots.FailureAsync(Cell, CancellationToken.None)).ShouldBeNull();
        (await pilots.FailureAsync(Cell, CancellationToken.None)).ShouldBeNull();
        launcher.Launched.Count.ShouldBe(1);
        pilots.Of(Cell).ShouldNotBeNull().ToString().ShouldBe("655360/0/10");
    }

    [Theory]
    [InlineData(5e-6, "an iteration takes 0.005 ms, and after each it would find its caches cold")]
    [InlineData(0.0049, "an iteration takes 4.9 ms, and after each it would find its caches cold")]
    [InlineData(0.005, null)]
    [InlineData(0.064, null)]
    [InlineData(0.2, null)]
    [InlineData(0.21, "a call takes 0.21 s, and a slice is 50 ms")]
    [InlineData(3, "a call takes 3 s, and a slice is 50 ms")]
    public void iterations_that_are_far_from_a_slice_speak_against_turns(double seconds, string? against) =>
        Launching.Proof.TurnsJudge.Against(TurnPlan.WhereItCan, new(1, 0, 30) { Seconds = seconds }).ShouldBe(against);

    [Fact]
    public async Task a_launch_in_turns_has_a_pilot_of_its_own()
    {
        using var launcher = new FakeLauncher { Script = (_, launch) => Good(launch) };
        var pilots = new Launching.Proof.PilotLaunches(Launches(Cell), launcher);

        (await pilots.FailureAsync(Cell with { Turns = TurnPlan.Default }, CancellationToken.None)).ShouldBeNull();
        pilots.Of(Cell).ShouldBeNull();
        (await pilots.FailureAsync(Cell, CancellationToken.None)).ShouldBeNull();

        pilots.Of(Cell with { Turns = TurnPlan.Default }).ShouldNotBeNull().ToString().ShouldBe("327680/0/30");
        pilots.Of(Cell).ShouldNotBeNull().ToString().ShouldBe("655360/0/10");
    }

    [Fact]
    public async Task a_traced_launch_does_as_much_as_a_measured_one()
    {
        using var launcher = new FakeLauncher { Script = (_, launch) => Good(launch) };
        var launches = Launches(Cell);
        var traced = new Runner.Afterwards.ProfiledLaunches(
            new Launching.Proof.TracedLaunches(launches, launcher), new Launching.Proof.PilotLaunches(launches, launcher));

        (await traced.PilotProblemAsync(Cell, CancellationToken.None)).ShouldBeNull();
        await traced.LaunchAsync(Cell, Cell.Arms[1], 0, CancellationToken.None);

        launcher.Launched[1].Environment.Single(pair => pair.Key == "PERF_LAB_BENCHMARK_RUN").Value.ShouldBe("655360/0/10");
    }

    [Fact]
    public async Task an_arm_may_name_a_benchmark_of_its_own()
    {
        var none = new Dictionary<string, string>();
        var cell = Cell with { Parameters = none, Arms = [Cell.Arms[0] with { Dimensions = Cell.Parameters }, Cell.Arms[1]] };
        using var launcher = new FakeLauncher { Script = (_, launch) => Good(launch) };
        (await new Launching.Proof.PilotLaunches(Launches(cell), launcher).FailureAsync(cell, CancellationToken.None)).ShouldBeNull();
    }

    [Theory]
    [InlineData(EndKind.Exited, 1, null)] // it throws
    [InlineData(EndKind.TimedOut, null, "no end after")] // it hangs
    public async Task a_benchmark_that_can_not_run_fails_by_its_pilot(EndKind how, int? exitCode, string? reason)
    {
        using var launcher = new FakeLauncher { Script = (_, _) => new(null, how, exitCode, Tail: "System.InvalidOperationException: no table") };
        var failure = await new Launching.Proof.PilotLaunches(Launches(Cell), launcher).FailureAsync(Cell, CancellationToken.None);
        var (judged, end) = failure.ShouldNotBeNull();
        judged.Outcome.ShouldNotBe(Outcome.Measured);
        (judged.Reason ?? "").ShouldContain(reason ?? "");
        end.Tail.ShouldContain("no table");
    }

    [Fact]
    public async Task a_pilot_without_a_report_is_refused()
    {
        using var launcher = new FakeLauncher { Script = (_, launch) => Good(launch) with { Report = null } };
        var failure = await new Launching.Proof.PilotLaunches(Launches(Cell), launcher).FailureAsync(Cell, CancellationToken.None);
        failure.ShouldNotBeNull().Judged.Reason.ShouldBe("the launch left no report of BenchmarkDotNet");
    }

    private static FakeEnd Good(LaunchSpec launch)
    {
        var nonce = launch.Environment.Single(pair => pair.Key == "PERF_LAB_NONCE").Value;
        return new(1, Result: $$$"""{"schema":"perf-lab/result/1","nonce":"{{{nonce}}}","measuredSeconds":1,"metrics":{},"evidence":{}}""", Report: Reports.Of());
    }

    private static Launching.Proof.LaunchSpecs Launches(PlannedCell cell) => new(
        "session", new(cell.Arms.ToDictionary(arm => (cell.Id, arm.Id), arm => new Building.BuildResult(new("sha256:" + arm.Id, "/nowhere", false), null, null))), cpus: null);

    private static PlannedCell Planned(params string[] arms) => new()
    {
        Id = "c001",
        Workload = "My.Benchmarks",
        Mode = "steady",
        Dimensions = new Dictionary<string, string>(),
        Parameters = new Dictionary<string, string> { ["benchmark"] = Reports.Name },
        Metrics = BenchmarkCases.Metrics,
        Launch = BenchmarkCases.Launch,
        Resources = new(1, 1 << 30, 64),
        Result = ResultFormat.BenchmarkDotNet,
        Arms = [.. arms.Select(arm => new PlannedArm
        {
            Id = arm,
            Dimensions = new Dictionary<string, string>(),
            Recipe = new() { Workload = "My.Benchmarks", Folder = "/nowhere", Kind = BuildKind.Dotnet, IsBenchmarkDotNet = true },
            Command = [BenchmarkCases.Program],
            Environment = [],
        })],
    };
}
