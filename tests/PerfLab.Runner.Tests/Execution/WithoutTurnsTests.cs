using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>
/// What only may take turns, and turns out to be unable to, is launched one arm after the other. Launches are played; a program that
/// refuses to be cut is run for real in WithoutTurnsTests of PerfLab.Workload.Tests.
/// </summary>
public sealed class WithoutTurnsTests
{
    private static readonly TurnPlan WhereItCan = new(10, 0.05) { OrLaunches = true };

    [Fact]
    public async Task a_program_that_breaks_the_protocol_gets_its_verdict_by_launches()
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan);
        session.Launcher.Script = (number, launch) => new FakeEnd(100 * (1 + SessionFixture.Slower(launch)) * (1 + (0.0001 * (number * 7 % 5))))
        {
            Broken = SessionFixture.Slower(launch) > 0 ? "said more slices than it was asked for" : null,
        };

        var samples = await session.RunAsync();

        session.Launcher.Rounds.Count.ShouldBe(1);
        (samples.Launches.Count, samples.Voids.Count).ShouldBe((26, 0));
        samples.Launches.ShouldAllBe(launch => launch.Turns == null && launch.Outcome == Outcome.Measured && launch.Attempt == 0);
        var cell = samples.Header.Cells.ShouldHaveSingleItem();
        (cell.Turns, cell.NoTurns).ShouldBe((null, "head said more slices than it was asked for"));
        var row = session.Compare().Cells.Single();
        (row.Verdict, row.Pairing, row.Rounds).ShouldBe((Verdict.Regressed, Pairing.Launches, 13));
    }

    [Fact]
    public async Task asked_for_turns_it_is_refused_as_before()
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan with { OrLaunches = false });
        session.Launcher.Script = (_, _) => new FakeEnd(100) { Broken = "said more slices than it was asked for" };

        (await session.RunAsync()).Launches.ShouldContain(launch => launch.Outcome == Outcome.Refused);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    public async Task a_metric_that_slices_do_not_tell_is_compared_by_launches_and_rounds_that_agreed_by_chance_do_not_count(int agree)
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan);
        session.Launcher.Script = (number, launch) => number < 2 * agree ? null
            : new FakeEnd(100 * (1 + SessionFixture.Slower(launch))) { Slices = [.. Enumerable.Repeat(0.05, 10)] };

        var samples = await session.RunAsync();

        session.Launcher.Rounds.Count.ShouldBe(agree + 1);
        samples.Header.Cells.Single().NoTurns!.ShouldMatch("^its time is not what its slices tell: beside (base|head) it says [+-]9.5 %, and a unit of work took [+-]0.0 %$");
        samples.Launches.Count.ShouldBe(26);
        samples.Launches.ShouldAllBe(launch => launch.Turns == null);
        samples.Launches.CountBy(launch => launch.Round).ShouldAllBe(round => round.Value == 2);
        session.Compare().Cells.Single().Change!.Value.ShouldBe(0.1, 0.001);
    }

    [Fact]
    public async Task what_a_screen_has_decided_by_turns_is_not_begun_anew()
    {
        using var session = new SessionFixture((8, 13), turns: WhereItCan);
        session.Launcher.Script = (number, launch) => new FakeEnd(100 * (1 + SessionFixture.Slower(launch)))
        {
            Slices = number < 16 ? null : [.. Enumerable.Repeat(0.05, 10)],
        };

        var samples = await session.RunAsync();

        samples.Header.Cells.Single().Turns.ShouldBe(WhereItCan);
        samples.Launches[^1].Reason!.ShouldContain("measure it with --pairing launches");
    }

    [Fact]
    public async Task an_executor_that_can_not_freeze_is_not_even_tried_and_nothing_is_refused()
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan);
        session.Launcher.TakesTurns = false;
        LaunchProblems.Of(session.Launcher, session.Plan, new()).ShouldBeEmpty();

        var samples = await session.RunAsync();

        session.Launcher.Rounds.ShouldBeEmpty();
        samples.Launches.Count.ShouldBe(26);
        samples.Header.Cells.Single().NoTurns.ShouldBe("the fake executor can't freeze what it launches");
    }

    [Fact]
    public async Task a_machine_with_memory_for_one_arm_launches_one_after_the_other()
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan) { Free = (2L << 30) - 1 };
        LaunchProblems.Of(session.Launcher, session.Plan, new(session.Free)).ShouldBeEmpty();

        (await session.RunAsync()).Header.Cells.Single().NoTurns.ShouldBe("together its arms take 2 times 1024 MiB, and 2047 MiB are free on this machine");
        session.Launcher.Rounds.ShouldBeEmpty();
    }

    [Fact]
    public async Task an_engine_that_pauses_nothing_is_asked_once_and_its_answer_is_the_reason()
    {
        using var session = new SessionFixture((0, 13), cells: 2, turns: WhereItCan);
        session.Launcher.Impossible = "the engine refuses to pause a container";

        var samples = await session.RunAsync();

        session.Launcher.Rounds.Count.ShouldBe(2, "one of each cell");
        samples.Header.Cells.ShouldAllBe(cell => cell.NoTurns == "the engine refuses to pause a container");
        samples.Launches.Count.ShouldBe(52);
    }

    [Theory]
    [InlineData("10", true)]
    [InlineData("300", false)]
    public async Task a_benchmark_whose_call_is_far_longer_than_a_slice_is_launched_from_its_pilot_on(string milliseconds, bool inTurns)
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan);
        session.Plan = session.Plan with
        {
            Cells = [.. session.Plan.Cells.Select(cell => cell with
            {
                Result = ResultFormat.BenchmarkDotNet,
                Metrics = BenchmarkCases.Metrics,
                Parameters = new Dictionary<string, string> { ["benchmark"] = Benchmarks.Reports.Name },
                Launch = BenchmarkCases.Launch,
            })],
        };
        var report = Benchmarks.Reports.Whole("0.15.8", Benchmarks.Reports.Benchmark(Benchmarks.Reports.Name, "190", "1"))
            .Replace("\"Nanoseconds\":10000000}", $"\"Nanoseconds\":{milliseconds}000000}}");
        session.Launcher.Script = (_, launch) => new FakeEnd(1, Report: report, Result:
            $$$"""{"schema":"perf-lab/result/1","nonce":"{{{Nonce(launch)}}}","measuredSeconds":1,"metrics":{},"evidence":{}}""");

        var samples = await session.RunAsync();

        session.Launcher.Rounds.Count.ShouldBe(inTurns ? 13 : 0);
        session.Launcher.Launched.Count.ShouldBe(26 + (inTurns ? 1 : 2), "each way has a pilot of its own");
        samples.Header.Cells.Single().NoTurns.ShouldBe(inTurns ? null : "a call takes 0.3 s, and a slice is 50 ms");
        samples.Launches.ShouldAllBe(launch => launch.Outcome == Outcome.Measured && launch.Turns == null != inTurns);
    }

    private static string Nonce(LaunchSpec launch) => launch.Environment.Single(pair => pair.Key == "PERF_LAB_NONCE").Value;

    [Fact]
    public async Task a_side_that_runs_while_it_is_frozen_twice_in_a_row_is_launched_otherwise()
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan);
        session.Launcher.Void = _ => "base ran for 12 ms while it was frozen and another had its turn";

        var samples = await session.RunAsync();

        session.Launcher.Rounds.Count.ShouldBe(2);
        samples.Voids.ShouldBeEmpty();
        (samples.Launches.Count, samples.Launches.Max(launch => launch.Attempt)).ShouldBe((26, 0), "all rounds begin anew");
        samples.Header.Cells.Single().NoTurns!.ShouldStartWith("base ran for 12 ms");
    }

    [Fact]
    public async Task one_that_does_not_end_in_turns_is_tried_without()
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan);
        session.Launcher.Script = (_, launch) => launch.Turns is null ? null
            : SessionFixture.Slower(launch) > 0 ? new(100, EndKind.TimedOut) : new(How: EndKind.KilledFromOutside, ExitCode: 137);

        var samples = await session.RunAsync();

        samples.Header.Cells.Single().NoTurns.ShouldBe("head did not end within its 60 s");
        samples.Launches.ShouldAllBe(launch => launch.Outcome == Outcome.Measured);
    }

    [Fact]
    public async Task one_that_says_by_itself_that_it_can_not_be_cut_is_launched_whole()
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan);
        session.Launcher.Script = (_, launch) => launch.Turns is null ? null
            : SessionFixture.Slower(launch) > 0 ? new(null, ExitCode: 2) : new(How: EndKind.KilledFromOutside, ExitCode: 137);

        var samples = await session.RunAsync();

        samples.Header.Cells.Single().NoTurns.ShouldBe("head refused what it was asked, with exit code 2");
        samples.Launches.ShouldAllBe(launch => launch.Outcome == Outcome.Measured);
    }

    [Fact]
    public async Task a_program_that_fails_fails_in_turns_too()
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan);
        session.Launcher.Script = (_, launch) => SessionFixture.Slower(launch) > 0 ? new(null, ExitCode: 3) : new(How: EndKind.KilledFromOutside, ExitCode: 137);

        var samples = await session.RunAsync();

        samples.Header.Cells.Single().Turns.ShouldBe(WhereItCan);
        session.Launcher.Rounds.Count.ShouldBe(4, "then head is given up");
        samples.Launches.Where(launch => launch.Arm == "head").ShouldAllBe(launch => launch.Outcome == Outcome.Failed);
    }

    [Fact]
    public async Task a_session_that_was_cut_after_it_goes_on_by_launches()
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan);
        session.Launcher.Script = (number, launch) => number == 7 ? throw new OperationCanceledException()
            : launch.Turns is null ? null : new FakeEnd(100) { Broken = "ended without having said that its slices are done" };
        using var stream = new MemoryStream();
        using (var journal = new JournalWriter(stream, () => { }))
        {
            await Should.ThrowAsync<OperationCanceledException>(session.RunAsync(journal, null, CancellationToken.None));
        }

        var contents = JournalReader.Read(stream.ToArray());
        contents.Damage.ShouldBeNull();
        contents.Samples!.Launches.Count.ShouldBe(5, "two arms took turns once, and five launches came after them");
        session.Launcher.Script = (_, launch) => launch.Turns is null ? null : throw new InvalidOperationException("nothing takes turns any more");
        using var longer = new MemoryStream();
        await longer.WriteAsync(stream.ToArray(), TestContext.Current.CancellationToken);
        using var more = new JournalWriter(longer, () => { }, contents.NextSeq);
        await session.RunAsync(more, contents.Samples, CancellationToken.None);

        var all = JournalReader.Read(longer.ToArray()).Samples!;
        all.Launches.Count(launch => launch.Outcome == Outcome.Measured).ShouldBeGreaterThanOrEqualTo(26);
        all.Launches.ShouldAllBe(launch => launch.Turns == null);
    }

    [Fact]
    public async Task memory_that_is_short_when_a_session_goes_on_takes_back_nothing_that_was_measured()
    {
        using var session = new SessionFixture((0, 13), turns: WhereItCan);
        session.Launcher.Script = (number, _) => number == 6 ? throw new OperationCanceledException() : null;
        using var stream = new MemoryStream();
        using (var journal = new JournalWriter(stream, () => { }))
        {
            await Should.ThrowAsync<OperationCanceledException>(session.RunAsync(journal, null, CancellationToken.None));
        }

        (session.Launcher.Script, session.Free) = ((_, _) => null, 1);
        var contents = JournalReader.Read(stream.ToArray());
        using var longer = new MemoryStream();
        await longer.WriteAsync(stream.ToArray(), TestContext.Current.CancellationToken);
        using var more = new JournalWriter(longer, () => { }, contents.NextSeq);
        await session.RunAsync(more, contents.Samples, CancellationToken.None);

        var all = JournalReader.Read(longer.ToArray()).Samples!;
        (all.Launches.Count, all.Header.Cells.Single().Turns).ShouldBe((26, WhereItCan));
    }
}
