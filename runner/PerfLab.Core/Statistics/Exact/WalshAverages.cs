using System.Runtime.InteropServices;

namespace PerfLab.Core.Statistics.Exact;

/// <summary>A two-sided interval in the unit of the differences, with the coverage it really has.</summary>
[StructLayout(LayoutKind.Auto)]
public readonly record struct SignedRankInterval(double Low, double High, double Coverage);

/// <summary>
/// All averages of two differences (each also with itself), sorted. The centre and the interval that belong to the signed-rank test are
/// read off them: Hodges, Lehmann, "Estimates of location based on rank tests", 1963.
/// </summary>
public sealed class WalshAverages
{
    private readonly double[] _sorted;
    private readonly int _differences;

    public WalshAverages(ReadOnlySpan<double> differences)
    {
        _differences = differences.Length;
        _sorted = new double[differences.Length * (differences.Length + 1) / 2];
        var next = 0;
        for (var i = 0; i < differences.Length; i++)
        {
            for (var j = i; j < differences.Length; j++)
            {
                _sorted[next++] = (differences[i] + differences[j]) / 2;
            }
        }

        Array.Sort(_sorted);
    }

    public IReadOnlyList<double> Sorted => _sorted;

    /// <summary>The Hodges-Lehmann centre. Throws when there are no differences.</summary>
    public double Centre => Median.OfSorted(_sorted);

    /// <summary>
    /// The narrowest signed-rank interval that covers at least <paramref name="coverage"/>; null when there are too few differences
    /// for any (six are needed for 95 %).
    /// </summary>
    public SignedRankInterval? Interval(double coverage)
    {
        var (rank, attained) = SignedRankNull.IntervalRank(_differences, coverage);
        return rank == 0 ? null : new(_sorted[rank - 1], _sorted[^rank], attained);
    }
}
