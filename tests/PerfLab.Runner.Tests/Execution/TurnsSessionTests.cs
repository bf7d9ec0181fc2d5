using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>A session whose arms take turns: what is launched, kept, compared, repeated.</summary>
public sealed class TurnsSessionTests
{
    private static readonly TurnPlan Turns = new(10, 0.05);

    [Fact]
    public async Task a_true_slow_down_is_found_by_its_slices_and_each_is_in_the_journal()
    {
        using var session = new SessionFixture((0, 13), turns: Turns);
        session.Launcher.Script = (number, launch) => new FakeEnd(100 * (1 + SessionFixture.Slower(launch)) * (1 + (0.0001 * (number * 7 % 5))));
        var samples = await session.RunAsync();

        samples.Launches.Count.ShouldBe(26);
        samples.Launches.ShouldAllBe(launch => launch.Turns!.Seconds.Count == 10);
        var row = session.Compare().Cells.Single();
        (row.Verdict, row.Pairing).ShouldBe((Verdict.Regressed, Pairing.Turns));
        row.Change!.Value.ShouldBe(0.1, 0.001);
    }

    [Fact]
    public async Task both_arms_are_started_in_the_rounds_order_with_the_same_environment_and_turns_drawn_from_the_seed()
    {
        using var session = new SessionFixture((0, 13), turns: Turns);
        await session.RunAsync();

        session.Launcher.Rounds.Count.ShouldBe(13);
        session.Launcher.Rounds.Select(round => round.Names[0]).Distinct().Count().ShouldBe(2);
        var planned = session.Plan.Confirm.Select(round => RoundOrder.Arms(7, Stage.Confirm, round, 0)).ToList();
        session.Launcher.Rounds.Select(round => round.Names).ShouldBe(planned);
        session.Launcher.Rounds.Zip(session.Plan.Confirm).ShouldAllBe(pair => pair.First.Order.Select(set => set[0])
            .SequenceEqual(TurnOrder.Draw(7, Stage.Confirm, pair.Second, 0, 10, 2).Select(set => set[0])));
        foreach (var arms in session.Launcher.Rounds.Select(round => round.Arms))
        {
            arms[0].Environment.Select(pair => pair.Key).ShouldBe(arms[1].Environment.Select(pair => pair.Key));
            arms[0].Environment.ShouldContain(new KeyValuePair<string, string>("PERF_LAB_SLICES", "10"));
            arms[0].Environment.ShouldContain(new KeyValuePair<string, string>("PERF_LAB_SLICE", "0.05"));
            arms[0].OutFiles.Select(file => file.Key).ShouldBe(["PERF_LAB_TURN_SAY", "PERF_LAB_TURN_GO"]);
        }
    }

    [Fact]
    public async Task one_after_the_other_nothing_is_told_of_turns()
    {
        using var session = new SessionFixture((0, 13));
        await session.RunAsync();
        session.Launcher.Rounds.ShouldBeEmpty();
        session.Launcher.Launched.ShouldAllBe(launch => launch.Turns == null && launch.OutFiles.Count == 0
            && launch.Environment.All(pair => !pair.Key.StartsWith("PERF_LAB_SLICE") && !pair.Key.StartsWith("PERF_LAB_TURN")));
    }

    [Fact]
    public async Task a_frozen_side_that_ran_makes_the_round_void_by_name_and_it_is_repeated()
    {
        using var session = new SessionFixture((0, 13), turns: Turns);
        var round = 0;
        session.Launcher.Void = _ => round++ == 2 ? "base ran for 12 ms while it was frozen and another had its turn" : null;
        var samples = await session.RunAsync();

        samples.Voids.Single().Reason.ShouldBe("base ran for 12 ms while it was frozen and another had its turn");
        session.Launcher.Rounds.Count.ShouldBe(14);
        session.Compare().Cells.Single().Rounds.ShouldBe(13);
    }

    [Fact]
    public async Task an_arm_that_breaks_the_protocol_is_refused_and_given_up_without_blame_for_the_other()
    {
        using var session = new SessionFixture((0, 13), turns: Turns);
        session.Launcher.Script = (_, launch) => SessionFixture.Slower(launch) > 0 ? new FakeEnd(100) { Broken = "said that a slice is done twice in one turn" }
            : new FakeEnd(How: EndKind.KilledFromOutside, ExitCode: 137);
        var samples = await session.RunAsync();

        var refused = samples.Launches.Single(launch => launch.Outcome == Outcome.Refused);
        refused.Arm.ShouldBe("head");
        refused.Reason!.ShouldStartWith("it said that a slice is done twice in one turn; ");
        refused.Reason.ShouldContain("--pairing launches");
        samples.Launches.Single(launch => launch.Arm == "base").Outcome.ShouldBe(Outcome.KilledFromOutside);
        samples.Voids.ShouldBeEmpty();
    }

    [Fact]
    public async Task a_metric_that_is_not_what_the_slices_tell_is_refused()
    {
        using var session = new SessionFixture((0, 13), turns: Turns);
        session.Launcher.Script = (_, launch) => new FakeEnd(100 * (1 + SessionFixture.Slower(launch))) { Slices = [.. Enumerable.Repeat(0.05, 10)] };
        var samples = await session.RunAsync();

        samples.Launches.First(launch => launch.Outcome == Outcome.Refused).Reason!
            .ShouldContain("its time is not what its slices tell: beside ");
    }

    [Fact]
    public async Task a_session_that_was_cut_in_a_round_repeats_it_whole()
    {
        using var session = new SessionFixture((0, 13), turns: Turns);
        using var stream = new MemoryStream();
        using (var journal = new JournalWriter(stream, () => { }))
        {
            session.Launcher.Void = round => session.Launcher.Rounds.Count == 5 ? throw new OperationCanceledException() : null;
            await Should.ThrowAsync<OperationCanceledException>(session.RunAsync(journal, null, CancellationToken.None));
        }

        var contents = Core.Journal.JournalReader.Read(stream.ToArray());
        contents.Samples!.Launches.Count.ShouldBe(8, "nothing of the fifth round");
        session.Launcher.Void = _ => null;
        using var longer = new MemoryStream();
        await longer.WriteAsync(stream.ToArray(), TestContext.Current.CancellationToken);
        using var more = new JournalWriter(longer, () => { }, contents.NextSeq);
        await session.RunAsync(more, contents.Samples, CancellationToken.None);
        var all = Core.Journal.JournalReader.Read(longer.ToArray()).Samples!;
        all.Complete.ShouldBeTrue();
        all.Launches.CountBy(launch => launch.Round).ShouldAllBe(round => round.Value == 2);
        all.Launches.ShouldAllBe(launch => launch.Attempt == 0);
    }
}
