namespace PerfLab.Core.Statistics.Exact;

/// <summary>Exact binomial tails, by the incomplete beta function.</summary>
public static class Binomial
{
    /// <summary>P(X >= <paramref name="successes"/>) for X binomial with <paramref name="trials"/> and <paramref name="chance"/>.</summary>
    public static double AtLeast(int successes, int trials, double chance)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(trials);
        if (successes <= 0)
        {
            return 1;
        }

        return successes > trials ? 0 : IncompleteBeta(chance, successes, trials - successes + 1);
    }

    /// <summary>P(X &lt;= <paramref name="successes"/>), summed from its own side so that small tails stay accurate.</summary>
    public static double AtMost(int successes, int trials, double chance) => AtLeast(trials - successes, trials, 1 - chance);

    /// <summary>
    /// One-sided p for "the arm fails more often than the reference": given how many launches failed in all, each of them was equally
    /// likely to be any launch of the two.
    /// </summary>
    public static double FailsMoreOften(int armFailures, int armLaunches, int referenceFailures, int referenceLaunches) =>
        armFailures == 0
            ? 1
            : AtLeast(armFailures, armFailures + referenceFailures, (double)armLaunches / (armLaunches + referenceLaunches));

    /// <summary>
    /// The regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz; Numerical Recipes, section 6.4).
    /// </summary>
    private static double IncompleteBeta(double x, double a, double b)
    {
        if (x is <= 0 or >= 1)
        {
            return x <= 0 ? 0 : 1;
        }

        var front = Math.Exp(LogGamma(a + b) - LogGamma(a) - LogGamma(b) + (a * Math.Log(x)) + (b * Math.Log(1 - x)));
        return x < (a + 1) / (a + b + 2)
            ? front * BetaFraction(x, a, b) / a
            : 1 - (front * BetaFraction(1 - x, b, a) / b);
    }

    private static double BetaFraction(double x, double a, double b)
    {
        const double Tiny = 1e-300;
        var c = 1.0;
        var d = 1 / NotZero(1 - ((a + b) * x / (a + 1)));
        var value = d;
        for (var m = 1; m <= 10_000; m++)
        {
            var even = m * (b - m) * x / ((a + (2 * m) - 1) * (a + (2 * m)));
            d = 1 / NotZero(1 + (even * d));
            c = NotZero(1 + (even / c));
            value *= d * c;
            var odd = -(a + m) * (a + b + m) * x / ((a + (2 * m)) * (a + (2 * m) + 1));
            d = 1 / NotZero(1 + (odd * d));
            c = NotZero(1 + (odd / c));
            value *= d * c;
            if (Math.Abs((d * c) - 1) < 1e-15)
            {
                break;
            }
        }

        return value;

        static double NotZero(double term) => Math.Abs(term) < Tiny ? Tiny : term;
    }

    // Lanczos' approximation with g = 7 and nine terms; relative error below 1e-14 for the positive arguments used here.
    private static readonly double[] Lanczos =
    [
        0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
        -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
    ];

    private static double LogGamma(double x)
    {
        var sum = Lanczos[0];
        for (var i = 1; i < Lanczos.Length; i++)
        {
            sum += Lanczos[i] / (x - 1 + i);
        }

        var t = x + 6.5;
        return (Math.Log(2 * Math.PI) / 2) + ((x - 0.5) * Math.Log(t)) - t + Math.Log(sum);
    }
}
