namespace PerfLab.Core.Statistics.Exact;

/// <summary>
/// Benjamini and Hochberg's step-up rule: of what it lets through, at most the share <c>rate</c> is false on average (Journal of the Royal
/// Statistical Society B 57, 1995).
/// </summary>
public static class BenjaminiHochberg
{
    /// <summary>Which of <paramref name="pValues"/> pass.</summary>
    /// <param name="pValues">Of the interesting ones.</param>
    /// <param name="tested">How many were looked at, the uninteresting ones with them: leaving those out would let everything
    /// through.</param>
    /// <param name="rate">The false discovery rate, a fraction.</param>
    public static bool[] Pass(IReadOnlyList<double> pValues, int tested, double rate)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(tested, pValues.Count);
        var order = Enumerable.Range(0, pValues.Count).OrderBy(index => pValues[index]).ToArray();
        var last = order.Length - 1;
        while (last >= 0 && pValues[order[last]] > rate * (last + 1) / tested)
        {
            last--;
        }

        var passed = new bool[pValues.Count];
        for (var place = 0; place <= last; place++)
        {
            passed[order[place]] = true;
        }

        return passed;
    }
}
