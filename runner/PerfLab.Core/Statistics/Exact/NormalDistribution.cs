namespace PerfLab.Core.Statistics.Exact;

/// <summary>The standard normal law: for stages too long for the exact null distribution, and as a scale for small chances.</summary>
public static class NormalDistribution
{
    // Hart's rational approximation 5666 in double precision, as published by G. West,
    // "Better approximations to cumulative normal functions", Wilmott 2005. Absolute error below 1e-15.
    private static readonly double[] Numerator =
    [
        3.52624965998911e-02, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871, 221.213596169931, 220.206867912376,
    ];

    private static readonly double[] Denominator =
    [
        8.83883476483184e-02, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674, 637.333633378831, 793.826512519948,
        440.413735824752,
    ];

    /// <summary>P(Z &lt;= <paramref name="z"/>).</summary>
    public static double Cdf(double z)
    {
        var upper = UpperTail(Math.Abs(z));
        return z > 0 ? 1 - upper : upper;
    }

    /// <summary>z with P(Z > z) = <paramref name="chance"/>, above 0 and at most one half.</summary>
    public static double UpperQuantile(double chance)
    {
        // The tail is at most exp(-z^2 / 2) / 2, and its logarithm is concave: Newton's steps come down to the root and never pass it.
        var (z, step) = (Math.Sqrt(Math.Max(0, -2 * Math.Log(2 * chance))), 1.0);
        for (var round = 0; round < 50 && step > 1e-14; round++)
        {
            var tail = UpperTail(z);
            step = Math.Log(chance / tail) * tail * Math.Sqrt(2 * Math.PI) / Math.Exp(-z * z / 2);
            z -= step;
        }

        return Math.Max(0, z);
    }

    private static double UpperTail(double z)
    {
        if (z > 37)
        {
            return 0;
        }

        var density = Math.Exp(-z * z / 2);
        if (z < 7.07106781186547)
        {
            return density * Polynomial(Numerator, z) / Polynomial(Denominator, z);
        }

        var fraction = z + (1 / (z + (2 / (z + (3 / (z + (4 / (z + 0.65))))))));
        return density / fraction / 2.506628274631;
    }

    private static double Polynomial(double[] coefficients, double x)
    {
        var sum = 0.0;
        foreach (var coefficient in coefficients)
        {
            sum = (sum * x) + coefficient;
        }

        return sum;
    }
}
