using System.Globalization;
using System.Text.RegularExpressions;
using PerfLab.Calibration;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Statistics.Steady;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>docs/internals/statistics-method.md, results/figures.md and the verdicts of docs/reading-a-report.md say what the code does.</summary>
public sealed partial class StatisticsDocumentTests
{
    private static readonly Policy Default = new();

    private static readonly Dictionary<string, double> InTheCode = new(StringComparer.Ordinal)
    {
        ["screen-rounds"] = Default.ScreenRounds,
        ["keep-p"] = Default.KeepP,
        ["confirm-rounds"] = Default.ConfirmRounds,
        ["family-error"] = Default.FamilyError,
        ["margin"] = Default.Margin,
        ["interval"] = Default.Interval,
        ["too-noisy"] = Default.TooNoisy,
        ["repeats"] = Default.Repeats,
        ["repeat-level"] = RepeatedPair.Level,
        ["repeat-apart"] = Policy.RepeatApart,
        ["most-sessions"] = Policy.MostRepeats + 1,
        ["few-pairs"] = Policy.FewPairs,
        ["least-screen-rounds"] = StageRule.LeastScreenRounds,
        ["least-confirm-rounds"] = StageRule.LeastConfirmRounds,
        ["equivalence-interval"] = StageRule.EquivalenceCoverage,
        ["most-attempts"] = CountedRounds.LastAttempt,
        ["failure-level"] = VerdictRule.FailureLevel,
        ["noise-factor"] = Noise.ToStandardDeviation,
        ["noise-small-sample"] = Noise.SmallSample,
        ["most-rounds"] = LogRatios.MostRounds,
        ["largest-exact"] = SignedRankNull.LargestExact,
        ["going-on-price"] = SmallestDetectableTable.PriceOfGoingOn,
        ["planned-share"] = StagedTest.FirstShare,
        ["fresh-weight"] = StagedTest.FreshWeight,
        ["least-fresh"] = GoingOnRule.LeastFresh,
        ["fresh-between"] = GoingOnRule.Between,
        ["nothing-interval"] = GoingOnRule.NothingCoverage,
        ["futile-interval"] = GoingOnRule.FutileCoverage,
        ["most-minutes"] = Policy.MostMinutes,
        ["sought-change"] = NoiseAdvice.Sought,
        ["centre-allowance"] = SmallestDetectableTable.CentreAllowance,
        ["steady-least-windows"] = SteadyRule.LeastWindows,
        ["steady-least-part"] = RankCusum.LeastPart,
        ["steady-level"] = RankCusum.Level,
        ["steady-least-change"] = Levels.LeastChange,
        ["steady-slope"] = SteadyRule.SlopeIn10Seconds,
        ["steady-quiet-windows"] = SteadyRule.QuietWindows,
        ["steady-quiet-methods"] = SteadyRule.QuietMethods,
        ["steady-leading-noise"] = SteadyRule.LeadingNoise,
        ["rest-share"] = ArmRest.Share,
        ["rest-level"] = ArmRest.Level,
        ["rest-least-drift"] = ArmRest.LeastDrift,
        ["rest-least-launches"] = ArmRest.LeastLaunches,
        ["rest-least-windows"] = ArmRest.LeastMeasuredWindows,
        ["rest-compiling-share"] = LaunchRest.CompilingShare,
        ["rest-compiling-windows"] = LaunchRest.LeastCompilingWindows,
        ["most-advised"] = NoiseAdvice.MostSeconds,
        ["most-taken"] = NoiseSources.MostTaken,
        ["client-share"] = ClientBound.Share,
        ["processor-own-share"] = ProcessorTime.LeastOwnShare,
        ["aa-runs"] = CellMargin.LeastRuns,
        ["aa-share"] = CellMargin.Share,
        ["trend-least-part"] = StepFunction.LeastPart,
        ["trend-points"] = StepRule.Ratios.LeastPoints,
        ["trend-z"] = StepRule.Ratios.Least,
        ["trend-z-log"] = StepRule.Ratios.PerLog,
        ["raw-points"] = StepRule.Raw.LeastPoints,
        ["raw-z"] = StepRule.Raw.Least,
        ["raw-z-log"] = StepRule.Raw.PerLog,
        ["raw-reach"] = StepRule.Raw.Reach,
        ["raw-most-alike"] = StepSearch.MostAlike,
        ["step-fall"] = StepRule.Fall,
        ["trend-discovery-rate"] = TrendLook.DiscoveryRate,
        ["trend-looks"] = TrendLook.LooksUntilDue,
        ["trend-tolerance"] = TrendLook.Tolerance,
        ["trend-others"] = TrendLook.ToleranceOfOthers,
        ["trend-widened"] = TrendLook.Widened,
        ["trend-rounds"] = ConfirmLine.Rounds,
        ["trend-stopped"] = TrendLook.StoppedAfter,
        ["trend-recovered"] = TrendLook.RecoveredWithin,
        ["host-share"] = HostSteps.LeastShare,
        ["host-size"] = HostSteps.LeastSize,
        ["host-settled"] = HostSteps.SettledAfter,
        ["host-tolerance"] = HostSteps.Tolerance,
        ["anchor-overlap"] = TrendSeries.LeastOverlap,
    };

    [Fact]
    public void the_table_of_constants_is_that_of_the_code()
    {
        var inTheDocument = ConstantRow().Matches(Document()).ToDictionary(
            match => match.Groups["name"].Value,
            match => double.Parse(match.Groups["value"].Value, CultureInfo.InvariantCulture),
            StringComparer.Ordinal);

        inTheDocument.ShouldBe(InTheCode, ignoreOrder: true);
    }

    [Fact]
    public void every_verdict_has_a_word_and_is_explained()
    {
        var rows = Repository.Read("docs/reading-a-report.md").Split("## Verdicts\n")[1].Split("\n## ")[0];
        foreach (var verdict in Enum.GetValues<Verdict>())
        {
            rows.ShouldContain($"\n| `{Words.Of(verdict)}");
        }
    }

    [Fact]
    public void the_numbers_said_in_passing_are_right()
    {
        Document().ShouldContain("7, 9, 11, 12, 13 confirm rounds for\nK = 1, 4, 16, 39, 60");
        new[] { 1, 4, 16, 39, 60 }.Select(kept => PolicyRules.ConfirmRoundsNeeded(kept, Default.FamilyError)).ShouldBe([7, 9, 11, 12, 13]);
        Document().ShouldContain("attained: 0.078 ");
        PolicyRules.AttainedKeepLevel(Default).ShouldBe(0.078, 0.0005);
        Document().ShouldContain($"simulating 1,000,000 cells with seed {SmallestDetectableTable.Seed}");
        SmallestDetectableTable.SimulatedCells.ShouldBe(1_000_000);
    }

    [Fact]
    public void the_looks_are_those_of_the_code()
    {
        Document().ShouldContain($"after {string.Join(" and ", GoingOnRule.Looks)} confirm rounds");
    }

    [Fact]
    public void the_figures_of_one_comparison_are_those_that_were_printed_rounded()
    {
        var printed = PrintedRow().Matches(Repository.Read("benchmarks/PerfLab.Calibration/calibration.md"))
            .Select(row => (Name: row.Groups["name"].Value, Case: row.Groups["case"].Value, Aim: row.Groups["aim"].Value,
                Measured: decimal.Parse(row.Groups["measured"].Value, CultureInfo.InvariantCulture),
                Bound: row.Groups["bound"].Value)).ToList();

        // Not simulated long enough to say anything but which rows there are.
        var few = new Run(new Size("few", Comparisons: 1, PowerComparisons: 1, Cells: 1), Seed: 1);
        printed.Select(row => (row.Name, row.Case, row.Aim))
            .ShouldBe(FigureTable.Rows(few, ["G1", "G2", "G3"]).Select(row => (row.Name, row.Case, row.Aim)));

        Measured("G1").ShouldBe(printed.Where(row => row.Name == "G1").Chunk(NoiseShapes.All.Count).Select(rows => FormattableString.Invariant(
            $"{string.Join(" / ", rows.Select(row => row.Measured.ToString("0.00", CultureInfo.InvariantCulture)))} %, largest upper bound ")
            + FormattableString.Invariant($"{rows.Max(row => decimal.Parse(row.Bound, CultureInfo.InvariantCulture)):0.00} %")));
        Measured("G2").SelectMany(cell => cell.Split(", ")).ShouldBe(
            printed.Where(row => row.Name == "G2").Select(row => FormattableString.Invariant($"{row.Measured:0.0} %")), ignoreOrder: true);
        var rounds = printed.Where(row => row.Name == "G3").Select(row => row.Measured).ToList();
        Measured("G3").ShouldBe([FormattableString.Invariant($"{rounds.Min():0.00} to {rounds.Max():0.00}")]);
    }

    [Fact]
    public void machines_of_unequal_noise_and_drift_are_those_of_the_simulation()
    {
        var noise = string.Join(" : ", FalseFlagRate.Unequal.Select(factor => factor / FalseFlagRate.Unequal[0]));
        Figures().ShouldContain($"on machines of {noise} noise");
        Repository.Read("docs/internals/shards.md").ShouldContain($"whose noise is as {noise}, with half of each");
        var drifts = FalseFlagRate.UnequalDrifts.Select(drift => FormattableString.Invariant($"{100 * drift}")).ToList();
        Figures().ShouldContain($"drifting by {string.Join(", ", drifts.SkipLast(1))} and {drifts[^1]} % from one launch to the next");
    }

    /// <summary>The column "measured" of a figure's rows.</summary>
    private static IEnumerable<string> Measured(string figure) => Figures().Split('\n')
        .Where(line => line.StartsWith($"| {figure} | ", StringComparison.Ordinal)).Select(line => line.Split(" | ")[3]);

    private static string Document() => Repository.Read("docs/internals/statistics-method.md");

    private static string Figures() => Repository.Read("results/figures.md");

    [GeneratedRegex(@"^\| (?<name>G[123]) \| (?<case>[^|]+) \| (?<aim>[^|]+) \| (?<measured>[0-9.]+)( %)? \| (?<bound>[0-9.]*)( %)? \|",
        RegexOptions.Multiline | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex PrintedRow();

    [GeneratedRegex(@"^\| `(?<name>[a-z-]+)` \| (?<value>[0-9.]+) \|", RegexOptions.Multiline | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex ConstantRow();
}
