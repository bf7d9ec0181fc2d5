using System.Globalization;
using System.Xml.Linq;
using PerfLab.Core.Model;
using PerfLab.Reports;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Svg;
using PerfLab.Reports.Text;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Tests.Reporting.Curves;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting.Svg;

/// <summary>Pictures that a person has looked at, the same under every culture.</summary>
public sealed class GoldenPictureTests
{
    private const string Folder = "tests/PerfLab.Core.Tests/Reporting/golden/";

    private static readonly Dictionary<string, Func<SampleSet>> Sessions = new()
    {
        ["batches"] = SampleSweeps.Batches,
        ["clients"] = SampleSweeps.Clients,
        ["knobs"] = SampleSweeps.Knobs,
        ["pgo"] = PlannedSweeps.PgoByRuntime,
        ["long-names"] = SampleSweeps.LongNames,
        ["gap"] = SampleSweeps.OneArm,
        ["hostile"] = SampleSweeps.Hostile,
    };

    public static TheoryData<string, string> SessionsAndCultures => [.. Sessions.Keys.SelectMany(_ => GoldenReportTests.Cultures, (name, culture) => (name, culture.Data))];

    [Theory]
    [MemberData(nameof(SessionsAndCultures))]
    public void every_session_looks_the_same_under_every_culture(string name, string culture)
    {
        var before = CultureInfo.CurrentCulture;
        CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(culture);
        try
        {
            var (comparison, context) = SampleSweeps.Report(Sessions[name]());
            var report = Report.From(comparison, context);
            Golden.ShouldMatch(Picture.All(report, context.Samples)[0].Render(), $"{Folder}sweep-{name}.svg");
            Golden.ShouldMatch(CurvesFile.Write(comparison.Session, report.Curves), $"{Folder}sweep-{name}.json");
            Golden.ShouldMatch(MarkdownReport.Render(report), $"{Folder}sweep-{name}.md");
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Theory]
    [InlineData("slower", 0)]
    [InlineData("faster", 1)]
    [InlineData("same", 3)]
    public void the_rounds_of_a_row_look_as_they_did(string name, int row)
    {
        var (comparison, context) = SampleSweeps.Report(SamplePairs.FourCells());
        Golden.ShouldMatch(RowSvg.Render(RowPicture.Of(Report.From(comparison, context))[row]), $"{Folder}rounds-{name}.svg");
    }

    [Fact]
    public void a_cell_with_a_margin_of_its_own_is_drawn_and_told_with_that()
    {
        var samples = SamplePairs.FourCells();
        var margins = new Dictionary<string, CellMargin> { ["c001"] = new(0.05, 25), ["c002"] = new(0.002, 25) };
        var comparison = Comparer.Compare(samples, new(new Policy { ScreenRounds = 0, ConfirmRounds = 13 }, "plan"), margins);
        var pictures = RowPicture.Of(Report.From(comparison, ReportContext.From(samples))).ToDictionary(picture => picture.Row.Figures.Cell);
        pictures["c001"].Margin.ShouldBe(Math.Log(1.05), 1e-9);
        RowSvg.Render(pictures["c001"]).ShouldContain("dashed: margin of 5.0 %, this cell's own");
        // One that is narrower than the policy's changes nothing.
        pictures["c002"].Margin.ShouldBe(Math.Log(1.01), 1e-9);
        RowSvg.Render(pictures["c002"]).ShouldContain("dashed: margin of 1.0 % ·");
    }

    [Fact]
    public void rows_whose_ids_look_alike_have_pictures_with_names_of_their_own()
    {
        var samples = SamplePairs.Many(2);
        string Renamed(string id) => id == "c001" ? "c 1" : "c/1";
        var alike = samples with
        {
            Header = samples.Header with { Cells = [.. samples.Header.Cells.Select(cell => cell with { Id = Renamed(cell.Id) })] },
            Launches = [.. samples.Launches.Select(launch => launch with { Cell = Renamed(launch.Cell) })],
        };
        var (comparison, context) = SampleSweeps.Report(alike);
        RowPicture.Of(Report.From(comparison, context)).Select(picture => picture.Name).ShouldBeUnique();
    }

    [Fact]
    public void the_bars_of_a_histogram_are_shares_of_all_values()
    {
        var line = new LatencyLine("base", 1, [(0.001, 40), (0.1, 10)]);
        var picture = LatencySvg.Render(new() { Name = "latency", Unit = "s", Lines = [line] }, "latency-1");
        picture.ShouldContain(">80</text>");
    }

    [Fact]
    public void a_mark_tells_a_pointer_its_round_and_figure()
    {
        var (comparison, context) = SampleSweeps.Report(SamplePairs.FourCells());
        var picture = RowPicture.Of(Report.From(comparison, context))[0];
        var said = XDocument.Parse(RowSvg.Render(picture)).Root!.Descendants().Where(element => element.Name.LocalName is "circle" or "rect" or "polygon" && element.HasElements)
            .Select(element => (element.Name.LocalName, element.Value)).ToList();
        foreach (var round in picture.Row.Measured)
        {
            said.ShouldContain(("circle", FormattableString.Invariant($"round {round.Round + 1}: {Quantity.Format(picture.Row.Figures.Unit, round.Reference)[0]}")));
            said.ShouldContain(("rect", FormattableString.Invariant($"round {round.Round + 1}: {Quantity.Format(picture.Row.Figures.Unit, round.Arm)[0]}")));
            said.ShouldContain(("polygon", FormattableString.Invariant($"round {round.Round + 1}: {Percent.Change(Math.Exp(round.Difference) - 1, null, null, "doc/s")}")));
        }
    }

    [Fact]
    public void single_launches_are_drawn_beside_their_middle_and_an_arm_without_windows_is_left_out()
    {
        var (comparison, context) = SampleSweeps.Report(SampleSweeps.Batches());
        comparison.Cells.ShouldNotBeEmpty();
        var warmUp = WarmUp.Of(context.Samples!)[0];
        var lines = warmUp.Lines.Count(line => line.Windows.Count > 0);
        var root = XDocument.Parse(WarmUpSvg.Render(warmUp)).Root!;
        root.Descendants().Count(element => (string?)element.Attribute("class") is { } style && style.StartsWith("lead s", StringComparison.Ordinal) && element.Parent == root)
            .ShouldBe(lines + (lines * WarmUpLine.MostSingle), "each name has a line to its end");
        var without = warmUp with { Lines = [.. warmUp.Lines.Select((line, index) => index == 0 ? line with { Windows = [], Single = [] } : line)] };
        WarmUpSvg.Render(without).ShouldNotContain("class=\"line s3");
        WarmUpSvg.Render(warmUp with { Lines = [] }).ShouldContain("</svg>");
    }

    [Fact]
    public void changes_beyond_a_factor_of_four_have_factors_on_their_axis_and_none_leaves_the_picture()
    {
        ChangeAxis.Of([-0.02, 0.05], "s").Ticks.Select(tick => tick.Label).ShouldContain("+4 %");
        ChangeAxis.Of([-3, 2], "s").Ticks.Select(tick => tick.Label).ShouldContain("4x slower");
        ChangeAxis.Of([-3, 2], "B").Ticks.Select(tick => tick.Label).ShouldContain("4x better");
        foreach (var strange in new[] { double.MaxValue, 1e6, -1e6, 1e-300, 0, double.NaN, double.NegativeInfinity })
        {
            var axis = ChangeAxis.Of([strange], "s");
            axis.Ticks.ShouldContain(tick => tick.Label == "0");
            axis.Ticks.Count.ShouldBeLessThan(20);
            axis.Ticks.ShouldAllBe(tick => tick.Place >= -1e-9 && tick.Place <= 1 + 1e-9);
        }
    }

    [Fact]
    public void a_launch_coming_up_to_speed_looks_as_it_did()
    {
        var (comparison, context) = SampleSweeps.Report(SampleSweeps.Batches());
        Golden.ShouldMatch(Picture.All(Report.From(comparison, context), context.Samples).Single(picture => picture.Name == "warm-up-c002").Render(), Folder + "warm-up.svg");
    }

    [Theory]
    [InlineData("batches")]
    [InlineData("hostile")]
    public void a_picture_is_sound_xml_that_runs_nothing_and_says_what_it_shows(string name)
    {
        var (comparison, context) = SampleSweeps.Report(Sessions[name]());
        foreach (var picture in Picture.All(Report.From(comparison, context), context.Samples))
        {
            picture.Name.ShouldAllBe(letter => char.IsAsciiLetterLower(letter) || char.IsAsciiDigit(letter) || letter == '-');
            var root = XDocument.Parse(picture.Render()).Root!;
            string[] allowed = ["svg", "title", "desc", "style", "g", "rect", "line", "path", "circle", "polygon", "text"];
            root.DescendantsAndSelf().ShouldAllBe(element => allowed.Contains(element.Name.LocalName));
            root.DescendantsAndSelf().Attributes().ShouldAllBe(attribute => !attribute.Name.LocalName.StartsWith("on") && !attribute.Name.LocalName.Contains("href"));
            root.Attribute("role")!.Value.ShouldBe("img");
            var named = root.Attribute("aria-labelledby")!.Value.Split(' ');
            named.ShouldBe(root.Elements().Where(element => element.Attribute("id") is not null).Select(element => element.Attribute("id")!.Value));
            root.Elements().First(element => element.Name.LocalName == "desc").Value.Length.ShouldBeGreaterThan(40);
        }
    }
}
