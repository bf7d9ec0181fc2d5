using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Exact;

/// <summary>
/// The spread of the paired log ratios, printed as "noise": what their standard deviation would be if they were normal. It is the
/// median distance between two of them, so a few bad rounds do not move it.
/// </summary>
public static class Noise
{
    /// <summary>Turns the median distance of two normal variates into their standard deviation: 1 / (sqrt(2) x 0.67449).</summary>
    public const double ToStandardDeviation = 1.0483;

    /// <summary>n differences read high by 0.45 / n on average; found by simulation, a test repeats it.</summary>
    public const double SmallSample = 0.45;

    /// <summary>Noise as a fraction (log units); null for fewer than two values.</summary>
    public static double? Of(ReadOnlySpan<double> differences)
    {
        if (differences.Length < 2)
        {
            return null;
        }

        var distances = new double[differences.Length * (differences.Length - 1) / 2];
        var next = 0;
        for (var i = 0; i < differences.Length; i++)
        {
            for (var j = i + 1; j < differences.Length; j++)
            {
                distances[next++] = Math.Abs(differences[i] - differences[j]);
            }
        }

        Array.Sort(distances);
        return ToStandardDeviation * Median.OfSorted(distances) * (1 - (SmallSample / differences.Length));
    }
}

/// <summary>
/// The margin in log units, symmetric: slower by the factor 1 + m is as far as faster by it. Two builds of one commit differ by code
/// layout, which rounds do not average away, so smaller changes are not called.
/// </summary>
public readonly record struct PracticalMargin(double Log)
{
    /// <summary>From the policy's fraction, rounded like the log ratios it is compared with.</summary>
    public static PracticalMargin Of(Policy policy) => new(Math.Round(Math.Log(1 + policy.Margin), 12));

    /// <summary>Whether a centre lies at or beyond the margin in the given direction (+1 or -1).</summary>
    public bool IsReachedBy(double centre, int direction) => centre * direction >= Log;

    /// <summary>Whether the whole interval lies between the two margins.</summary>
    public bool Contains(SignedRankInterval interval) => interval.Low >= -Log && interval.High <= Log;
}
