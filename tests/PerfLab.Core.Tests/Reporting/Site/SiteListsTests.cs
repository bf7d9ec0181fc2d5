using System.Text.RegularExpressions;
using PerfLab.Reports.Site;
using static PerfLab.Core.Tests.Reporting.Site.SampleSites;

namespace PerfLab.Core.Tests.Reporting.Site;

/// <summary>Lists of series and sessions, and the ledgers.</summary>
public sealed class SiteListsTests
{
    [Fact]
    public void a_large_session_shows_what_moved_first_and_says_how_many_it_shows()
    {
        var many = Enumerable.Range(0, 400).Select(index => Series($"n{index:000}", points: 1, verdict: index == 399 ? "regressed" : "unchanged")).ToArray();
        var files = Pages(null, many);
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
        var files = Pages(null, one, two);
        Names(files).ShouldBe(["net10.0, documents one", "net10.0, documents two"]);
        files["data/series.js"].ShouldContain("\"net10.0, documents one\"");
        // The page of a series keeps the whole name.
        Page(files, one).ShouldContain("net10.0, documents one, gc workstation");
        Names(Pages(null, one, Named("one", "docker"))).ShouldBe(["net10.0; docker", "net10.0; process"], ignoreOrder: true);
        Names(Pages(null, one)).ShouldBe(["net10.0"]);

        static SiteSeries Named(string documents, string executor)
        {
            var made = Series("one");
            var name = made.Name with { Executor = executor, Values = new Dictionary<string, string> { ["documents"] = documents, ["runtime"] = "net10.0", ["gc"] = "workstation" } };
            return made with { Name = name, Hash = name.Hash };
        }

        static IEnumerable<string> Names(Dictionary<string, string> files) => Found(files.Single(file => file.Key.StartsWith("workload/", StringComparison.Ordinal)).Value, "<a href=\"\\.\\./series/[^>]*><bdi>([^<]*)");
    }

    [Fact]
    public void the_overview_has_the_newest_sessions()
    {
        var page = Pages(null, Series("one"))["index.html"];
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
}
