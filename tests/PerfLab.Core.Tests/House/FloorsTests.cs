namespace PerfLab.Core.Tests.House;

/// <summary>Folders are floors: an arrow goes down, and no room is too full to find something in it.</summary>
public sealed class FloorsTests
{
    private const int MostFilesInAFolder = 30;
    private const int MostLinesInAFile = 250;
    private const int MostCharactersInALine = 140;

    /// <summary>Lines that were longer when the rule came. The number may only get smaller.</summary>
    private const int LongLinesLeft = 917;

    private static readonly Folders House = Folders.OfTheRunner;

    [Fact]
    public void no_folder_needs_one_that_needs_it() => Circles(House).ShouldBeEmpty(
        "These folders need each other, because of these files. Move what both need into a folder below both, or make one folder of the two.");

    [Theory]
    [InlineData("using PerfLab.A.Low;", "using PerfLab.A.High;")]
    [InlineData("using static PerfLab.A.Low.Bottom;", "using Alias = PerfLab.A.High.Top;")]
    [InlineData("internal sealed record X(Low.Bottom Low);", "using PerfLab.A.High;")]
    [InlineData("internal sealed record X(PerfLab.A.Low.Bottom Low);", "internal sealed record X(High.Top Top);")]
    public void a_circle_is_found_and_its_files_are_named(string above, string below)
    {
        var circles = Circles(Of(("A/High/Top.cs", "public class Top\n" + above), ("A/Low/Bottom.cs", "public class Bottom\n" + below)));

        circles.ShouldHaveSingleItem();
        circles[0].ShouldContain("PerfLab.A.High -> PerfLab.A.Low (PerfLab.A/High/Top.cs)");
        circles[0].ShouldContain("PerfLab.A.Low -> PerfLab.A.High (PerfLab.A/Low/Bottom.cs)");
    }

    [Fact]
    public void a_circle_of_three_is_one_circle() => Circles(Of(
        ("A/One/X.cs", "using PerfLab.A.Two;"), ("A/Two/Y.cs", "using PerfLab.A.Three;"), ("A/Three/Z.cs", "using PerfLab.A.One;"),
        ("A/Roof/W.cs", "using PerfLab.A.One;"))).ShouldHaveSingleItem().ShouldNotContain("Roof");

    [Theory]
    [InlineData("var x = new Outer();", true)]
    [InlineData("value.Doubled();", true)]
    [InlineData("// Outer", false)]
    [InlineData("var x = \"Outer\";", false)]
    [InlineData("value.Outer();", false)]
    [InlineData("internal class Outer;", false)]
    public void the_folder_around_is_needed_when_its_types_are_named(string inside, bool circle) =>
        Circles(Of(
            ("A/Outer.cs", "using PerfLab.A.In;\npublic static class Outer\n  public static int Doubled(this int value) => 2 * value;"),
            ("A/In/Inner.cs", "public class Inner\n" + inside))).Count.ShouldBe(circle ? 1 : 0);

    [Fact]
    public void no_folder_has_more_than_thirty_files() => House.Names
        .Where(folder => House.FilesOf(folder).Count > MostFilesInAFolder)
        .Select(folder => $"{folder}: {House.FilesOf(folder).Count} files")
        .ShouldBeEmpty("Split the folder by what its files are about, or make one file of those that belong together.");

    [Fact]
    public void no_file_is_longer_than_250_lines() => House.All
        .Where(file => file.Lines.Length > MostLinesInAFile)
        .Select(file => $"runner/{file.Path}: {file.Lines.Length} lines")
        .ShouldBeEmpty("One idea a file: give the second idea its own.");

    [Fact]
    public void no_line_is_longer_than_140_characters()
    {
        var longer = House.All
            .SelectMany(file => file.Lines.Select((line, at) => (Text: line, Place: $"runner/{file.Path}:{at + 1}")))
            .Where(line => line.Text.Length > MostCharactersInALine)
            .OrderByDescending(line => line.Text.Length)
            .Select(line => $"{line.Place}: {line.Text.Length} characters")
            .ToList();

        longer.Count.ShouldBeLessThanOrEqualTo(
            LongLinesLeft, $"Break the lines that you wrote; the longest of all are\n{string.Join('\n', longer.Take(20))}");
    }

    // Each circle once: the folders that reach each other, and the arrows among them with their files.
    private static List<string> Circles(Folders folders) =>
    [
        .. folders.Names
            .Select(folder => folders.Reach(folder).Where(other => folders.Reach(other).Contains(folder)).ToHashSet())
            .Where(circle => circle.Count > 0)
            .DistinctBy(circle => circle.Min())
            .Select(circle => string.Join('\n', folders.Arrows
                .Where(arrow => circle.Contains(arrow.From) && circle.Contains(arrow.To))
                .Select(arrow => $"{arrow.From} -> {arrow.To} ({arrow.File})"))),
    ];

    private static Folders Of(params (string Path, string Text)[] files) =>
        new(files.Select(file => new SourceFile("PerfLab." + file.Path, file.Text.Split('\n'))));
}
