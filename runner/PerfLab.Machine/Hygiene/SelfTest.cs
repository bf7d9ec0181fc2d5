using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Machine.Hygiene;

/// <summary>What the same work took, again and again.</summary>
/// <param name="Spread">Typical distance from the median, as a share of it (1.4826 × median absolute deviation: a standard deviation where
/// the noise is normal, and not ruled by one bad repeat where it is not).</param>
/// <param name="Worst">How much longer than the shortest repeat the longest took, as a share.</param>
public sealed record SelfTestResult(IReadOnlyList<double> Seconds, double MedianSeconds, double Spread, double Worst);

/// <summary>
/// Work that never changes, repeated: how quiet the machine is, as a figure, and whether it is as fast as it was (MongoDB keeps such
/// "canary benchmarks" beside the real ones).
/// </summary>
public static class SelfTest
{
    /// <summary>In doctor.</summary>
    public const int ManyRepeats = 25;

    /// <summary>Between blocks: about a quarter of a second in all.</summary>
    public const int FewRepeats = 7;

    /// <summary>All three kinds of work, one after the other on the calling thread, and nothing else of the lab at the same time.</summary>
    /// <param name="time">By which it is timed.</param>
    /// <param name="repeats">Of each kind, 3 or more; 0: nothing is done, and the machine counts as one that never changes.</param>
    public static SelfTestFigures RunAll(TimeProvider time, int repeats)
    {
        if (repeats == 0)
        {
            var same = new SelfTestResult([0.001, 0.001, 0.001], 0.001, 0, 0);
            return new(same, same, same);
        }

        using var sweep = new MemorySweep();
        return new SelfTestFigures(
            Run(time, repeats, () => Arithmetic.Once()), Run(time, repeats, sweep.Once), Run(time, repeats, SystemCalls.Once));
    }

    /// <summary>One kind of work, after one repeat that does not count.</summary>
    public static SelfTestResult Run(TimeProvider time, int repeats, Action work)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(repeats, 3);
        work();
        var seconds = new double[repeats];
        for (var i = 0; i < repeats; i++)
        {
            var started = time.GetTimestamp();
            work();
            seconds[i] = time.GetElapsedTime(started).TotalSeconds;
        }

        var median = Median.Of(seconds);
        return new SelfTestResult(
            seconds, median, median > 0 ? Median.Deviation(seconds) / median : 0, seconds.Min() > 0 ? (seconds.Max() / seconds.Min()) - 1 : 0);
    }
}
