using PerfLab.Programs;
using PerfLab.Reports;
using PerfLab.Reports.Svg;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Tests.Reporting;

public sealed class RowPlotTests
{
    [Fact]
    public void a_plot_looks_as_it_did_in_both_alphabets()
    {
        var plots = Pictures().Take(2).SelectMany(picture => new[] { true, false }.SelectMany(ascii => RowPlot.Of(picture, ascii).Select(line => line.Text).Prepend(picture.Row.Cell)));
        Golden.ShouldMatch(string.Join('\n', plots) + "\n", "tests/PerfLab.Runner.Tests/Reporting/golden/rounds.txt");
    }

    [Fact]
    public void a_plot_keeps_to_its_width_and_has_a_dot_for_each_round()
    {
        foreach (var picture in Pictures())
        {
            RowPlot.Of(picture, ascii: false).ShouldAllBe(line => line.Text.Length <= RowPlot.Width);
            RowPlot.Of(picture, ascii: true).SelectMany(line => line.Text).ShouldAllBe(letter => letter >= ' ' && letter <= '~' || letter == 'µ');
            var dots = RowPlot.Of(picture, ascii: false).Sum(line => line.Text.Count(letter => letter == '●'));
            (dots == picture.Row.Measured.Count || RowPlot.Of(picture, ascii: true).Any(line => line.Text.Contains('+'))).ShouldBeTrue();
        }
    }

    [Fact]
    public void a_plot_says_its_margin_and_which_way_is_worse()
    {
        var picture = Pictures()[0];
        RowPlot.Of(picture, ascii: true).ShouldContain(line => line.Text == "          | no change  : margin 1.0 %  right is slower");
        var own = picture with { Margin = Math.Log(1.05), Row = picture.Row with { Figures = picture.Row.Figures with { Unit = "B" } } };
        RowPlot.Of(own, ascii: false).ShouldContain(line => line.Text == "          │ no change  ┊ margin 5.0 %  right is worse");
        // The margin's columns are where it is.
        static int Marks(RowPicture picture) => RowPlot.Of(picture, ascii: true)[0].Text.LastIndexOf(':') - RowPlot.Of(picture, ascii: true)[0].Text.IndexOf(':');
        Marks(own).ShouldBeGreaterThan(Marks(picture));
    }

    [Theory]
    [InlineData(0.0)]
    [InlineData(700.0)]
    [InlineData(-700.0)]
    [InlineData(1e-15)]
    public void rounds_that_are_all_alike_or_far_away_have_a_plot(double difference)
    {
        var picture = Pictures()[0];
        var row = picture.Row with { Measured = [.. Enumerable.Range(0, 300).Select(round => new PairedRound(round, 1, 1, difference))] };
        var lines = RowPlot.Of(picture with { Row = row }, ascii: false);
        lines.ShouldAllBe(line => line.Text.Length <= RowPlot.Width);
        lines.ShouldContain(line => line.Text.Contains('+'));
    }

    [Fact]
    public void plain_is_without_colours_and_ascii_and_hygiene_is_a_line_unless_asked()
    {
        var colours = new TerminalStyle(120, Colours: true, Ascii: false);
        Text(new OutputSettings(null, Json: false, FailOn.None).Of(colours)).ShouldContain("\e[");
        var plain = Text(new OutputSettings(null, Json: false, FailOn.None, IsPlain: true).Of(colours));
        plain.ShouldAllBe(letter => letter == '\n' || (letter >= ' ' && letter <= '~'));
        plain.ShouldContain("hygiene: 1 ok, 1 warning (--details lists them)");
        plain.ShouldNotContain("clock source");
        var asked = Text(new OutputSettings(null, Json: false, FailOn.None, IsPlain: true, Details: true).Of(colours));
        asked.ShouldContain("- ! governor: powersave");
        asked.ShouldContain("- clock source: tsc");
    }

    private static IReadOnlyList<RowPicture> Pictures()
    {
        var (comparison, context) = SampleSweeps.Report(SamplePairs.FourCells());
        return RowPicture.Of(Report.From(comparison, context));
    }

    private static string Text(TerminalStyle style)
    {
        var (comparison, context) = SampleSweeps.Report(SamplePairs.FourCells());
        var hygiene = new HygieneNote("1 ok, 1 warning", [new(true, "governor: powersave"), new(false, "clock source: tsc")]);
        using var output = new StringWriter(System.Globalization.CultureInfo.InvariantCulture);
        TerminalReport.Write(Report.From(comparison, context with { Hygiene = hygiene }), output, style);
        return output.ToString();
    }
}
