using System.Runtime.InteropServices;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>What several sessions say together. Log units.</summary>
/// <param name="Spread">Standard deviation of what the sessions differ by beyond their own noise.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct PooledChange(double Centre, double Low, double High, double Spread);

/// <summary>
/// One change from several sessions, each of which may lie somewhere else: the random effects of DerSimonian and Laird (Controlled Clinical
/// Trials 7, 1986) with the interval of Hartung and Knapp (Statistics in Medicine 20, 2001).
/// Its factor is never taken below 1 (Röver, Knapp,
/// Friede, BMC Medical Research Methodology 15, 2015), so that two sessions that agree by chance do not look certain.
/// </summary>
public static class RandomEffects
{
    /// <summary>Of a session without any noise: the square of the resolution of log ratios.</summary>
    private const double LeastVariance = 1e-24;

    /// <param name="sessions">Centre of each session and the variance of that centre, log units.</param>
    /// <param name="coverage">Of the interval, below 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">Fewer than two sessions.</exception>
    public static PooledChange Of(IReadOnlyList<(double Centre, double Variance)> sessions, double coverage)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(sessions.Count, 2, nameof(sessions));
        double[] variances = [.. sessions.Select(session => Math.Max(session.Variance, LeastVariance))];
        double[] centres = [.. sessions.Select(session => session.Centre)];
        var free = sessions.Count - 1;
        var (weights, fixedCentre) = Weighted(centres, variances, 0);
        var heterogeneity = Sum(weights, centres, fixedCentre);
        var between = Math.Max(0, (heterogeneity - free) / (weights.Sum() - (weights.Sum(weight => weight * weight) / weights.Sum())));
        var (random, centre) = Weighted(centres, variances, between);
        var factor = Math.Max(1, Sum(random, centres, centre) / free);
        var reach = StudentT.Quantile(free, (1 + coverage) / 2) * Math.Sqrt(factor / random.Sum());
        return new(centre, centre - reach, centre + reach, Math.Sqrt(between));
    }

    private static (double[] Weights, double Centre) Weighted(double[] centres, double[] variances, double between)
    {
        double[] weights = [.. variances.Select(variance => 1 / (variance + between))];
        return (weights, weights.Zip(centres, (weight, centre) => weight * centre).Sum() / weights.Sum());
    }

    private static double Sum(double[] weights, double[] centres, double around) =>
        weights.Zip(centres, (weight, centre) => weight * (centre - around) * (centre - around)).Sum();
}

/// <summary>Student's t for whole degrees of freedom, by its finite sums (Abramowitz, Stegun, 26.7.3 and 26.7.4).</summary>
public static class StudentT
{
    /// <summary>The value below which a share of <paramref name="probability"/> (above a half) lies.</summary>
    public static double Quantile(int degrees, double probability)
    {
        // t is the tangent of an angle times the root of the degrees; between 0 and a right angle the share only rises.
        var (low, high) = (0.0, Math.PI / 2);
        for (var step = 0; step < 100; step++)
        {
            var middle = (low + high) / 2;
            (low, high) = (1 + Within(degrees, middle)) / 2 < probability ? (middle, high) : (low, middle);
        }

        return Math.Sqrt(degrees) * Math.Tan((low + high) / 2);
    }

    /// <summary>P(|t| &lt; tan(angle) x root of the degrees).</summary>
    private static double Within(int degrees, double angle)
    {
        var (sine, cosine) = Math.SinCos(angle);
        var isOdd = degrees % 2 == 1;
        var (term, sum) = (isOdd ? cosine : 1, 0.0);
        for (var next = isOdd ? 3 : 2; next <= degrees; next += 2)
        {
            sum += term;
            term *= cosine * cosine * (next - 1) / next;
        }

        return isOdd ? 2 / Math.PI * (angle + (sine * sum)) : sine * sum;
    }
}
