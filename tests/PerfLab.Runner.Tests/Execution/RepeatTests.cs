using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Runner.Tests.Machine;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>`--sessions`: what was flagged is measured again, and nothing else.</summary>
public sealed class RepeatTests
{
    private static SessionFixture Session(int repeats = 1, int cells = 1, FakeClocks? clocks = null) => new((0, 13), cells, repeats: repeats)
    {
        Clock = clocks ?? TimeProvider.System,
        Apart = clocks is null ? TimeSpan.Zero : TimeSpan.FromSeconds(Policy.RepeatApart),
    };

    private static bool IsRepeat(Launch launch) => launch.Stage == Stage.Repeat;

    [Fact]
    public async Task only_what_was_flagged_is_measured_again_in_other_orders_and_with_other_padding()
    {
        using var session = Session(cells: 2);
        session.Launcher.Script = (number, launch) => launch.Environment.Any(pair => pair is { Key: "PERF_LAB_PARAM_SIZE", Value: "1" })
            ? new(100 * (1 + SessionFixture.Slower(launch))) : new FakeEnd(100 + (number * 7919 % 13));

        var samples = await session.RunAsync();

        samples.Launches.Where(IsRepeat).Select(launch => launch.Cell).ShouldAllBe(cell => cell == "c001");
        samples.Launches.Count(IsRepeat).ShouldBe(26);
        samples.Launches.Where(IsRepeat).Select(launch => launch.Pad)
            .ShouldNotBe(samples.Launches.Where(launch => launch is { Stage: Stage.Confirm, Cell: "c001" }).Select(launch => launch.Pad));
        samples.Launches.SkipWhile(launch => !IsRepeat(launch)).ShouldAllBe(launch => IsRepeat(launch), "a repeat comes after everything else");
        var rows = session.Compare().Cells;
        rows[0].Verdict.ShouldBe(Verdict.Regressed);
        rows[1].Verdict.ShouldNotBe(Verdict.Regressed);
    }

    [Fact]
    public async Task what_is_gone_when_it_is_measured_again_does_not_hold_and_is_not_measured_a_third_time()
    {
        using var session = Session(repeats: 3);
        session.Launcher.Script = (number, launch) => new(100 * (1 + (number < 26 ? SessionFixture.Slower(launch) : 0)));

        var samples = await session.RunAsync();

        samples.Launches.Count(IsRepeat).ShouldBe(26);
        session.Compare().Cells.Single().Verdict.ShouldBe(Verdict.DoesNotHold);
    }

    [Fact]
    public async Task where_nothing_is_flagged_nobody_waits()
    {
        var clocks = new FakeClocks();
        using var session = Session(clocks: clocks);
        var before = clocks.Monotonic;

        await session.RunAsync();

        clocks.Monotonic.ShouldBe(before);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-3600)]
    [InlineData(86400)]
    public async Task a_clock_that_is_set_between_sessions_changes_nothing(int seconds)
    {
        var clocks = new FakeClocks();
        clocks.Waiting = () => clocks.Wall += TimeSpan.FromSeconds(seconds);
        using var session = Session(repeats: 2, clocks: clocks);
        session.Launcher.Script = (_, launch) => new(100 * (1 + SessionFixture.Slower(launch)));
        var before = clocks.Monotonic;

        var samples = await session.RunAsync();

        (clocks.Monotonic - before).ShouldBe(2 * TimeSpan.FromSeconds(Policy.RepeatApart));
        samples.Voids.ShouldBeEmpty();
        var row = session.Compare().Cells.Single();
        (row.Verdict, row.Sessions!.Count).ShouldBe((Verdict.Regressed, 3));
    }

    [Fact]
    public async Task cut_after_any_record_of_the_repeats_it_goes_on_to_the_same_verdict()
    {
        using var whole = Session(repeats: 2);
        whole.Launcher.Script = (_, launch) => new(100 * (1 + SessionFixture.Slower(launch)));
        await whole.RunAsync();
        var journal = whole.Journal.ToArray();
        var ends = journal.Index().Where(item => item.Item == '\n').Select(item => item.Index + 1).ToList();
        for (var records = 25; records < ends.Count; records += 4)
        {
            using var session = Session(repeats: 2);
            session.Launcher.Script = whole.Launcher.Script;
            var contents = JournalReader.Read(journal.AsMemory(0, ends[records]));
            session.Journal.Write(journal, 0, ends[records]);
            using var writer = new Sessions.JournalWriter(session.Journal, () => { }, contents.NextSeq);
            await session.RunAsync(writer, contents.Samples, CancellationToken.None);

            var row = session.Compare().Cells.Single();
            (row.Verdict, row.Sessions!.Count).ShouldBe((Verdict.Regressed, 3), $"after {records} records");
        }
    }

    [Fact]
    public async Task an_interruption_while_it_waits_keeps_the_first_session()
    {
        using var stop = new CancellationTokenSource();
        var clocks = new FakeClocks();
        clocks.Waiting = stop.Cancel;
        using var session = Session(clocks: clocks);
        session.Launcher.Script = (_, launch) => new(100 * (1 + SessionFixture.Slower(launch)));

        await Should.ThrowAsync<OperationCanceledException>(() => session.RunAsync(stop.Token));

        var row = session.Compare().Cells.Single();
        row.Verdict.ShouldBe(Verdict.Regressed);
        row.Warnings.ShouldContain(warning => warning.Contains("was to be measured again"));
    }
}
