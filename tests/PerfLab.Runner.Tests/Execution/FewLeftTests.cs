using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Runner.Afterwards;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>A plan of eight rows has a screen; where the choice of rows leaves few, they are measured as a plan of few would be.</summary>
public class FewLeftTests
{
    private const int Cells = 8;

    /// <param name="left">Rows that the change can touch.</param>
    /// <param name="asked">Rounds that somebody typed.</param>
    private static SessionFixture Session(int left, string? asked = null, double within = 0)
    {
        var session = new SessionFixture((6, 13), Cells, within: within)
        {
            Untouched = [.. Enumerable.Range(left + 1, Cells - left).Select(number => $"c{number:D3}")],
        };
        session.Plan = session.Plan with
        {
            OnlyTouched = true,
            Request = new AskedRequest
            {
                Targets = ["script"],
                Arms = [],
                Set = new Dictionary<string, IReadOnlyList<string>>(),
                Rounds = asked,
            },
        };
        session.Launcher.Script = (_, launch) => new FakeEnd(100 * (1 + SessionFixture.Slower(launch)));
        return session;
    }

    private static int Launches(SampleSet samples, Stage stage) => samples.Launches.Count(launch => launch.Stage == stage);

    [Fact]
    public async Task few_have_no_screen_and_are_judged_by_their_confirm_rounds()
    {
        using var session = Session(left: Policy.FewPairs);
        var samples = await session.RunAsync();
        (Launches(samples, Stage.Screen), Launches(samples, Stage.Confirm)).ShouldBe((0, Policy.FewPairs * 2 * 13));
        var rows = session.Compare().Cells.Where(row => row.Rounds > 0).ToList();
        rows.Count.ShouldBe(Policy.FewPairs);
        // Both directions: no screen had said in which to test.
        rows.ShouldAllBe(row => row.Verdict == Verdict.Regressed && row.Rounds == 13 && row.PValue == 2 * Math.Pow(0.5, 13));
        JournalFlaws.OfRounds(session.Plan, samples).Concat(JournalFlaws.OfTime(session.Plan, samples)).ShouldBeEmpty();
    }

    [Fact]
    public async Task more_than_few_have_one()
    {
        using var session = Session(left: Policy.FewPairs + 1);
        Launches(await session.RunAsync(), Stage.Screen).ShouldBe((Policy.FewPairs + 1) * 2 * 6);
    }

    [Fact]
    public async Task what_does_not_build_or_is_the_same_is_not_left()
    {
        using var session = Session(left: Policy.FewPairs + 2);
        session.Builds[("c001", "head")] = new(null, null, "it does not compile");
        session.Plan = session.Plan with
        {
            Cells = [.. session.Plan.Cells.Select(cell => cell.Id != "c002" ? cell
                : cell with { Arms = [cell.Arms[0], cell.Arms[1] with { Dimensions = cell.Arms[0].Dimensions }] })],
        };
        session.Builds[("c002", "head")] = session.Builds[("c002", "base")];
        var samples = await session.RunAsync();
        samples.Launches.ShouldAllBe(launch => launch.Stage == Stage.Confirm || launch.Outcome == Outcome.Refused);
        Launches(samples, Stage.Confirm).ShouldBeGreaterThanOrEqualTo(Policy.FewPairs * 2 * 13);
    }

    [Fact]
    public async Task rounds_that_somebody_asked_for_are_measured()
    {
        using var session = Session(left: 1, asked: "6+13");
        var samples = await session.RunAsync();
        (Launches(samples, Stage.Screen), Launches(samples, Stage.Confirm)).ShouldBe((2 * 6, 2 * 13));
    }

    [Fact]
    public async Task a_row_with_minutes_is_not_given_up_after_a_screen()
    {
        Nightly.Only("10 seconds");
        using var session = Session(left: 1, within: 5);
        session.Launcher.Script = (number, launch) =>
            new FakeEnd(100 * (1 + SessionFixture.Slower(launch)) * Math.Exp(0.2 * SeededRandom.For(7, $"launch {number}").NextNormal()));
        var samples = await session.RunAsync();
        Launches(samples, Stage.Screen).ShouldBe(0);
        Launches(samples, Stage.Confirm).ShouldBeGreaterThan(2 * 13);
    }

    [Theory]
    [InlineData(null)]
    [NightlyData("6+13")]
    public async Task a_session_that_is_cut_goes_on_as_it_began(string? asked)
    {
        using var whole = Session(left: 2, asked);
        var stages = (await whole.RunAsync()).Launches.Select(launch => launch.Stage).Distinct().ToList();
        var expected = whole.Compare().Cells.Select(row => (row.Verdict, row.Rounds, row.PValue)).ToList();
        var journal = whole.Journal.ToArray();
        var ends = journal.Index().Where(item => item.Item == '\n').Select(item => item.Index + 1).ToList();
        // The header, the difference and what was looked at; the first launch; some further on.
        foreach (var records in new[] { Cells, Cells + 1, Cells + 5, ends.Count - 1 })
        {
            // The one who goes on with a session of before there was this rule has its plan, and a journal with a screen.
            using var session = Session(left: 2, records == Cells ? asked : null);
            var contents = JournalReader.Read(journal.AsMemory(0, ends[records - 1]));
            session.Journal.Write(journal.AsSpan(0, ends[records - 1]));
            using var writer = new JournalWriter(session.Journal, () => { }, contents.NextSeq);
            await session.RunAsync(writer, contents.Samples, CancellationToken.None);
            session.Read().Launches.Select(launch => launch.Stage).Distinct().ShouldBe(stages, $"after {records} records");
            session.Compare().Cells.Select(row => (row.Verdict, row.Rounds, row.PValue)).ShouldBe(expected, $"after {records} records");
        }
    }
}
