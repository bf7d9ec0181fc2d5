using System.Runtime.InteropServices;

namespace PerfLab.Core.Statistics.Exact;

/// <summary>An exact interval for a rate.</summary>
[StructLayout(LayoutKind.Auto)]
public readonly record struct RateInterval(double Low, double High);

/// <summary>
/// The exact interval for a binomial rate (Clopper, Pearson, Biometrika 26, 1934): it covers at least what it says for every rate and
/// every number of trials, zero successes included.
/// </summary>
public static class ClopperPearson
{
    /// <summary>
    /// Two-sided interval for the rate behind <paramref name="successes"/> of <paramref name="trials"/>; no trials give [0, 1].
    /// </summary>
    public static RateInterval Interval(int successes, int trials, double coverage = 0.95)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(successes, trials);
        ArgumentOutOfRangeException.ThrowIfNegative(successes);
        var tail = (1 - coverage) / 2;
        return new(
            successes == 0 ? 0 : Solve(rate => Binomial.AtLeast(successes, trials, rate) < tail),
            successes == trials ? 1 : Solve(rate => Binomial.AtMost(successes, trials, rate) > tail));
    }

    /// <summary>The rate where <paramref name="isBelow"/> turns from true to false, by bisection down to the last bits.</summary>
    private static double Solve(Func<double, bool> isBelow)
    {
        var (low, high) = (0.0, 1.0);
        for (var step = 0; step < 100; step++)
        {
            var middle = (low + high) / 2;
            (low, high) = isBelow(middle) ? (middle, high) : (low, middle);
        }

        return (low + high) / 2;
    }
}
