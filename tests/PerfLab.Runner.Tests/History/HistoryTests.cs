using PerfLab.Core.Model;
using PerfLab.Core.Trends;
using PerfLab.History;

namespace PerfLab.Runner.Tests.History;

/// <summary>What holds for a history whatever keeps it: the same tests against both databases.</summary>
public abstract class HistoryTests : IDisposable
{
    protected string Folder { get; } = Directory.CreateTempSubdirectory("history-").FullName;

    /// <summary>An empty history; the same each time in one test.</summary>
    protected abstract HistoryPlace Place { get; }

    public void Dispose()
    {
        Directory.Delete(Folder, recursive: true);
        GC.SuppressFinalize(this);
    }

    protected HistoryStore Open() => HistoryStore.Open(Place);

    internal static KeepOutcome Keep(HistoryStore store, byte[] journal) => store.Keep(KeptSession.Read(journal, "a journal"), () => journal);

    [Fact]
    public void a_session_is_kept_once_and_its_journal_comes_back_byte_for_byte()
    {
        var journal = Journals.Of("s1", slower: 0.05);
        using var store = Open();
        Keep(store, journal).ShouldBe(KeepOutcome.Added);
        Keep(store, journal).ShouldBe(KeepOutcome.AlreadyThere);

        store.Journal("s1", Journals.Start).ShouldBe(journal);
        store.Journal("s2", Journals.Start).ShouldBeNull();
        var line = store.List().ShouldHaveSingleItem();
        (line.Id, line.Started, line.Kind, line.Cpu, line.Complete, line.Cells, line.Launches, line.IsFlagged)
            .ShouldBe(("s1", Journals.Start, SessionKind.Comparison, "cpu", true, 1, 40, true));
    }

    [Fact]
    public void what_was_kept_is_there_when_it_is_opened_again()
    {
        using (var store = Open())
        {
            Keep(store, Journals.Of("s1"));
        }

        using var again = Open();
        again.List().ShouldHaveSingleItem();
        Keep(again, Journals.Of("s1")).ShouldBe(KeepOutcome.AlreadyThere);
    }

    [Fact]
    public void a_session_that_was_resumed_takes_the_place_of_its_beginning_and_never_the_other_way_round()
    {
        var (cut, whole) = (Journals.Of("s1", isComplete: false), Journals.Of("s1"));
        using var store = Open();
        Keep(store, cut).ShouldBe(KeepOutcome.Added);
        Keep(store, whole).ShouldBe(KeepOutcome.Replaced);
        Keep(store, cut).ShouldBe(KeepOutcome.AlreadyThere);
        store.Journal("s1", Journals.Start).ShouldBe(whole);
    }

    [Fact]
    public void another_session_of_the_same_id_is_refused_and_the_kept_one_stays()
    {
        var first = Journals.Of("s1");
        using var store = Open();
        Keep(store, first);
        Should.Throw<LabException>(() => Keep(store, Journals.Of("s1", slower: 0.2))).CameBack.ShouldContain("another journal under the same id and start");
        store.Journal("s1", Journals.Start).ShouldBe(first);
    }

    [Fact]
    public void a_folder_that_was_named_twice_holds_two_sessions()
    {
        using var store = Open();
        Keep(store, Journals.Trend("session", "aaaaaaa", 0, 0));
        Keep(store, Journals.Trend("session", "bbbbbbb", 0, 1)).ShouldBe(KeepOutcome.Added);
        store.List().Count.ShouldBe(2);
        store.TrendSeries().ShouldHaveSingleItem().Points.Select(point => point.Session).ShouldBe(["session (20260301-120000)", "session (20260302-120000)"]);
        Look(store).Sessions.ShouldBe(2);
    }

    [Fact]
    public void sessions_are_listed_by_their_clocks_even_when_one_went_backwards()
    {
        using var store = Open();
        Keep(store, Journals.Of("late", day: 5));
        Keep(store, Journals.Of("early", day: -5));
        Keep(store, Journals.Of("same-b"));
        Keep(store, Journals.Of("same-a"));
        store.List().Select(line => line.Id).ShouldBe(["early", "same-a", "same-b", "late"]);
    }

    [Fact]
    public void a_series_is_searched_in_the_order_of_its_clocks_whichever_way_its_sessions_came_in()
    {
        using var store = Open();
        foreach (var day in Enumerable.Range(0, 30).Reverse().Where(day => day != 10))
        {
            Keep(store, Journals.Trend($"s{day:00}", $"{day:x7}", day < 20 ? 0 : 0.05, day));
        }

        Keep(store, Journals.Trend("s20-at-the-same-time", "0000014", 0.05, 20));
        var points = store.TrendSeries().ShouldHaveSingleItem().Points;
        points.Select(point => point.Session).ShouldBe(points.Select(point => point.Session).Order(StringComparer.Ordinal));
        points.Count.ShouldBe(30);
        var change = Look(store).Changes.ShouldHaveSingleItem();
        (change.Before.Session, change.After.Session).ShouldBe(("s18", "s20-at-the-same-time"));
    }

    [Theory]
    [InlineData("'; DROP TABLE sessions; --")]
    [InlineData("<img src=x onerror=alert(1)>")]
    [InlineData("../../etc/passwd")]
    [InlineData("| a | b |")]
    [InlineData("@name %s {0} $1")]
    [InlineData("ünïcödé 日本 🚀")]
    [InlineData("nul\0inside")]
    public void names_of_any_characters_are_kept_as_names(string name)
    {
        using var store = Open();
        Keep(store, Journals.Trend("s1", name, 0, 0, workload: name, cpu: name)).ShouldBe(KeepOutcome.Added);
        store.List().ShouldHaveSingleItem();
        var series = store.TrendSeries().ShouldHaveSingleItem();
        series.Name.Workload.ShouldBe(name);
        series.Points.ShouldHaveSingleItem().Commit.ShouldBe(name.Replace('\0', '\uFFFD'));
        store.Experiments()(series.Name.Hash, name, name).ShouldBeNull();
    }

    [Theory]
    [InlineData("")]
    [InlineData("a\u202eb")]
    [InlineData("a\nb")]
    [InlineData("a\0b")]
    public void an_id_that_nobody_could_look_at_is_refused(string id)
    {
        using var store = Open();
        Should.Throw<LabException>(() => Keep(store, Journals.Of(id))).CameBack.ShouldContain("session id");
        Should.Throw<LabException>(() => Keep(store, Journals.Of(new string('x', 201)))).CameBack.ShouldContain("longer than 200");
        store.List().ShouldBeEmpty();
    }

    [Fact]
    public void the_false_flag_rate_counts_aa_sessions_and_nothing_else()
    {
        using var store = Open();
        store.FalseFlags().ShouldBeNull();
        Keep(store, Journals.Of("changed", slower: 0.2));
        store.FalseFlags().ShouldBeNull();
        for (var run = 0; run < 9; run++)
        {
            Keep(store, Journals.Aa($"aa{run}", day: run));
        }

        Keep(store, Journals.Aa("aa-flagged", slower: 0.1, day: 9));
        var rate = store.FalseFlags()!;
        (rate.Flagged, rate.Runs).ShouldBe((1, 10));
        rate.Low.ShouldBe(0.002528579, 5e-9, "binom.test(1, 10)");
        rate.High.ShouldBe(0.4450161, 5e-7);
    }

    [Fact]
    public void twenty_aa_runs_of_a_cell_are_its_margin_and_nineteen_are_none()
    {
        var cell = Core.Journal.JournalReader.Read(Journals.Of("s1")).Samples!.Header;
        using var store = Open();
        for (var run = 0; run < 19; run++)
        {
            Keep(store, Journals.Aa($"aa{run}", slower: 0.001 * run, day: run));
        }

        store.Margins(cell).ShouldBeEmpty();
        Keep(store, Journals.Aa("aa19", slower: -0.03, day: 19));
        var margin = store.Margins(cell).ShouldHaveSingleItem();
        (margin.Key, margin.Value.Runs).ShouldBe(("c001", 20));
        margin.Value.Fraction.ShouldBe(Math.Exp(0.03) - 1, 0.004, "the largest of twenty, with the noise of the journal");
        var elsewhere = Core.Journal.JournalReader.Read(Journals.Of("s2", cpu: "another")).Samples!.Header;
        store.Margins(elsewhere).ShouldBeEmpty();
    }

    [Fact]
    public void builds_that_differ_in_layout_only_have_a_rate_of_their_own_and_count_for_the_margin()
    {
        var cell = Core.Journal.JournalReader.Read(Journals.Of("s1")).Samples!.Header;
        using var store = Open();
        for (var run = 0; run < 10; run++)
        {
            Keep(store, Journals.Aa($"aa{run}", day: run));
            Keep(store, Journals.Layout($"layout{run}", slower: run == 9 ? 0.04 : 0, day: run));
        }

        (store.FalseFlags()!.Flagged, store.FalseFlags()!.Runs).ShouldBe((0, 10));
        var layouts = store.FalseFlags(SessionKind.Layout)!;
        (layouts.Flagged, layouts.Runs).ShouldBe((1, 10));
        var margin = store.Margins(cell).ShouldHaveSingleItem().Value;
        margin.Runs.ShouldBe(20);
        margin.Fraction.ShouldBe(Math.Exp(0.04) - 1, 0.004);
        store.List().Count(line => line.Kind == SessionKind.Layout).ShouldBe(10);
    }

    [Fact]
    public void pruning_keeps_the_newest_and_leaves_nothing_of_the_others()
    {
        using var store = Open();
        for (var day = 0; day < 10; day++)
        {
            Keep(store, Journals.Of($"s{day}", day: day, workload: $"w{day / 5}"));
        }

        store.PruneTo(4).ShouldBe(6);
        store.List().Select(line => line.Id).ShouldBe(["s6", "s7", "s8", "s9"]);
        store.PruneBefore(Journals.Start.AddDays(8)).ShouldBe(2);
        store.List().Select(line => line.Id).ShouldBe(["s8", "s9"]);
        string[] tables = ["points", "journals", "sessions"];
        tables.Select(table => store.Database.Number($"SELECT count(*) FROM {table}")).ShouldBe([2, 2, 2]);
        store.Database.Number("SELECT count(*) FROM series").ShouldBe(1, "w0 has no points any more");
        Keep(store, Journals.Of("s0", workload: "w0")).ShouldBe(KeepOutcome.Added);
    }

    [Fact]
    public void two_imports_at_once_both_finish_and_nothing_is_there_twice()
    {
        var journals = Enumerable.Range(0, 12).Select(day => Journals.Of($"s{day}", day: day)).ToList();
        using (Open())
        {
            // The tables are made before both begin.
        }

        var outcomes = new int[2];
        Parallel.For(0, 2, writer =>
        {
            using var store = Open();
            outcomes[writer] = journals.Count(journal => Keep(store, journal) == KeepOutcome.Added);
        });
        outcomes.Sum().ShouldBe(12);
        using var after = Open();
        after.List().Count.ShouldBe(12);
    }

    [Fact]
    public void a_history_of_an_older_version_is_brought_up_to_date_and_of_a_newer_one_is_left_alone()
    {
        using (var old = HistoryStore.Open(Place, version: 1))
        {
            Keep(old, Journals.Of("s1"));
            old.Database.Number(old.Database.CountTables, ("name", "documents")).ShouldBe(0);
        }

        using (var now = Open())
        {
            now.List().ShouldHaveSingleItem();
            now.State().ShouldBeNull();
            now.Database.Run("INSERT INTO perf_lab_migrations (version) VALUES (99)");
        }

        var refused = Should.Throw<LabException>(Open);
        refused.CameBack.ShouldContain("it is of version 99");
        refused.DoNext.ShouldContain("newer perf-lab");
    }

    [Fact]
    public void a_write_that_breaks_in_the_middle_keeps_nothing_and_the_second_run_finishes()
    {
        using var store = Open();
        Keep(store, Journals.Of("s0"));
        store.Database.Run("DROP TABLE points");
        Should.Throw<HistoryException>(() => Keep(store, Journals.Of("s1", workload: "other")));
        store.Database.Number("SELECT count(*) FROM sessions").ShouldBe(1);
        store.Database.Number("SELECT count(*) FROM series").ShouldBe(1);
        store.Database.Run("DELETE FROM perf_lab_migrations");
        string[] tables = ["journals", "sessions", "machines", "series", "documents"];
        foreach (var table in tables)
        {
            store.Database.Run($"DROP TABLE {table}");
        }

        using var again = Open();
        Keep(again, Journals.Of("s1", workload: "other")).ShouldBe(KeepOutcome.Added);
    }

    [Fact]
    public void the_values_of_every_counted_launch_are_found_by_series()
    {
        using var store = Open();
        Keep(store, Journals.Of("s1", slower: 0.05));
        var packed = (byte[])store.Database.One("SELECT launch_values FROM points")!;
        var (reference, arm) = PointRow.Unpack(packed);
        (reference.Length, arm.Length).ShouldBe((20, 20));
        reference[0].ShouldBe(Math.Exp(-0.005), 1e-15);
        arm[1].ShouldBe(Math.Exp(0.001 * (((7 + 3) % 11) - 5) + 0.05), 1e-15);
    }

    [Fact]
    public void a_look_at_the_trend_is_kept_and_repeating_it_changes_nothing()
    {
        using var store = Open();
        TrendSessions(store, 16, step: 10);
        var first = Look(store);
        first.Changes.ShouldHaveSingleItem().Status.ShouldBe(ChangeStatus.Due);
        TrendState.File.Write(Look(store)).ShouldBe(TrendState.File.Write(first));
        store.Forget();
        store.State().ShouldBeNull();
    }

    [Fact]
    public void a_regression_that_is_accepted_has_its_reason_in_every_later_report_of_the_same_commits()
    {
        using var store = Open();
        var samples = Core.Journal.JournalReader.Read(Journals.Of("s1", slower: 0.05)).Samples!;
        var comparison = Core.Statistics.Rows.Comparer.Compare(samples, new(new Policy(), "defaults"));
        Keep(store, Journals.Of("s1", slower: 0.05));
        Keep(store, Journals.Of("faster", slower: -0.05, day: 1));
        Should.Throw<LabException>(() => store.Accept("nowhere", "why", Journals.Start)).CameBack.ShouldContain("knows no such change");
        Should.Throw<LabException>(() => store.Accept("faster", "why", Journals.Start));

        store.Accept("s1", "checks the signature; '); DROP TABLE sessions; --", Journals.Start).ShouldBe(1);
        store.Accept("s1", "again", Journals.Start).ShouldBe(1);
        store.Accepted().Changes.ShouldHaveSingleItem().Because.ShouldStartWith("checks");
        var row = store.WithAccepted(samples.Header, comparison).Cells.Single(row => row.Primary);
        row.Verdict.ShouldBe(Core.Statistics.Stages.Verdict.Regressed);
        row.Accepted.ShouldNotBeNull();
        row.Warnings[^1].ShouldStartWith("known, and accepted on 2026-03-01: checks the signature");
        var other = Core.Journal.JournalReader.Read(Journals.Of("s2", slower: 0.05, arms: [("base", "aaaaaaa"), ("head", "ccccccc")])).Samples!;
        store.WithAccepted(other.Header, Core.Statistics.Rows.Comparer.Compare(other, new(new Policy(), "defaults"))).Cells
            .ShouldAllBe(cell => cell.Accepted == null, "another commit");

        store.Unaccept("s1").ShouldBe(1);
        store.Unaccept("s1").ShouldBe(0);
        store.WithAccepted(samples.Header, comparison).Cells.ShouldAllBe(cell => cell.Accepted == null);
    }

    [Fact]
    public void what_was_accepted_goes_with_a_bundle_and_a_strangers_is_added_to_ours()
    {
        var bundle = Path.Combine(Folder, "bundle");
        using var store = Open();
        Keep(store, Journals.Of("s1", slower: 0.05));
        store.Accept("s1", "ours", Journals.Start);
        Bundle.Export(store, bundle);
        store.Unaccept("s1");
        Import.Run(store, [bundle], CancellationToken.None).Problems.ShouldBeEmpty();
        store.Accepted().Changes.ShouldHaveSingleItem().Because.ShouldBe("ours");
        File.WriteAllText(Path.Combine(bundle, "accepted.json"), """{"schema":"perf-lab/accepted/1","changes":[{"id":"x","series":"1"}]}""");
        Import.Run(store, [bundle], CancellationToken.None).Problems.ShouldNotBeEmpty();
        store.Accepted().Changes.ShouldHaveSingleItem();
    }

    [Fact]
    public void an_experiment_in_the_history_confirms_a_change()
    {
        using var store = Open();
        TrendSessions(store, 16, step: 10);
        var due = Look(store).Changes.ShouldHaveSingleItem();
        due.Confirm.ShouldBe("./perf-lab run some-workload --base source=0000008 --head source=000000b --set runtime=net10.0 --rounds 0+28");
        Keep(store, Journals.Of("experiment", slower: 0.05, day: 30, arms: [("base", due.Before.Commit), ("head", due.After.Commit)]));
        var confirmed = Look(store).Changes.ShouldHaveSingleItem();
        (confirmed.Status, confirmed.Id, confirmed.Experiment!.Session, confirmed.Confirm).ShouldBe((ChangeStatus.Confirmed, due.Id, "experiment", null));
    }

    internal static TrendState Look(HistoryStore store)
    {
        var state = TrendLook.Look(store.TrendSeries(), store.State(), store.Experiments());
        store.Keep(state);
        return state;
    }

    /// <summary>A session a day; from <paramref name="step"/> on 5 % slower.</summary>
    internal static void TrendSessions(HistoryStore store, int count, int step)
    {
        for (var day = 0; day < count; day++)
        {
            Keep(store, Journals.Trend($"t{day:00}", $"{day:x7}", (0.0001 * (day * 7 % 5)) + (day >= step ? 0.05 : 0), day));
        }
    }
}
