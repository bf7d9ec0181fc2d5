using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Trends;
using static System.FormattableString;

namespace PerfLab.Calibration;

/// <summary>results/small-steps.md: at which of ten small steps a budget speaks, and how often it speaks where nothing changed.</summary>
public static class SmallSteps
{
    public const double Step = 0.008, Budget = 0.05;
    public const int Steps = 10;

    /// <summary>Seven steps of 0.8 % are 5.7 %: the first that are beyond the budget.</summary>
    public const int Right = 7;

    /// <summary>Sessions of the trend before the first step.</summary>
    private const int Before = 8;

    private const int Rounds = 20;

    /// <summary>One tally a step, one for never, one for a change of nothing that was flagged after the last step.</summary>
    public const int Tallies = Steps + 2;

    private static readonly DateTimeOffset Begin = new(2026, 1, 4, 3, 0, 0, TimeSpan.Zero);

    public static IEnumerable<string> Lines(ulong seed, int repetitions)
    {
        yield return "| noise of a round | sessions differ by | before step 6 | at 6 | at 7 | at 8 | at 9 | at 10 | never | nothing, flagged after step 10 |";
        yield return "|---|---|---|---|---|---|---|---|---|---|";
        foreach (var (noise, apart) in new[] { (0.0025, 0.0), (0.005, 0), (0.01, 0), (0.02, 0), (0.005, 0.001), (0.005, 0.002), (0.005, 0.005) })
        {
            var sums = SeededRuns.Sum(
                new(Invariant($"small steps {noise} {apart}"), seed, repetitions, Tallies), () => (random, counters) => Count(random, noise, apart, counters));
            long[] shown = [sums.Take(5).Sum(), .. sums.Skip(5)];
            yield return Invariant($"| {100 * noise} % | {100 * apart} % | ")
                + string.Join(" | ", shown.Select(count => Invariant($"{100.0 * count / repetitions:0.0} %"))) + " |";
        }
    }

    /// <summary>One branch: ten steps, each compared with the one before, then merged and measured beside the anchor.</summary>
    /// <param name="noise">Of a paired round, in log units.</param>
    /// <param name="apart">By how much two sessions of the same builds differ beyond that: a standard deviation.</param>
    public static void Count(SeededRandom random, double noise, double apart, long[] counters)
    {
        var main = new List<MainPoint>();
        for (var week = 0; week < Before; week++)
        {
            Merge(main, week, 0, random, noise, apart);
        }

        var first = 0;
        for (var step = 1; step <= Steps; step++)
        {
            first = first == 0 && IsOverspent(main, Math.Log(1 + Step), random, noise, apart) ? step : first;
            Merge(main, Before + step, step * Math.Log(1 + Step), random, noise, apart);
        }

        counters[first == 0 ? Steps : first - 1]++;
        counters[Steps + 1] += IsOverspent(main, 0, random, noise, apart) ? 1 : 0;
    }

    private static bool IsOverspent(List<MainPoint> main, double change, SeededRandom random, double noise, double apart)
    {
        var (centre, low, high, p) = Session(change, random, noise, apart);
        var row = new ComparedMetric
        {
            Cell = "c",
            Arm = "head",
            Reference = "base",
            Metric = "time",
            Primary = true,
            Unit = "s",
            Rounds = Rounds,
            Change = Math.Exp(centre) - 1,
            Low = Math.Exp(low) - 1,
            High = Math.Exp(high) - 1,
            AdjustedP = p,
            Verdict = Verdict.Undecided,
        };
        return BudgetRule.Of(row, main, Budget, new Policy().FamilyError)!.Overspent;
    }

    private static void Merge(List<MainPoint> main, int week, double level, SeededRandom random, double noise, double apart)
    {
        var (centre, low, high, _) = Session(level, random, noise, apart);
        main.Insert(0, new(new(Invariant($"week-{week}"), Begin.AddDays(7 * week), null), "anchor", centre, low, high));
    }

    private static (double Centre, double Low, double High, double PValue) Session(double change, SeededRandom random, double noise, double apart)
    {
        var here = change + (apart * random.NextNormal());
        double[] rounds = [.. Enumerable.Range(0, Rounds).Select(_ => here + (noise * random.NextNormal()))];
        var walsh = new WalshAverages(rounds);
        var interval = walsh.Interval(new Policy().Interval)!.Value;
        return (walsh.Centre, interval.Low, interval.High, StageRule.ConfirmPValue(rounds, 0));
    }
}
