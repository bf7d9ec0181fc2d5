using System.Runtime.CompilerServices;

namespace PerfLab.Runner.Machine;

/// <summary>What the same work took, again and again.</summary>
/// <param name="Seconds">Every repeat, in order.</param>
/// <param name="MedianSeconds">The middle of them.</param>
/// <param name="Spread">Typical distance from the median, as a share of it (1.4826 × median absolute deviation: a standard deviation where
/// the noise is normal, and not ruled by one bad repeat where it is not).</param>
/// <param name="Worst">How much longer than the shortest repeat the longest took, as a share.</param>
public sealed record SelfTestResult(IReadOnlyList<double> Seconds, double MedianSeconds, double Spread, double Worst);

/// <summary>A fixed amount of arithmetic, repeated: how quiet the machine is, as a figure.</summary>
public static class SelfTest
{
    private const double NormalFactor = 1.4826;
    private const int Steps = 20_000_000;

    /// <summary>About 20 ms of work a repeat on the calling thread, after one that does not count.</summary>
    /// <param name="time">The clock.</param>
    /// <param name="repeats">At least 3.</param>
    /// <param name="work">The work of one repeat; null for the arithmetic.</param>
    public static SelfTestResult Run(TimeProvider time, int repeats = 25, Action? work = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(repeats, 3);
        work ??= Spin;
        work();
        var seconds = new double[repeats];
        for (var i = 0; i < repeats; i++)
        {
            var started = time.GetTimestamp();
            work();
            seconds[i] = time.GetElapsedTime(started).TotalSeconds;
        }

        var median = Median(seconds);
        var deviation = Median([.. seconds.Select(value => Math.Abs(value - median))]);
        return new SelfTestResult(
            seconds, median, median > 0 ? NormalFactor * deviation / median : 0, seconds.Min() > 0 ? (seconds.Max() / seconds.Min()) - 1 : 0);
    }

    // Optimised from the first call on: a change of tier between repeats would be measured as noise of the machine.
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void Spin()
    {
        var state = 88_172_645_463_325_252ul;
        for (var i = 0; i < Steps; i++)
        {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }

        GC.KeepAlive(state);
    }

    private static double Median(double[] values)
    {
        var sorted = values.Order().ToArray();
        var middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
