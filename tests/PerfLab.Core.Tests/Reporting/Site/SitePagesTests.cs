using System.Globalization;
using System.Text.RegularExpressions;
using PerfLab.Reports.Site;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Core.Trends;
using static PerfLab.Core.Tests.Reporting.Site.SampleSites;

namespace PerfLab.Core.Tests.Reporting.Site;

/// <summary>Pages of a made-up history, as text; links and a real history are tested with the command.</summary>
public sealed class SitePagesTests
{
    [Fact]
    public void a_page_of_a_series_tells_its_own_change_and_not_that_of_another_in_the_same_change()
    {
        var (one, other) = (Series("one"), Series("other"));
        var change = Change(ChangeStatus.Confirmed, (one, 0.25), (other, -0.03)) with { Experiment = Measured(one) };
        var files = Pages(change, one, other);
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
        Pages(Change(ChangeStatus.Confirmed, (series, -0.25)) with { Experiment = Measured(series) }, series)["index.html"].ShouldContain("No confirmed slowdown is open");
        var called = Pages(change, series);
        called["index.html"].ShouldContain("1 confirmed slowdown is open");
        called["index.html"].ShouldContain("class=\"regressed\" data-v=\"0.25\">25.0 % slower");
        var kept = Pages(change with { Accepted = "checks the <b>signature</b>" }, series);
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
            var files = Pages(Change(status, (series, 0.1)) with { Confirm = "./perf-lab run made --base source=a --head source=b" }, series);
            var word = Core.Files.Words.Of(status);
            files["index.html"].ShouldMatch($"<p class=\"dim\">{word}: [a-z]");
            files["index.html"].ShouldContain(status == ChangeStatus.Confirmed ? "1 confirmed slowdown is open" : "No confirmed slowdown is open");
            Page(files, series).Contains("<pre class=\"command\" tabindex=\"0\">./perf-lab run made").ShouldBe(status == ChangeStatus.Due);
        }
    }

    [Fact]
    public void a_series_of_one_session_is_counted_as_one_and_drawn_from_0()
    {
        var series = Series("one", points: 1);
        var alone = series with { Points = [series.Points[0] with { ReferenceValue = null }] };
        var files = Pages(null, alone);
        files["index.html"].ShouldContain("1 series in 1 session, the newest");
        Page(files, alone).ShouldContain("Medians of 1 session.");
        Page(files, alone).ShouldContain(">time in s</text>");
        Page(files, alone).ShouldContain("text-anchor=\"end\">0</text>");
        Page(Pages(null, series), series).ShouldContain(">time in s; circles: measured, squares: reference</text>");
    }

    [Fact]
    public void the_overview_says_where_each_workload_is_now()
    {
        var files = Pages(null, Series("one"), Series("two", change: index => index < 9 ? 0.02 : Math.Log(1.5)));
        Found(files["index.html"], "data-v=\"0\\.[0-9]+\">([^<]+)</td>").ShouldBe(["+1.0 %", "+50.0 %"]);
        Regex.Count(files["index.html"], "<svg ").ShouldBe(2);
        Pages(null, Series("one", points: 1))["index.html"].ShouldContain("one session");
        Pages(null, Series("one", kind: "comparison"))["index.html"].ShouldContain("no trend");
    }

    [Fact]
    public void points_tell_a_pointer_what_they_are_and_marks_beyond_the_line_are_not_drawn()
    {
        var series = Series("one");
        var page = Page(Pages(Change(ChangeStatus.Watched, (series, 0.1)), series), series);
        page.ShouldContain("<title>2026-01-07 03:00, c00000000002: +1.0 % [0.0, +2.0]</title>");
        page.ShouldContain("<title>2026-01-07 03:00, c00000000002: 1.000 s</title>");
        page.ShouldContain("<title>0000000: 2.000 s</title>");
        page.ShouldContain("Change against the anchor, and its interval; up is slower");
        Regex.Count(page, "class=\"event\"").ShouldBe(2);
        Regex.Count(page, "<polygon class=\"band").ShouldBe(1, "the interval");
        var steps = new[] { -3, 4, 30 }.Select(day => new HostStep("made", "cpu", Place(day - 1), Place(day), 1, 0.1))
            .Append(new HostStep("another machine", "cpu", Place(4), Place(5), 1, 0.1)).ToList();
        Regex.Count(Page(Pages(null, steps, series), series), "class=\"event\"").ShouldBe(2, "one of three, in both pictures");
        Page(Pages(null, Series("one", kind: "comparison")), Series("one", kind: "comparison")).ShouldContain("Change against what each session compared it with");
    }

    [Fact]
    public void only_what_was_measured_against_the_anchor_lies_on_the_line_where_there_is_a_trend()
    {
        var series = Series("one");
        var history = History(null, [], series);
        history = history with { Sessions = [.. history.Sessions.Select((session, index) => session with { Kind = index < 4 ? SiteSession.Trend : "comparison" })] };
        var page = Page(new SiteMaker(history, new(null)).Files([series], []).ToDictionary(file => file.Path, file => file.Content), series);
        page.ShouldContain(">4 sessions, the newest +1.0 % [0.0, +2.0].</desc>");
        page.ShouldContain(">Medians of 4 sessions.</desc>");
    }

    [Fact]
    public void only_a_commit_is_linked()
    {
        foreach (var (commit, expected) in new[] { ("0123456789ab", true), ("zzzzzzzzzzzz", false), ("0123456", false), ("0123456789ab/../x", false), ("javascript:aa", false) })
        {
            var series = Series("one", points: 1);
            series = series with { Points = [series.Points[0] with { Commit = commit }] };
            Page(Pages(null, series), series).Contains("href=\"https://example.org/a/b/commit/").ShouldBe(expected, commit);
        }
    }

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(null)]
    [InlineData(1000.0)]
    public void figures_that_are_none_are_a_dash_and_break_no_picture(double? change)
    {
        var series = Series("one", change: _ => change, value: change);
        var page = Page(Pages(null, series), series);
        page.ShouldNotContain("NaN");
        page.ShouldNotContain("∞");
        page.ShouldContain("<td class=\"figure\" data-v");
        Pages(null, series)[$"data/{series.Hash[..2]}/{series.Hash[..16]}.js"].ShouldNotContain("NaN");
    }

    [Fact]
    public void the_data_of_a_series_has_its_values_for_the_command_and_can_end_no_script()
    {
        var series = Series(SamplePairs.Hostile);
        var data = Pages(null, series)[$"data/{series.Hash[..2]}/{series.Hash[..16]}.js"];
        data.ShouldContain("\"values\":{\"documents\":");
        data.ShouldNotContain("<");
        data.ShouldNotContain("\u202E");
    }

    [Fact]
    public void pages_with_a_row_that_is_not_steady_say_what_to_type()
    {
        var series = Series("one", verdict: "not-steady");
        var files = Pages(null, series);
        Page(files, series).ShouldContain("--warm-up SECONDS");
        files.First(file => file.Key.StartsWith("session/", StringComparison.Ordinal)).Value.ShouldContain("--warm-up SECONDS");
        Page(Pages(null, Series("one")), Series("one")).ShouldNotContain("--warm-up");
    }

    [Fact]
    public void a_page_of_a_series_has_its_newest_twenty_sessions_and_all_as_data()
    {
        var series = Series("one", points: 25);
        var files = Pages(null, series);
        Page(files, series).ShouldContain("The newest 20 of 25 sessions");
        Found(Page(files, series), "<a href=\"../../session/[^>]*>([^<]*)")
            .ShouldBe(Enumerable.Range(0, 20).Select(index => Start.AddDays(24 - index).ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture)));
        Regex.Count(files[$"data/{series.Hash[..2]}/{series.Hash[..16]}.js"], "\\[\"s[0-9]{2}\",").ShouldBe(25);
    }
}
