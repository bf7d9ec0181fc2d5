using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Runner.Afterwards;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>A session with minutes: rows end early for nothing or go on, and it ends in time.</summary>
public class MinutesTests
{
    /// <summary>As the fake launcher says of every launch.</summary>
    private const int SecondsPerLaunch = 2;

    /// <param name="noise">Spread of a launch, a fraction; the same for the same launch of every session.</param>
    private static SessionFixture Session(SteppedClock clock, double noise, double within, string slower = "0")
    {
        var session = new SessionFixture((0, 20), arms: ["0.00001", slower], within: within) { Clock = clock };
        session.Launcher.Script = (_, launch) =>
        {
            clock.Advance(SecondsPerLaunch);
            var random = SeededRandom.For(7, $"launch {clock.Drawn++}");
            return new FakeEnd(100 * (1 + SessionFixture.Slower(launch)) * Math.Exp(noise * random.NextNormal()));
        };
        return session;
    }

    /// <summary>
    /// Head's change is a little smaller than the margin: too clear to be noise, too close to be called unchanged. Such a row goes
    /// on as long as it may.
    /// </summary>
    private static SessionFixture AtTheBorder(SteppedClock clock, double within, int cells = 1, (int, int)? rounds = null)
    {
        var session = new SessionFixture(rounds ?? (0, 20), cells, arms: ["0", "0.01"], within: within) { Clock = clock };
        session.Launcher.Script = (number, launch) =>
        {
            clock.Advance(SecondsPerLaunch);
            return new FakeEnd(SessionFixture.Slower(launch) == 0 ? 100 : 100 * Math.Exp(0.006 + (0.0066 * (number * 7919 % 101 / 101.0))));
        };
        return session;
    }

    private static ComparedMetric Row(SessionFixture session) => session.Compare().Cells.ShouldHaveSingleItem();

    [Fact]
    public async Task a_quiet_row_that_did_not_change_ends_after_eight_rounds()
    {
        using var session = Session(new(), noise: 0.0005, within: 60);
        var samples = await session.RunAsync();
        samples.Complete.ShouldBeTrue();
        (Row(session).Rounds, Row(session).Verdict).ShouldBe((8, Verdict.Unchanged));
        samples.Ends.ShouldHaveSingleItem().ShouldBe(new PairEnd("c001", "head", 8, EndReason.Unchanged) { Seq = samples.Ends[0].Seq });
    }

    [Fact]
    public async Task a_clear_change_gets_its_planned_rounds()
    {
        using var session = Session(new(), noise: 0.001, within: 60, slower: "0.1");
        (await session.RunAsync()).Ends.ShouldHaveSingleItem().Why.ShouldBe(EndReason.Decided);
        (Row(session).Rounds, Row(session).Verdict).ShouldBe((20, Verdict.Regressed));
    }

    [Fact]
    public async Task an_undecided_row_goes_on_and_its_rounds_are_drawn_from_the_plans_seed()
    {
        using var session = Session(new(), noise: 0.02, within: 60, slower: "0.015");
        var samples = await session.RunAsync();
        Row(session).Rounds.ShouldBeGreaterThan(20);
        Row(session).Ended.ShouldNotBeNull();
        JournalFlaws.OfRounds(session.Plan, samples).ShouldBeEmpty();
        JournalFlaws.OfTime(session.Plan, samples).ShouldBeEmpty();
        var moved = samples with { Launches = [.. samples.Launches.Select(launch => launch.Round < 20 ? launch : launch with { Position = 1 - launch.Position })] };
        JournalFlaws.OfRounds(session.Plan, moved).ShouldNotBeEmpty("beyond the plan's rounds the order is drawn, too");
    }

    [Theory]
    [InlineData(0.1, true)]
    [InlineData(1, false)]
    public async Task minutes_too_few_for_what_the_change_can_touch_are_told_and_used(double within, bool areTold)
    {
        var told = new Notes();
        using var session = Session(new(), noise: 0.001, within);
        session.Plan = session.Plan with { OnlyTouched = true };
        session.Progress = told;
        var samples = await session.RunAsync();
        samples.Complete.ShouldBeTrue();
        samples.Launches.ShouldNotBeEmpty();
        told.Told.Contains("--within: 0.1 min are over before any row can have an answer: that takes about 26 s. Ask for 1m or more, or for fewer rows.")
            .ShouldBe(areTold, string.Join('\n', told.Told));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task minutes_are_held_against_the_rows_that_will_be_launched(bool secondBuilds)
    {
        var told = new Notes();
        using var session = new SessionFixture((0, 20), cells: 2, within: 0.6) { Progress = told };
        session.Plan = session.Plan with { OnlyTouched = true };
        session.Launcher.Script = (_, _) => new FakeEnd(100);
        if (!secondBuilds)
        {
            session.Builds[("c002", "head")] = new(null, null, "it does not compile");
        }

        await session.RunAsync();
        told.Told.Any(note => note.StartsWith("--within: 0.6 min are over", StringComparison.Ordinal)).ShouldBe(secondBuilds, "one row takes 26 s, two take 52");
    }

    private sealed class Notes : IProgress<SessionProgress>
    {
        public List<string> Told { get; } = [];

        public void Report(SessionProgress value)
        {
            if (value.Note is { } note)
            {
                Told.Add(note);
            }
        }
    }

    [Fact]
    public async Task it_ends_in_time_and_says_so()
    {
        var clock = new SteppedClock();
        using var session = AtTheBorder(clock, within: 1, cells: 2);
        var samples = await session.RunAsync();
        samples.Complete.ShouldBeTrue();
        clock.Seconds.ShouldBeInRange(50, 60);
        samples.Ends.Select(end => end.Why).ShouldBe([EndReason.OutOfMinutes, EndReason.OutOfMinutes]);
        session.Compare().Cells.ShouldAllBe(row => row.Verdict == Verdict.Undecided || row.Verdict == Verdict.TooNoisy);
        session.Compare().Cells.ShouldAllBe(row => row.Warnings.Any(warning => warning.StartsWith("out of minutes after")));
    }

    [Fact]
    public async Task minutes_that_are_over_in_the_screen_are_no_failure_of_an_arm()
    {
        using var session = AtTheBorder(new(), within: 0.5, cells: 6, rounds: (8, 20));
        var samples = await session.RunAsync();
        samples.Ends.Count.ShouldBe(6);
        session.Compare().Cells.ShouldAllBe(row => row.Verdict == Verdict.Undecided && row.Ended == EndReason.OutOfMinutes);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(17)]
    [InlineData(40)]
    public async Task a_resumed_session_goes_on_with_the_time_that_is_left(int records)
    {
        using var whole = AtTheBorder(new(), within: 2);
        await whole.RunAsync();
        var journal = whole.Journal.ToArray();
        var cut = journal.Index().Where(item => item.Item == '\n').Select(item => item.Index + 1).ElementAt(records - 1);

        var clock = new SteppedClock();
        using var session = AtTheBorder(clock, within: 2);
        var contents = JournalReader.Read(journal.AsMemory(0, cut));
        session.Journal.Write(journal.AsSpan(0, cut));
        using (var writer = new JournalWriter(session.Journal, () => { }, contents.NextSeq))
        {
            await session.RunAsync(writer, contents.Samples, CancellationToken.None);
        }

        var samples = session.Read();
        samples.Complete.ShouldBeTrue();
        clock.Seconds.ShouldBeLessThanOrEqualTo(120 - (SecondsPerLaunch * contents.Samples!.Launches.Count));
        (SecondsPerLaunch * samples.Launches.Count).ShouldBeInRange(110, 120, $"{samples.Ends.Single()} {Row(session).Low} {Row(session).High}");
    }

    [Fact]
    public async Task a_session_that_used_its_minutes_ends_at_once_when_it_goes_on()
    {
        using var whole = AtTheBorder(new(), within: 1);
        await whole.RunAsync();
        var journal = whole.Journal.ToArray();
        var ends = journal.Index().Where(item => item.Item == '\n').Select(item => item.Index + 1).ToList();
        var cut = ends[^3]; // before the pair's end and the session's

        using var session = AtTheBorder(new(), within: 1);
        var contents = JournalReader.Read(journal.AsMemory(0, cut));
        session.Journal.Write(journal.AsSpan(0, cut));
        using (var writer = new JournalWriter(session.Journal, () => { }, contents.NextSeq))
        {
            await session.RunAsync(writer, contents.Samples, CancellationToken.None);
        }

        session.Launcher.Launched.ShouldBeEmpty();
        session.Read().Ends.ShouldHaveSingleItem().Why.ShouldBe(EndReason.OutOfMinutes);
    }

    [Theory]
    [InlineData(86400)]
    [InlineData(-86400)]
    public async Task a_clock_that_is_set_neither_ends_a_session_nor_keeps_it_going(int seconds)
    {
        var clock = new SteppedClock();
        using var session = AtTheBorder(clock, within: 1);
        var script = session.Launcher.Script;
        session.Launcher.Script = (number, launch) =>
        {
            clock.Jump(number == 9 ? seconds : 0);
            return script(number, launch);
        };
        await session.RunAsync();
        clock.Seconds.ShouldBeInRange(50, 60);
        session.Launcher.Launched.Count.ShouldBeInRange(25, 30);
    }

    [Fact]
    public async Task the_time_left_is_that_of_the_minutes()
    {
        var clock = new SteppedClock();
        using var session = AtTheBorder(clock, within: 1);
        List<SessionProgress> seen = [];
        session.Progress = new Seen(seen);
        await session.RunAsync();
        seen.ShouldAllBe(progress => progress.IsAtMost);
        seen[0].SecondsLeft.ShouldBe(58);
        seen[^1].SecondsLeft!.Value.ShouldBeInRange(0, 10);
        seen[^1].Doing.ShouldContain("confirm round");
    }

    private sealed class Seen(List<SessionProgress> seen) : IProgress<SessionProgress>
    {
        public void Report(SessionProgress value) => seen.Add(value);
    }

    /// <summary>Time passes when a launch takes it; the time of day may be set.</summary>
    private sealed class SteppedClock : TimeProvider
    {
        private TimeSpan _since;
        private TimeSpan _set;

        public double Seconds => _since.TotalSeconds;

        /// <summary>Launches so far: the noise of each is drawn by its number.</summary>
        public int Drawn { get; set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _since.Ticks;

        public override DateTimeOffset GetUtcNow() => new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero) + _since + _set;

        public void Advance(int seconds) => _since += TimeSpan.FromSeconds(seconds);

        public void Jump(int seconds) => _set += TimeSpan.FromSeconds(seconds);
    }
}
