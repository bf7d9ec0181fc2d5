using System.Globalization;
using System.Xml.Linq;
using PerfLab.Core.Model;
using PerfLab.Core.Reporting;
using PerfLab.Core.Reporting.Curves;
using PerfLab.Core.Reporting.Svg;
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
    [InlineData("same", 2)]
    public void the_rounds_of_a_row_look_as_they_did(string name, int row)
    {
        var (comparison, context) = SampleSweeps.Report(SamplePairs.FourCells());
        Golden.ShouldMatch(RowSvg.Render(RowPicture.Of(Report.From(comparison, context))[row]), $"{Folder}rounds-{name}.svg");
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
