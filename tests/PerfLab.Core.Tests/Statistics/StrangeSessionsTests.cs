using PerfLab.Core.Model;
using PerfLab.Reports;
using PerfLab.Reports.Svg;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>Sessions and policies that no run of ours makes: every one gets rows, no exception, and files that can be read back.</summary>
public sealed class StrangeSessionsTests
{
    private static readonly Policy[] Policies =
    [
        new(),
        new() { ScreenRounds = 0, ConfirmRounds = 0 },
        new() { Margin = 0, TooNoisy = 1e300, Interval = 0.999999999, KeepP = 1e-300, FamilyError = 1e-300 },
        new() { Margin = 1e300, TooNoisy = 1e-300, Interval = 1e-9, KeepP = 0.999, FamilyError = 0.999 },
    ];

    private static readonly Dictionary<string, Func<SampleSetBuilder>> Sessions = new()
    {
        ["nothing at all"] = () => new(),
        ["no launch"] = () => new SampleSetBuilder().Cell("c001"),
        ["one arm, no launch"] = () => new SampleSetBuilder().Cell("c001", "head"),
        ["one arm, one launch"] = () => new SampleSetBuilder().Cell("c001", "head").Measured(Stage.Screen, 0, "head", 1),
        ["one round"] = () => new SampleSetBuilder().Cell("c001").Rounds(Stage.Confirm, [0.1]),
        ["values at the ends of a double"] = () => Many(double.Epsilon, double.MaxValue),
        ["the same ends, the other way round"] = () => Many(double.MaxValue, double.Epsilon),
        ["every round at another end"] = () => Wild(),
        ["zeros"] = () => Many(0, 0),
        ["no number"] = () => Many(100, double.NaN),
        ["infinity"] = () => Many(double.PositiveInfinity, 100),
        ["negative"] = () => Many(-1, -2),
        ["every round refused"] = () => Lost(Outcome.Refused),
        ["every round killed from outside"] = () => Lost(Outcome.KilledFromOutside),
        ["no difference anywhere"] = () => Many(100, 100),
        ["a name that reads right to left"] = () => Many(100, 101).With(cell => cell with { Workload = "\u05D0\u05D1 \u202Egnp.exe", Dimensions = new Dictionary<string, string> { ["\u202Bx"] = new('\u05D0', 5000) } }),
    };

    public static TheoryData<string> Names => [.. Sessions.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void every_session_has_a_report_under_every_policy_and_its_comparison_reads_back(string name)
    {
        foreach (var policy in Policies)
        {
            var samples = Sessions[name]().Build();
            var comparison = Comparer.Compare(samples, new(policy, "journal"));
            var written = Comparison.File.Write(comparison);
            Comparison.File.Write(Comparison.File.Read(written).Value.ShouldNotBeNull()).ShouldBe(written);

            var context = ReportContext.From(samples);
            var report = Report.From(comparison, context);
            var text = MarkdownReport.Render(report) + string.Concat(Picture.All(report, context.Samples).Select(picture => picture.Render()));
            text.Split('\n').Where(line => line.StartsWith('|')).ShouldAllBe(line => !line.Contains("NaN") && !line.Contains("Infinity"));
            text.ShouldNotContain("\u202E");
            report.Headline.ShouldNotBeEmpty();
        }
    }

    [Fact]
    public void more_rounds_than_anybody_measures_are_refused_before_they_are_planned_and_not_compared_afterwards()
    {
        PolicyRules.Problems(new() { ScreenRounds = 0, ConfirmRounds = LogRatios.MostRounds + 1 }, 1).ShouldHaveSingleItem().ToString().ShouldContain("0+2001 are more than can be compared");
        PolicyRules.Problems(new() { ScreenRounds = 0, ConfirmRounds = LogRatios.MostRounds }, 1).ShouldBeEmpty();

        var row = new SampleSetBuilder().Cell("c001").Rounds(Stage.Confirm, [.. Enumerable.Repeat(0.1, LogRatios.MostRounds + 1)]).Compare().Cells.ShouldHaveSingleItem();
        (row.Verdict, row.Change).ShouldBe((Verdict.Failed, null));
        row.Warnings.ShouldContain("2001 rounds: at most 2000 can be compared");
    }

    private static SampleSetBuilder Many(double reference, double arm)
    {
        var builder = new SampleSetBuilder().Cell("c001");
        foreach (var (stage, rounds) in new[] { (Stage.Screen, 8), (Stage.Confirm, 20) })
        {
            for (var round = 0; round < rounds; round++)
            {
                builder.Measured(stage, round, "base", reference).Measured(stage, round, "head", arm);
            }
        }

        return builder;
    }

    private static SampleSetBuilder Wild()
    {
        var builder = new SampleSetBuilder().Cell("c001");
        for (var round = 0; round < 20; round++)
        {
            var (low, high) = round % 2 == 0 ? (double.Epsilon, double.MaxValue) : (double.MaxValue, double.Epsilon);
            builder.Measured(Stage.Confirm, round, "base", low).Measured(Stage.Confirm, round, "head", high);
        }

        return builder;
    }

    private static SampleSetBuilder Lost(Outcome outcome)
    {
        var builder = new SampleSetBuilder().Cell("c001");
        for (var round = 0; round < 8; round++)
        {
            builder.Lost(Stage.Screen, round, "base", outcome).Lost(Stage.Screen, round, "head", outcome);
        }

        return builder;
    }
}
