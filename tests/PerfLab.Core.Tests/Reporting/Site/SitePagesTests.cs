using System.Globalization;
using System.Text.RegularExpressions;
using PerfLab.Core.Model;
using PerfLab.Core.Reporting.Site;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Reporting.Site;

/// <summary>Pages of a made-up history, as text; links and a real history are tested with the command.</summary>
public sealed class SitePagesTests
{
    private static readonly DateTimeOffset Start = new(2026, 1, 5, 3, 0, 0, TimeSpan.Zero);

    [Fact]
    public void a_page_of_a_series_tells_its_own_change_and_not_that_of_another_in_the_same_change()
    {
        var (one, other) = (Series("one"), Series("other"));
        var change = Change(ChangeStatus.Confirmed, (one, 0.25), (other, -0.03)) with { Experiment = Measured(one) };
        var files = Files(change, one, other);
        Page(files, one).ShouldContain("25.0 % slower, between");
        Page(files, one).ShouldContain("; the experiment measured +25.0 % [+24.0, +26.0] in 28 rounds.");
        Page(files, other).ShouldContain("3.0 % faster, between");
        Page(files, other).ShouldContain("in 28 rounds in another series of the change.");
        Page(files, other).ShouldNotContain("25.0 % slower");
        files["index.html"].ShouldContain("25.0 % slower");
    }

    [Fact]
    public void a_slowdown_that_people_keep_is_not_open_and_says_why()
    {
        var series = Series("one");
        var change = Change(ChangeStatus.Confirmed, (series, 0.25)) with { Experiment = Measured(series) };
        var called = Files(change, series);
        called["index.html"].ShouldContain("1 confirmed slowdown is open");
        called["index.html"].ShouldContain("class=\"regressed\" data-v=\"0.25\">25.0 % slower");
        var kept = Files(change with { Accepted = "checks the <b>signature</b>" }, series);
        kept["index.html"].ShouldContain("No confirmed slowdown is open");
        kept["index.html"].ShouldContain(">confirmed, accepted<");
        kept["index.html"].ShouldContain("accepted: people know of it and keep it.");
        kept["index.html"].ShouldContain("class=\"word\" data-v=\"0.25\">25.0 % slower");
        Page(kept, series).ShouldContain("<q><bdi>checks the &lt;b&gt;signature&lt;/b&gt;</bdi></q>");
    }

    [Fact]
    public void every_state_of_a_change_is_explained_and_one_that_is_due_has_its_command()
    {
        var series = Series("one");
        foreach (var status in Enum.GetValues<ChangeStatus>())
        {
            var files = Files(Change(status, (series, 0.1)) with { Confirm = "./perf-lab run made --base source=a --head source=b" }, series);
            var word = Core.Files.Words.Of(status);
            files["index.html"].ShouldMatch($"<p class=\"dim\">{word}: [a-z]");
            files["index.html"].ShouldContain(status == ChangeStatus.Confirmed ? "1 confirmed slowdown is open" : "No confirmed slowdown is open");
            Page(files, series).Contains("<pre class=\"command\" tabindex=\"0\">./perf-lab run made").ShouldBe(status == ChangeStatus.Due);
        }
    }

    [Fact]
    public void the_overview_says_where_each_workload_is_now()
    {
        var files = Files(null, Series("one"), Series("two", change: index => index < 9 ? 0.02 : Math.Log(1.5)));
        Regex.Matches(files["index.html"], "data-v=\"0\\.[0-9]+\">([^<]+)</td>").Select(cell => cell.Groups[1].Value).ShouldBe(["+1.0 %", "+50.0 %"]);
        Regex.Count(files["index.html"], "<svg ").ShouldBe(2);
        Files(null, Series("one", points: 1))["index.html"].ShouldContain("one session");
        Files(null, Series("one", kind: "comparison"))["index.html"].ShouldContain("no trend");
    }

    [Fact]
    public void points_tell_a_pointer_what_they_are_and_marks_beyond_the_line_are_not_drawn()
    {
        var series = Series("one");
        var page = Page(Files(Change(ChangeStatus.Watched, (series, 0.1)), series), series);
        page.ShouldContain("<title>2026-01-07 03:00, c00000000002: +1.0 % [0.0, +2.0]</title>");
        page.ShouldContain("<title>2026-01-07 03:00, c00000000002: 1.000 s</title>");
        page.ShouldContain("<title>0000000: 2.000 s</title>");
        page.ShouldContain("Change against the anchor, and its interval; up is slower");
        Regex.Count(page, "class=\"event\"").ShouldBe(2);
        var steps = new[] { -3, 4, 30 }.Select(day => new HostStep("made", "cpu", Place(day - 1), Place(day), 1, 0.1)).ToList();
        Regex.Count(Page(Files(null, steps, series), series), "class=\"event\"").ShouldBe(2, "one of three, in both pictures");
        Page(Files(null, Series("one", kind: "comparison")), Series("one", kind: "comparison")).ShouldContain("Change against what each session compared it with");
    }

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(null)]
    [InlineData(1000.0)]
    public void figures_that_are_none_are_a_dash_and_break_no_picture(double? change)
    {
        var series = Series("one", change: _ => change, value: change);
        var page = Page(Files(null, series), series);
        page.ShouldNotContain("NaN");
        page.ShouldNotContain("∞");
        page.ShouldContain("<td class=\"figure\" data-v");
        Files(null, series)[$"data/{series.Hash[..2]}/{series.Hash[..16]}.js"].ShouldNotContain("NaN");
    }

    [Fact]
    public void the_data_of_a_series_has_its_values_for_the_command_and_can_end_no_script()
    {
        var series = Series(SamplePairs.Hostile);
        var data = Files(null, series)[$"data/{series.Hash[..2]}/{series.Hash[..16]}.js"];
        data.ShouldContain("\"values\":{\"documents\":");
        data.ShouldNotContain("<");
        data.ShouldNotContain("\u202E");
    }

    [Fact]
    public void a_large_session_shows_what_moved_first_and_says_how_many_it_shows()
    {
        var many = Enumerable.Range(0, 400).Select(index => Series($"n{index:000}", points: 1, verdict: index == 399 ? "regressed" : "unchanged")).ToArray();
        var files = Files(null, many);
        var page = files.Single(file => file.Key.StartsWith("session/", StringComparison.Ordinal)).Value;
        Regex.Count(page, "<tr>").ShouldBe(1 + 151);
        page.ShouldContain("151 rows, what moved first");
        page.IndexOf("n399", StringComparison.Ordinal).ShouldBeLessThan(page.IndexOf("n000", StringComparison.Ordinal));
        files.Count(file => file.Key.StartsWith("workload/", StringComparison.Ordinal)).ShouldBe(2, "300 on a page");
    }

    [Fact]
    public void series_in_lists_are_named_by_what_tells_them_apart_and_in_the_last_resort_by_where_they_ran()
    {
        var (one, two) = (Named("one", "process"), Named("two", "process"));
        var files = Files(null, one, two);
        Names(files).ShouldBe(["net10.0, documents one", "net10.0, documents two"]);
        files["data/series.js"].ShouldContain("\"net10.0, documents one\"");
        // The page of a series keeps the whole name.
        Page(files, one).ShouldContain("net10.0, documents one, gc workstation");
        Names(Files(null, one, Named("one", "docker"))).ShouldBe(["net10.0; docker", "net10.0; process"], ignoreOrder: true);
        Names(Files(null, one)).ShouldBe(["net10.0"]);

        static SiteSeries Named(string documents, string executor)
        {
            var made = Series("one");
            var name = made.Name with { Executor = executor, Values = new Dictionary<string, string> { ["documents"] = documents, ["runtime"] = "net10.0", ["gc"] = "workstation" } };
            return made with { Name = name, Hash = name.Hash };
        }

        static IEnumerable<string> Names(Dictionary<string, string> files) => Regex.Matches(files.Single(file => file.Key.StartsWith("workload/", StringComparison.Ordinal)).Value, "<a href=\"\\.\\./series/[^>]*><bdi>([^<]*)")
            .Select(link => link.Groups[1].Value);
    }

    [Fact]
    public void the_overview_has_the_newest_sessions()
    {
        var page = Files(null, Series("one"))["index.html"];
        Regex.Count(page, "<a href=\"session/").ShouldBe(8, "of ten");
        page.ShouldContain(">2026-01-14 03:00<");
        page.ShouldNotContain(">2026-01-06 03:00<");
    }

    [Fact]
    public void the_ledgers_say_what_the_lab_got_wrong_and_what_it_cost()
    {
        var (one, other) = (Series("one"), Series("other"));
        var history = History(null, [], one) with
        {
            Machines = [new("made", "EPYC", [("cpu.model", "EPYC")], 0.19), new("bare", "Xeon", [], null)],
            FalseFlags = Core.Statistics.Rows.FalseFlags.Of(1, 40),
            AaSpreads = [new(one.Name, 20, 0.01), new(other.Name, 20, 0.05)],
        };
        history = history with { Sessions = [.. history.Sessions.Select((session, index) => session with { Kind = index < 4 ? SiteSession.Aa : session.Kind, IsFlagged = index == 3, Seconds = index == 9 ? null : 7200 })] };
        var files = new SiteMaker(history, new(null)).Files([one], []).ToDictionary(file => file.Path, file => file.Content);
        var aa = files["aa.html"];
        aa.ShouldContain("1 of 40 A/A runs were flagged (true rate between 0.");
        aa.ShouldContain("The newest 4 of 4 A/A runs");
        Regex.Count(aa, "<td class=\"regressed\">yes</td>").ShouldBe(1);
        aa.IndexOf("documents other", StringComparison.Ordinal).ShouldBeLessThan(aa.IndexOf("documents one", StringComparison.Ordinal), "the widest first");
        // Nine sessions of two hours, and one whose journal says nothing.
        files["machines.html"].ShouldContain("data-v=\"18\">18.0</td>");
        files["machines.html"].ShouldContain("data-v=\"3.42\">3.42</td>");
        files["machines.html"].ShouldContain("not listed");
        files["machines.html"].ShouldContain("1 session has no journal that says how long it took; it counts as 0 hours.");
        files["index.html"].ShouldNotContain("https://");
    }

    private static string Page(Dictionary<string, string> files, SiteSeries series) => files[$"series/{series.Hash[..2]}/{series.Hash[..16]}.html"];

    private static Dictionary<string, string> Files(TrendChange? change, params SiteSeries[] series) => Files(change, [], series);

    private static Dictionary<string, string> Files(TrendChange? change, IReadOnlyList<HostStep> steps, params SiteSeries[] series) =>
        new SiteMaker(History(change, steps, series), new("https://example.org/a/b")).Files(series, []).ToDictionary(file => file.Path, file => file.Content);

    private static SiteHistory History(TrendChange? change, IReadOnlyList<HostStep> steps, params SiteSeries[] series) => new()
    {
        Sessions = [.. Enumerable.Range(0, series.Max(one => one.Points.Count)).Select(index => new SiteSession($"s{index:00}", Convert.ToHexStringLower(
            System.Security.Cryptography.SHA256.HashData([(byte)index])), Start.AddDays(index), series[0].Points[0].Verdict == "of a comparison" ? "comparison" : SiteSession.Trend,
            "made", "cpu", "process", true, series.Length, 10, false, 60))],
        Machines = [],
        AaSpreads = [],
        Trend = new() { Series = series.Length, Sessions = 1, Changes = change is null ? [] : [change], Environment = steps, Stopped = [], Warnings = [] },
    };

    private static SiteSeries Series(string name, int points = 10, Func<int, double?>? change = null, double? value = 1, string verdict = "unchanged", string kind = SiteSession.Trend)
    {
        var made = new SeriesName
        {
            Workload = name.StartsWith('n') || name.Length > 10 ? "many" : name,
            Values = new Dictionary<string, string> { ["documents"] = name },
            Against = new Dictionary<string, string>(),
            Metric = "time",
            Unit = "s",
            Better = Better.Lower,
            Machine = "made",
            Cpu = "cpu",
            Executor = "process",
        };
        return new(made, made.Hash, [.. Enumerable.Range(0, points).Select(index =>
        {
            var log = change is null ? Math.Log(1.01) : change(index);
            return new SitePoint(index, string.Create(CultureInfo.InvariantCulture, $"c{index:00000000000}"), "0000000", log, change is null ? 0 : null, change is null ? Math.Log(1.02) : null,
                value, 2, 0.01, 20, kind == SiteSession.Trend ? verdict : "of a comparison");
        })]);
    }

    private static TrendChange Change(ChangeStatus status, params (SiteSeries Series, double Change)[] members) => new()
    {
        Id = "0123456789ab",
        Status = status,
        Machine = "made",
        Cpu = "cpu",
        Executor = "process",
        Before = Place(3),
        After = Place(6),
        Found = "s06",
        Looks = 1,
        Members = [.. members.Select(member => new TrendMember
        {
            Workload = member.Series.Name.Workload,
            Values = member.Series.Name.Values,
            Metric = "time",
            Unit = "s",
            Change = member.Change,
            PValue = 0.001,
            Series = member.Series.Hash,
        })],
    };

    private static Experiment Measured(SiteSeries series) =>
        new("experiment", 0.25, 0.24, 0.26, 0.0001, 28, Core.Statistics.Stages.Verdict.Regressed) { Series = series.Hash };

    private static TrendPlace Place(int day) => new(string.Create(CultureInfo.InvariantCulture, $"s{day:00}"), Start.AddDays(day), string.Create(CultureInfo.InvariantCulture, $"c{day:00000000000}"));
}
