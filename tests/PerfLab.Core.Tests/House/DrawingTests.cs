using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.House;

/// <summary>docs/internals/architecture.md shows the house as it is.</summary>
public sealed class DrawingTests
{
    private const string Begin = "<!-- drawing: PERF_LAB_WRITE_DRAWING=1 dotnet run --project tests/PerfLab.Core.Tests -c Release -- -class '*DrawingTests' -->\n```\n";
    private const string End = "\n```\n<!-- end of the drawing -->";

    [Fact]
    public void the_drawing_in_the_docs_is_the_house()
    {
        var path = Path.Combine(Repository.Root, "docs", "internals", "architecture.md");
        var page = File.ReadAllText(path);
        var (from, to) = (page.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length, page.IndexOf(End, StringComparison.Ordinal));
        (from > Begin.Length && to > from).ShouldBeTrue("docs/internals/architecture.md has no drawing between its two comments");
        var drawing = Drawing.Of(Folders.OfTheRunner);
        if (Environment.GetEnvironmentVariable("PERF_LAB_WRITE_DRAWING") == "1")
        {
            File.WriteAllText(path, page[..from] + drawing + page[to..]);
            return;
        }

        page[from..to].ShouldBe(
            drawing,
            "A folder or an arrow changed. When that was meant, draw it again and look at the difference:\n"
            + Begin["<!-- drawing: ".Length..Begin.IndexOf(" -->", StringComparison.Ordinal)]);
    }

    [Fact]
    public void every_arrow_points_down_the_page()
    {
        var lines = Drawing.Of(Folders.OfTheRunner).Split("\n\n").Select(project => project.Split('\n').Skip(1).Select(line => line[..26].Trim()).ToList());
        var arrows = Drawing.Of(Folders.OfTheRunner).Split("\n\n").Select(project => project.Split('\n').Skip(1).ToList());

        foreach (var (names, drawn) in lines.Zip(arrows))
        {
            for (var at = 0; at < drawn.Count; at++)
            {
                var needs = drawn[at].Contains("-> ") ? drawn[at].Split("-> ")[1].Split(", ") : [];
                needs.ShouldAllBe(folder => names.IndexOf(folder) > at, drawn[at]);
            }
        }
    }
}
