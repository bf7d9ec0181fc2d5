using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Steady;
using PerfLab.Launching;
using PerfLab.Launching.Processes;
using PerfLab.Launching.Proof;
using PerfLab.Launching.Results;

namespace PerfLab.Workload.Tests.Benchmarks;

/// <summary>Real launches of benchmarks that come to rest at once, late or never; nothing is played, and no time is asserted but a bound's.</summary>
public sealed class BenchmarkAgeTests(Lab lab)
{
    private static readonly string Project = Path.Combine(Lab.Fixture("benchmarks"), "Some.Benchmarks", "Some.Benchmarks.csproj");

    [Theory]
    [InlineData("Ages.Flat")]
    [NightlyData("Ages.Hops")] // async
    public async Task a_benchmark_at_rest_says_so_and_shows_what_was_compiled_until_then_and_while_it_was_measured(string name)
    {
        var (judged, end) = await LaunchedAsync(name, new(16 * 1000, 0, 4), new(1, 1, 60));
        var rest = RestState.From(judged.Evidence).ShouldNotBeNull(end.Tail);
        // Beside other tests the compiler may get too little of the machine to be done within the bound.
        for (var again = 1; again < 3 && rest is { AtRest: false, Why: Restlessness.Compiling }; again++)
        {
            (judged, end) = await LaunchedAsync(name, new(16 * 1000, 0, 4), new(1, 1, 60));
            rest = RestState.From(judged.Evidence).ShouldNotBeNull(end.Tail);
        }

        (rest.AtRest, rest.Why, rest.Least, rest.Bound).ShouldBe((true, null, 1, 11));
        rest.Seconds.ShouldBeGreaterThanOrEqualTo(1);
        var series = WindowSeries.From(judged.Evidence).ShouldNotBeNull();
        series.WarmUpSeconds.ShouldBe(rest.Seconds, 1e-3);
        series.Compiled.Count.ShouldBe(series.Rates.Count);
        series.Compiled[0].ShouldBeGreaterThan(0);
        series.Ends.Count(end => end > series.WarmUpSeconds).ShouldBe(4); // the iterations that count
    }

    [Fact]
    public async Task a_benchmark_of_long_calls_is_called_until_a_call_compiles_nothing()
    {
        Nightly.Only("10 seconds");
        var (judged, _) = await LaunchedAsync("Ages.Long", new(1, 0, 3), new(1, 1, 60));
        judged.Metrics[BenchmarkCases.Time].ShouldBe(1.1, 0.1);
        RestState.From(judged.Evidence).ShouldNotBeNull().Seconds.ShouldBeInRange(2 * 1.1, 11 + 1.2);
    }

    [Fact]
    public async Task a_call_of_three_seconds_is_one_operation_of_an_iteration()
    {
        Nightly.Only("20 seconds");
        var (judged, _) = await LaunchedAsync("Ages.Longest", new(1, 0, 2), new(1, 1, 60));
        judged.Metrics[BenchmarkCases.Time].ShouldBe(3, 0.2);
        RestState.From(judged.Evidence).ShouldNotBeNull().Seconds.ShouldBeInRange(2 * 3, 11 + 3.2);
    }

    [Fact]
    public async Task a_call_of_a_third_of_a_nanosecond_is_measured_or_told_to_be_no_longer_than_an_empty_one()
    {
        var (judged, end) = await LaunchAsync("Ages.Shortest", new(16 << 20, 0, 4), new(1, 1, 60));
        if (judged.Outcome == Outcome.Measured)
        {
            judged.Metrics[BenchmarkCases.Time].ShouldBeInRange(double.Epsilon, 20e-9);
        }
        else
        {
            judged.Reason.ShouldNotBeNull(end.Tail).ShouldContain("takes no longer than an empty method");
        }
    }

    [Fact]
    public async Task one_that_compiles_a_method_each_second_ends_at_its_bound()
    {
        Nightly.Only("15 seconds");
        var (judged, _) = await LaunchedAsync("Ages.CompilesForEver", new(16 * 1000, 0, 3), new(1, 1, 60));
        var rest = RestState.From(judged.Evidence).ShouldNotBeNull();
        (rest.AtRest, rest.Why, rest.Bound).ShouldBe((false, Restlessness.Compiling, 11));
        rest.Seconds.ShouldBeGreaterThanOrEqualTo(11);
    }

    [Fact]
    public async Task one_that_gets_slower_for_ever_ends_at_its_bound()
    {
        Nightly.Only("20 seconds"); // RestRuleTests has the rule; that of the compiler ends at the same bound
        var (judged, _) = await LaunchedAsync("Ages.Leaks", new(1, 0, 3), new(1, 1, 60));
        var rest = RestState.From(judged.Evidence).ShouldNotBeNull();
        (rest.AtRest, rest.Why).ShouldBe((false, Restlessness.Trend));
    }

    [Fact]
    public async Task one_that_compiles_again_while_it_is_measured_shows_it()
    {
        var (judged, _) = await LaunchedAsync("Ages.CompilesAgain", new(16 * 1000, 0, 4), new(1, 1, 60));
        var series = WindowSeries.From(judged.Evidence).ShouldNotBeNull();
        series.Compiled.Where((_, window) => series.Ends[window] > series.WarmUpSeconds).Max().ShouldBeGreaterThanOrEqualTo(39);
    }

    [Theory]
    [InlineData("Cold.Calls", 1)] // RunStrategy.ColdStart; it throws when it is called more than 200 times
    [NightlyData("Unwarmed.Sleeps", 1)] // WarmupCount(0)
    public async Task what_its_project_wants_cold_is_not_warmed_up(string name, long operations)
    {
        var (judged, end) = await LaunchedAsync(name, new(operations, 0, 10), new(1, 1, 60));
        judged.Outcome.ShouldBe(Outcome.Measured, $"{judged.Reason} {end.Tail}");
        judged.Evidence.ContainsKey("rest").ShouldBeFalse();
        ((string?)judged.Evidence[Cell.Age]).ShouldBe(Cell.Cold);
        // All of it is one window; its ten iterations, of which the first may be the slowest, are none.
        WindowSeries.From(judged.Evidence).ShouldNotBeNull().Rates.Count.ShouldBeLessThan(ArmRest.LeastMeasuredWindows);
    }

    [Theory]
    [InlineData("Prepared.Call", 1)] // each call has its [IterationSetup] and [IterationCleanup], or it throws
    [NightlyData("Counted.Call", 48)] // and each iteration the project's number of calls
    [NightlyData("OneCall.Sort", 1)] // Monitoring
    public async Task an_iteration_of_the_warm_up_is_what_the_project_says(string name, long operations)
    {
        var (judged, end) = await LaunchedAsync(name, new(operations, 0, 10), new(1, 1, 60));
        judged.Outcome.ShouldBe(Outcome.Measured, $"{judged.Reason} {end.Tail}");
        RestState.From(judged.Evidence).ShouldNotBeNull().Seconds.ShouldBeGreaterThanOrEqualTo(1);
    }

    private async Task<(JudgedLaunch Judged, LaunchEnd End)> LaunchedAsync(string name, BenchmarkRun run, LaunchTimes times)
    {
        var (judged, end) = await LaunchAsync(name, run, times);
        judged.Outcome.ShouldBe(Outcome.Measured, $"{judged.Reason} {end.Tail}");
        return (judged, end);
    }

    private async Task<(JudgedLaunch Judged, LaunchEnd End)> LaunchAsync(string name, BenchmarkRun run, LaunchTimes times)
    {
        var (planned, launches) = await PlannedBenchmark.MakeAsync(lab, Project, "Some.Benchmarks." + name);
        var cell = planned with { Launch = times };
        await using var launcher = ProcessLauncher.Create();
        var nonce = LaunchEnvironment.NewNonce();
        var end = await launcher.LaunchAsync(launches.Of(cell, cell.Arms[0], nonce, 100, run: run), CancellationToken.None);
        return (LaunchJudge.Judge(new(cell, cell.Arms[0], nonce), end), end);
    }
}
