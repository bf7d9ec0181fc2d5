using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Trends;
using PerfLab.History;

namespace PerfLab.Runner.Tests.History;

/// <summary>
/// An experiment whose two commits don't differ in what the series runs is not measured. It proves that no program changed: the change
/// is the machine's, and the same experiment is not asked for every week.
/// </summary>
public sealed class NothingDiffersTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("perf-lab-").FullName;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void a_change_between_commits_that_run_the_same_is_the_machines(bool isSameBuild)
    {
        using var store = HistoryStore.Open(new HistoryPlace(Path.Combine(_folder, "history.db")));
        HistoryTests.TrendSessions(store, 16, step: 10);
        var due = HistoryTests.Look(store).Changes.ShouldHaveSingleItem();
        HistoryTests.Keep(store, Experiment(due, isSameBuild));

        var decided = HistoryTests.Look(store).Changes.ShouldHaveSingleItem();

        (decided.Id, decided.Status, decided.Confirm).ShouldBe((due.Id, ChangeStatus.Environment, null));
        decided.Experiment.ShouldNotBeNull().NothingDiffers.ShouldBeTrue();
        TrendText.Of(store.State()!).ShouldContain("experiment nothing: not measured, nothing that it runs differs between the two");
    }

    [Fact]
    public void a_strangers_word_for_it_is_believed_only_where_the_session_says_so()
    {
        using var store = HistoryStore.Open(new HistoryPlace(Path.Combine(_folder, "history.db")));
        HistoryTests.TrendSessions(store, 16, step: 10);
        var due = HistoryTests.Look(store).Changes.ShouldHaveSingleItem();
        var claimed = HistoryTests.Look(store) with
        {
            Changes = [due with { Status = ChangeStatus.Environment, Confirm = null, Experiment = new("nothing", 0, null, null, null, 0, Core.Statistics.Stages.Verdict.Untouched) }],
        };

        Checked(store, claimed).Experiment.ShouldBeNull();
        HistoryTests.Keep(store, Experiment(due, isSameBuild: false));
        Checked(store, claimed).Experiment.ShouldNotBeNull().NothingDiffers.ShouldBeTrue();
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static TrendChange Checked(HistoryStore store, TrendState claimed) => new TrendCheck(store, SeriesName.Read).Of(claimed, []).Changes.ShouldHaveSingleItem();

    private static byte[] Experiment(TrendChange change, bool isSameBuild)
    {
        var header = JournalReader.Read(Journals.Of("nothing", day: 30, arms: [("base", change.Before.Commit), ("head", change.After.Commit)])).Samples!.Header;
        var cell = header.Cells[0];
        List<JournalRecord> records = isSameBuild
            ? [header with { Cells = [cell with { Arms = [.. cell.Arms.Select(arm => arm with { Build = "sha256:same" })] }] }]
            : [header, new BuildDifference("sha256:difference", 1, ["Writer.Flush"], []),
                new TouchedPair(cell.Id, "head", "sha256:difference", Untouched: true, "the changed method does not run in it")];
        return [.. records.Append(new SessionEnd("complete")).SelectMany((record, seq) => JournalLine.Of(seq, record))];
    }
}
