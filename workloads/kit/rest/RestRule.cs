using System;
using System.Runtime.CompilerServices;

namespace PerfLab.WorkloadKit;

/// <summary>What keeps a program from rest.</summary>
internal enum Restless { No, Compiling, Trend }

/// <summary>
/// Whether a program is at rest, from the windows of its warm-up so far: the JIT has been quiet for a while, and the rate neither rises nor
/// falls. It sees its own launch alone, so it can't favour an arm. Pure: the same windows give the same answer. It asks for nothing that the
/// JIT would compile again and again, since that is what it looks for.
/// </summary>
internal static class RestRule
{
    /// <summary>Windows whose rates are looked at, the last ones.</summary>
    public const int TrendWindows = 10;

    /// <summary>
    /// Seconds after which so many windows are no longer waited for: their pieces of work are long, and ten of them would be most of a launch.
    /// </summary>
    public const double LongestWait = 2;

    /// <summary>Kendall's score beyond so many deviations is no chance: 1 %, two-sided.</summary>
    public const double TrendBound = 2.5758;

    /// <summary>A trend that moves the rate by less than this, from the first to the last half of these windows, does not matter.</summary>
    public const double LeastTrend = 0.01;

    /// <summary>Of Kendall's score of so many values in an order that is chance.</summary>
    private static readonly double Deviation = Math.Sqrt(TrendWindows * (TrendWindows - 1) * ((2 * TrendWindows) + 5) / 18.0);

    /// <param name="quiet">So many seconds without a method compiled are asked for (<see cref="QuietTime"/>).</param>
    /// <param name="ends">When each window ended, in seconds; the first <paramref name="count"/> are looked at, of the others too.</param>
    /// <param name="rates">Units of work per second in each.</param>
    /// <param name="compiled">Methods compiled in each; zeros where the runtime can't tell.</param>
    /// <param name="count">How many windows there are.</param>
    [MethodImpl(Recorder.CompiledOnce)]
    public static Restless Judge(double quiet, double[] ends, double[] rates, long[] compiled, int count) =>
        IsCompiling(quiet, ends, compiled, count) ? Restless.Compiling : HasTrend(ends, rates, count) ? Restless.Trend : Restless.No;

    [MethodImpl(Recorder.CompiledOnce)]
    private static bool IsCompiling(double quiet, double[] ends, long[] compiled, int count)
    {
        // What was compiled before, nobody watched; and a runtime that can't tell is given the time.
        if (count == 0 || ends[count - 1] < quiet)
        {
            return true;
        }

        // At least one window: where a piece of work takes longer than all of that, the last one.
        var methods = 0L;
        for (var window = count - 1; window >= 0; window--)
        {
            methods += compiled[window];
            if (window == 0 || ends[count - 1] - ends[window - 1] >= quiet)
            {
                break;
            }
        }

        return methods > 0;
    }

    [MethodImpl(Recorder.CompiledOnce)]
    private static bool HasTrend(double[] ends, double[] rates, int count)
    {
        if (count < TrendWindows)
        {
            return count == 0 || ends[count - 1] < LongestWait;
        }

        var score = 0;
        for (var one = count - TrendWindows; one < count; one++)
        {
            for (var other = one + 1; other < count; other++)
            {
                score += rates[other] > rates[one] ? 1 : rates[other] < rates[one] ? -1 : 0;
            }
        }

        var before = Median(rates, count - TrendWindows, TrendWindows / 2);
        var after = Median(rates, count - (TrendWindows / 2), TrendWindows / 2);
        return (Math.Abs(score) - 1) / Deviation > TrendBound && Math.Abs(after - before) > LeastTrend * before;
    }

    [MethodImpl(Recorder.CompiledOnce)]
    private static double Median(double[] values, int first, int count)
    {
        var sorted = new double[count];
        for (var next = 0; next < count; next++)
        {
            var place = next;
            for (; place > 0 && sorted[place - 1] > values[first + next]; place--)
            {
                sorted[place] = sorted[place - 1];
            }

            sorted[place] = values[first + next];
        }

        return sorted[count / 2];
    }
}
