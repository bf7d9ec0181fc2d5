using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>
/// One figure for a round in turns: the median over its pairs of slices of how much longer a unit of work took, as a log ratio. A slice
/// that was hit by something is one of many. Whatever the slices depend on, the figures of rounds stay exchangeable between the arms when
/// nothing changed, so the test of rounds is as exact as for launches (docs/statistics.md, "In turns").
/// </summary>
public static class SlicePairs
{
    /// <summary>
    /// + is slower; rounded as all log ratios are. Null when the arms have not as many slices as each other, or nobody knows their work.
    /// </summary>
    public static double? Difference(TurnSlices? reference, TurnSlices? arm) =>
        Differences(reference, arm) is { } differences ? Math.Round(Median.Of(differences), 12) : null;

    /// <summary>
    /// Variance of that figure by what its pairs of slices scatter, as if each were alone: of a median it is pi / 2 times that of a mean.
    /// Null where there is no figure.
    /// </summary>
    public static double? Variance(TurnSlices? reference, TurnSlices? arm) =>
        Differences(reference, arm) is { } differences && Median.Deviation(differences) is var spread
            ? spread * spread * Math.PI / 2 / differences.Length : null;

    private static double[]? Differences(TurnSlices? reference, TurnSlices? arm) =>
        reference is { Work: { } before } && arm is { Work: { } after } && before.Count == after.Count
        ? [.. Enumerable.Range(0, after.Count)
            .Select(slice => Math.Log(arm.Seconds[slice] / after[slice] / (reference.Seconds[slice] / before[slice])))]
        : null;
}
