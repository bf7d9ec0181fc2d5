using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Exact;

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
