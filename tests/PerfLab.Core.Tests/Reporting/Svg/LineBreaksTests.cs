using System.Xml.Linq;
using PerfLab.Reports;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Svg;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting.Svg;

/// <summary>Long names, seen from outside: what stands in the picture.</summary>
public sealed class LineBreaksTests
{
    [Fact]
    public void names_titles_and_places_are_broken_and_none_is_cut()
    {
        var texts = Texts(Drawn(curve => curve));
        texts.ShouldAllBe(text => !text.Contains('…'));
        // At the blank, at the joints of names.
        texts.ShouldContain("net10.0.14, transport");
        texts.ShouldContain("dotnetty-tcp-with-tls-1.3");
        string.Concat(texts).ShouldContain("orleans@10.0.0-preview.4.25258.110");
    }

    [Fact]
    public void the_picture_grows_with_names_that_need_more_room_than_the_plot_has()
    {
        var few = Drawn(curve => curve);
        var many = Drawn(curve => curve with { Series = [.. Enumerable.Range(0, 8).Select(index => curve.Series[0] with { Name = $"{index} " + string.Concat(Enumerable.Repeat("transport dotnetty-tcp-with-tls, ", 3)) })] });
        Height(many).ShouldBeGreaterThan(Height(few));
        var rows = many.Descendants().Where(element => (string?)element.Attribute("class") is { } name && name.StartsWith("name ", StringComparison.Ordinal)).Select(element => (double)element.Attribute("y")!).ToList();
        rows.Zip(rows.Skip(1)).ShouldAllBe(pair => pair.Second - pair.First >= 14.9);
        rows.ShouldAllBe(y => y > 0 && y < Height(many));
    }

    [Theory]
    [InlineData("x")]
    [InlineData("名")]
    [InlineData("😀")]
    [InlineData("ab-")]
    [InlineData("\u202E\u05D0 ")]
    public void a_name_without_end_is_cut_at_a_few_lines_and_never_inside_a_character(string piece)
    {
        var name = string.Concat(Enumerable.Repeat(piece, 3000));
        var texts = Texts(Drawn(curve => curve with { Workload = name, Dimension = name, Series = [curve.Series[0] with { Name = name }] }));
        texts.Count(text => text.EndsWith('…')).ShouldBeInRange(1, 6);
        texts.ShouldAllBe(text => text.Length <= 120 && !text.Contains('\uFFFD') && !text.Contains('\u202E'));
    }

    private static XElement Drawn(Func<Curve, Curve> change)
    {
        var (comparison, context) = SampleSweeps.Report(SampleSweeps.LongNames());
        return XDocument.Parse(CurveSvg.Render(change(Report.From(comparison, context).Curves[0]))).Root!;
    }

    private static double Height(XElement picture) => (double)picture.Attribute("height")!;

    private static List<string> Texts(XElement picture) => [.. picture.Descendants().Where(element => element.Name.LocalName == "text").Select(element => element.Value)];
}
