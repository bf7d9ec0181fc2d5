using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution;

public class SessionTests
{
    [Fact]
    public async Task a_true_slow_down_is_screened_confirmed_and_called_regressed()
    {
        using var session = new SessionFixture((8, 20));
        session.Launcher.Script = (number, launch) => new FakeEnd(100 * (1 + SessionFixture.Slower(launch)) * (1 + (0.001 * (number * 7 % 5))));
        var samples = await session.RunAsync();
        samples.Complete.ShouldBeTrue();
        samples.Launches.Count.ShouldBe((8 + 20) * 2);
        var row = session.Compare().Cells.Single();
        row.Verdict.ShouldBe(Verdict.Regressed);
        row.Change!.Value.ShouldBe(0.1, 0.005);
    }

    [Fact]
    public async Task a_cell_that_the_screen_does_not_keep_gets_no_confirm_rounds()
    {
        using var session = new SessionFixture((8, 20));
        session.Launcher.Script = (number, _) => new FakeEnd(100 + (number * 7919 % 13));
        (await session.RunAsync()).Launches.ShouldAllBe(launch => launch.Stage == Stage.Screen);
    }

    [Fact]
    public async Task launches_of_a_round_are_adjacent_and_rounds_of_cells_interleave()
    {
        using var session = new SessionFixture((6, 13), cells: 3);
        var launches = (await session.RunAsync()).Launches.Where(launch => launch.Stage == Stage.Screen).ToList();
        launches.Chunk(2).ShouldAllBe(pair => pair[0].Cell == pair[1].Cell && pair[0].Round == pair[1].Round && pair[0].Arm != pair[1].Arm);
        launches.Chunk(6).ShouldAllBe(sweep => sweep.Select(launch => launch.Round).Distinct().Count() == 1 && sweep.Select(launch => launch.Cell).Distinct().Count() == 3);
    }

    [Fact]
    public async Task an_arm_that_does_not_build_is_refused_once_and_says_so_once()
    {
        using var session = new SessionFixture((6, 13));
        var (cell, arm) = session.Builds.Keys.Single(key => key.Arm == "head");
        // As CompileErrors.Explain begins.
        session.Builds[(cell, arm)] = new(null, null, "script does not build for net10.0 on 10.0.14:\n  A.cs(1,1): error CS0103");

        var refused = (await session.RunAsync()).Launches.ShouldHaveSingleItem();

        (refused.Arm, refused.Outcome).ShouldBe(("head", Outcome.Refused));
        refused.Reason.ShouldBe("head: script does not build for net10.0 on 10.0.14:\n  A.cs(1,1): error CS0103");
    }

    [Fact]
    public async Task a_crashing_head_is_repeated_given_up_and_reported_as_failed_while_the_other_cells_go_on()
    {
        using var session = new SessionFixture((6, 13), cells: 2);
        session.Launcher.Script = (_, launch) =>
            SessionFixture.Slower(launch) > 0 && launch.Environment.Any(pair => pair is { Key: "PERF_LAB_PARAM_SIZE", Value: "1" })
                ? new FakeEnd(ExitCode: 134, Tail: "Unhandled exception. Boom.") : null;
        var samples = await session.RunAsync();
        var crashed = samples.Launches.Where(launch => launch.Outcome == Outcome.Failed).ToList();
        crashed.Count.ShouldBe(4);
        crashed.ShouldAllBe(launch => launch.ExitCode == 134 && launch.Tail == "Unhandled exception. Boom.");
        samples.Launches.Count(launch => launch.Cell == "c002" && launch.Stage == Stage.Screen).ShouldBe(12);
        var comparison = session.Compare();
        comparison.Cells.Single(row => row.Cell == "c001").Verdict.ShouldBe(Verdict.Failed);
        comparison.Cells.Single(row => row.Cell == "c002").Verdict.ShouldNotBe(Verdict.Failed);
    }

    [Fact]
    public async Task an_arm_that_fails_does_not_take_the_other_arms_with_it()
    {
        using var session = new SessionFixture((0, 13), arms: ["0", "0.1", "0.2"]);
        session.Launcher.Script = (number, launch) => SessionFixture.Slower(launch) is var slower && slower == 0.1
            ? new FakeEnd(ExitCode: 1) : new FakeEnd(100 * (1 + slower) + (number % 3 * 0.01));
        await session.RunAsync();
        var rows = session.Compare().Cells;
        rows.Single(row => row.Arm == "head").Verdict.ShouldBe(Verdict.Failed);
        rows.Single(row => row.Arm == "head2").Verdict.ShouldBe(Verdict.Regressed);
        rows.Single(row => row.Arm == "head2").Rounds.ShouldBe(13);
    }

    [Fact]
    public async Task an_occasional_failure_repeats_the_round_and_stays_on_record()
    {
        using var session = new SessionFixture((0, 13));
        session.Launcher.Script = (number, _) => number == 5 ? new FakeEnd(How: EndKind.TimedOut, ExitCode: null) : null;
        var samples = await session.RunAsync();
        samples.Launches.Count(launch => launch.Outcome == Outcome.TimedOut).ShouldBe(1);
        samples.Launches.Count(launch => launch.Outcome == Outcome.Measured).ShouldBe(27);
        session.Compare().Cells.Single().Rounds.ShouldBe(13);
    }

    [Fact]
    public async Task when_the_engine_goes_the_round_is_void_and_repeated_when_it_is_back()
    {
        using var session = new SessionFixture((0, 13));
        session.Launcher.Script = (number, _) => number == 5 ? new FakeEnd(How: EndKind.EngineGone, ExitCode: null) : null;
        var samples = await session.RunAsync();
        samples.Voids.ShouldHaveSingleItem();
        session.Compare().Cells.Single().Rounds.ShouldBe(13);
    }

    [Fact]
    public async Task an_engine_that_stays_away_leaves_a_failed_row_and_the_session_ends()
    {
        using var session = new SessionFixture((0, 13));
        session.Launcher.IsReadyAgain = false;
        session.Launcher.Script = (_, _) => new FakeEnd(How: EndKind.EngineGone, ExitCode: null);
        (await session.RunAsync()).Complete.ShouldBeTrue();
        var row = session.Compare().Cells.Single();
        row.Verdict.ShouldBe(Verdict.Failed);
        string.Join(" ", row.Warnings).ShouldContain("killed");
    }

    [Theory]
    [InlineData("""{"schema":"perf-lab/result/1","nonce":"00000000000000000000000000000000","measuredSeconds":1,"metrics":{"time":{"value":1,"unit":"s"}},"evidence":{}}""", "nonce")]
    [InlineData("NaN", "JSON")]
    public async Task a_result_that_cannot_be_believed_is_refused_once_and_says_why(string result, string expected)
    {
        using var session = new SessionFixture((0, 13));
        session.Launcher.Script = (_, launch) => SessionFixture.Slower(launch) > 0 ? new FakeEnd(1, Result: result) : null;
        var samples = await session.RunAsync();
        var refused = samples.Launches.Where(launch => launch.Outcome == Outcome.Refused).ShouldHaveSingleItem();
        refused.Reason!.ShouldContain(expected);
        session.Compare().Cells.Single().Verdict.ShouldBe(Verdict.Failed);
    }

    [Fact]
    public async Task an_exit_of_zero_without_a_result_is_a_failure()
    {
        using var session = new SessionFixture((0, 13));
        session.Launcher.Script = (_, _) => new FakeEnd(Value: null);
        (await session.RunAsync()).Launches.ShouldAllBe(launch => launch.Outcome == Outcome.Failed && launch.Reason!.Contains("no result"));
    }

    [Fact]
    public async Task a_head_that_does_not_build_is_in_the_journal_with_the_compilers_words()
    {
        using var session = new SessionFixture((0, 13));
        session.Builds[("c001", "head")] = new(null, null, "CS1002: ; expected");
        await session.RunAsync();
        session.Launcher.Launched.ShouldBeEmpty();
        var row = session.Compare().Cells.Single();
        row.Verdict.ShouldBe(Verdict.Failed);
        string.Join(" ", row.Warnings).ShouldContain("CS1002");
    }

    [Fact]
    public async Task identical_builds_with_the_same_values_are_not_launched()
    {
        using var session = new SessionFixture((0, 13), arms: ["0", "0"]);
        session.Builds[("c001", "head")] = session.Builds[("c001", "base")];
        await session.RunAsync();
        session.Launcher.Launched.ShouldBeEmpty();
        session.Compare().Cells.Single().Verdict.ShouldBe(Verdict.IdenticalBuild);
    }

    [Fact]
    public async Task what_can_not_be_had_is_unavailable_by_name_and_the_rest_is_measured()
    {
        using var session = new SessionFixture((0, 13), cells: 2);
        session.Builds[("c001", "head")] = new(null, "package Akka 1.5.30 is in no package source", null);
        await session.RunAsync();
        var comparison = session.Compare();
        comparison.Summary.Unavailable.ShouldBe(1);
        comparison.Cells.Single(row => row.Cell == "c002").Rounds.ShouldBe(13);
    }

    [Fact]
    public async Task an_interruption_keeps_what_was_measured()
    {
        using var session = new SessionFixture((0, 13));
        using var stop = new CancellationTokenSource();
        session.Launcher.Script = (number, _) =>
        {
            if (number == 7)
            {
                stop.Cancel();
            }

            return null;
        };
        await Should.ThrowAsync<OperationCanceledException>(() => session.RunAsync(stop.Token));
        var samples = session.Read();
        samples.Complete.ShouldBeFalse();
        samples.Launches.Count.ShouldBe(8);
    }
}
