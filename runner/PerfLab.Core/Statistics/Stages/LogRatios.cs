using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>
/// The paired log ratios of one metric, + is worse, and the values that they come from; or the reason why there are none.
/// </summary>
public sealed record LogRatios
{
    /// <summary>More rounds than this are not compared: the figures take n squared of time and room, and a journal may come from anywhere.</summary>
    public const int MostRounds = 2000;

    /// <summary>ln(arm) - ln(reference), negated where higher is better, rounded to SignedRank.Resolution.</summary>
    public double[] Differences { get; private init; } = [];
    public double[] Reference { get; private init; } = [];
    public double[] Arm { get; private init; } = [];

    /// <summary>Why the values can't be compared (one is missing, zero, negative or not finite; there are too many), or null.</summary>
    public string? Problem { get; private init; }

    /// <summary>Whether both arms have 0 in every round, which is no change although there is no ratio.</summary>
    public bool IsAllZero => Reference.Length > 0 && Reference.Concat(Arm).All(value => value == 0);

    public static LogRatios Of(IReadOnlyList<RoundPair> pairs, Metric metric)
    {
        var strange = pairs.SelectMany(pair => new[] { pair.Reference, pair.Arm }).Where(launch => !(Value(launch, metric) > 0)).ToList();
        // Beside the metric that is judged, 0 is a value like any other (nothing allocated): it is shown, and there is nothing to advise.
        var isZero = strange.Count > 0 && !metric.Primary && strange.All(launch => Value(launch, metric) == 0);
        double[] differences = [.. pairs.Select(pair => Difference(pair, metric)).OfType<double>()];
        var problem = pairs.Count > MostRounds ? Invariant($"{pairs.Count} rounds: at most {MostRounds} can be compared")
            : strange.Count > 0 && !isZero ? Describe(strange[0], metric)
            : differences.Length < pairs.Count && !isZero ? "the arms of a round did not take as many turns as each other"
            : null;
        double[] reference = [.. pairs.Select(pair => Value(pair.Reference, metric)).OfType<double>()];
        double[] arm = [.. pairs.Select(pair => Value(pair.Arm, metric)).OfType<double>()];
        return new()
        {
            Reference = reference,
            Arm = arm,
            Problem = problem,
            Differences = problem is null && !isZero ? differences : [],
        };
    }

    /// <summary>The value as it was measured, when it is a finite number.</summary>
    public static double? Value(Launch launch, Metric metric) =>
        launch.Metrics.TryGetValue(metric.Name, out var value) && double.IsFinite(value) ? value : null;

    /// <summary>
    /// How much worse the arm was in a round, in log units: where they took turns, the median over the sets of slices, for the metric that
    /// slices tell. Slices that the clock cut tell no more than their sum, which is the value. Null where there is no such figure.
    /// </summary>
    private static double? Difference(RoundPair pair, Metric metric) =>
        metric.Primary && (pair.Reference.Turns ?? pair.Arm.Turns) is { Work: not null }
        ? SlicePairs.Difference(pair.Reference.Turns, pair.Arm.Turns)
        : Value(pair.Reference, metric) is { } from && Value(pair.Arm, metric) is { } to ? Difference(from, to, metric.Better) : null;

    /// <summary>How much worse <paramref name="to"/> is than <paramref name="from"/>, in log units.</summary>
    private static double Difference(double from, double to, Better better)
    {
        var worse = better == Better.Higher ? Math.Log(from) - Math.Log(to) : Math.Log(to) - Math.Log(from);
        return Math.Round(worse, 12);
    }

    /// <summary>Why the value of this launch has no logarithm.</summary>
    private static string Describe(Launch launch, Metric metric)
    {
        var where = Invariant($"arm {launch.Arm}, {Words.Of(launch.Stage)} round {launch.Round}");
        return launch.Metrics.TryGetValue(metric.Name, out var value)
            ? Invariant($"{metric.Name} is {value} {metric.Unit} ({where}): ratios need positive numbers; ")
                + "give the workload a metric that can't be zero, or declare it `kind: exact`"
            : $"{metric.Name} is missing ({where}): nothing can be compared";
    }
}
