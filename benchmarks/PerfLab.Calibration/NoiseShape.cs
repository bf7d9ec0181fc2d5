using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Calibration;

/// <summary>How the launches of one arm scatter around their centre, in log units.</summary>
public enum NoiseShape { Normal, T3, Bimodal, Outliers, LogNormal }

/// <summary>Draws launches and paired differences of a shape. A difference is head minus base, each a launch of its own.</summary>
public static class NoiseShapes
{
    /// <summary>The modes of a bimodal workload lie this many standard deviations of a single mode apart: 3 % at 1 % noise.</summary>
    public const double ModeDistance = 3;

    /// <summary>One round in twenty has a launch, on either side, that is slow by ten standard deviations.</summary>
    public const double OutlierChance = 0.025;
    public const double OutlierSize = 10;

    /// <summary>Of the logarithm: a launch in twenty takes five times the median's time above the floor.</summary>
    public const double LogNormalSigma = 1;

    public static IReadOnlyList<NoiseShape> All { get; } = Enum.GetValues<NoiseShape>();

    /// <summary>One paired difference of two unchanged arms.</summary>
    public static double Difference(this NoiseShape shape, SeededRandom random) =>
        shape == NoiseShape.Normal ? Math.Sqrt(2) * random.NextNormal() : Launch(shape, random) - Launch(shape, random);

    /// <summary>
    /// What the report would print as noise for very many rounds of this shape: the scale on which power is stated. From 400,000 pairs
    /// of differences with a seed of its own.
    /// </summary>
    public static double PrintedNoise(this NoiseShape shape)
    {
        var random = SeededRandom.For(1, $"printed noise {shape}");
        var distances = new double[400_000];
        for (var i = 0; i < distances.Length; i++)
        {
            distances[i] = Math.Abs(Difference(shape, random) - Difference(shape, random));
        }

        return Noise.ToStandardDeviation * Median.Of(distances);
    }

    /// <summary>One launch of an arm.</summary>
    public static double Launch(this NoiseShape shape, SeededRandom random) => shape switch
    {
        NoiseShape.T3 => StudentT3(random),
        NoiseShape.Bimodal => random.NextNormal() + (random.NextDouble() < 0.5 ? ModeDistance : 0),
        NoiseShape.Outliers => random.NextNormal() + (random.NextDouble() < OutlierChance ? OutlierSize : 0),
        NoiseShape.LogNormal => Math.Exp(LogNormalSigma * random.NextNormal()),
        _ => random.NextNormal(),
    };

    /// <summary>
    /// Student's t with 3 degrees of freedom: Bailey, "Polar generation of random variates with the t-distribution", 1994.
    /// </summary>
    private static double StudentT3(SeededRandom random)
    {
        var radius = Math.Sqrt(3 * (Math.Pow(1 - random.NextDouble(), -2.0 / 3) - 1));
        return radius * Math.Cos(2 * Math.PI * random.NextDouble());
    }
}
