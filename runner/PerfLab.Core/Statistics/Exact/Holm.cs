namespace PerfLab.Core.Statistics.Exact;

/// <summary>
/// Holm's step-down adjustment: calling what is adjusted to at most a flags anything falsely with probability at most a over the
/// whole family, however its members depend on each other (Holm, Scandinavian Journal of Statistics 6, 1979).
/// </summary>
public static class Holm
{
    /// <summary>Adjusted p-values in the order of <paramref name="pValues"/>.</summary>
    public static double[] Adjust(IReadOnlyList<double> pValues)
    {
        var order = Enumerable.Range(0, pValues.Count).OrderBy(index => pValues[index]).ToArray();
        var adjusted = new double[pValues.Count];
        var largest = 0.0;
        for (var place = 0; place < order.Length; place++)
        {
            largest = Math.Max(largest, Math.Min(1, (order.Length - place) * pValues[order[place]]));
            adjusted[order[place]] = largest;
        }

        return adjusted;
    }
}
