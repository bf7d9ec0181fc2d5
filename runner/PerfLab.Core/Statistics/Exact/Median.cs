namespace PerfLab.Core.Statistics.Exact;

/// <summary>The middle value; of an even number of values the mean of the two in the middle.</summary>
public static class Median
{
    /// <summary>
    /// Median of <paramref name="values"/>, in their unit. Throws when there are none: no value stands for "nothing measured".
    /// </summary>
    public static double Of(IEnumerable<double> values)
    {
        var sorted = values.ToArray();
        Array.Sort(sorted);
        return OfSorted(sorted);
    }

    /// <summary>Median of values that are already in ascending order.</summary>
    public static double OfSorted(ReadOnlySpan<double> sorted)
    {
        ArgumentOutOfRangeException.ThrowIfZero(sorted.Length, nameof(sorted));
        var upper = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[upper] : sorted[upper - 1] + ((sorted[upper] - sorted[upper - 1]) / 2);
    }
}
