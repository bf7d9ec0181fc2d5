using System;
using System.Collections.Generic;

namespace PerfLab.WorkloadKit;

/// <summary>
/// Latencies from 1 µs to 60 s with three significant digits, in fixed memory (214 KiB), no allocation while recording. Log-linear, as in
/// HdrHistogram: every power of two is cut into 1,024 equal buckets, so a bucket is never wider than 1/1024 of its values. Not
/// thread-safe: one recorder a worker, merged at the end, because averaged percentiles mean nothing.
/// </summary>
public sealed class LatencyHistogram
{
    private const int HalfBits = 10;
    private const int Half = 1 << HalfBits;
    private const long Highest = 60_000_000_000;

    private readonly long[] _counts = new long[IndexOf(Highest) + 1];

    /// <summary>Values recorded.</summary>
    public long Count { get; private set; }

    /// <summary>Values above 60 s, which are counted as 60 s.</summary>
    public long Saturated { get; private set; }

    /// <summary>Records one latency; above 60 s counts as 60 s; below 1 µs the clock itself is the error.</summary>
    public void Record(double seconds) => Record(seconds, 1);

    /// <summary>Records the same latency so many times: a bucket of another histogram, given as its lowest value, comes into the same one.</summary>
    public void Record(double seconds, long count)
    {
        var nanos = (long)((Math.Min(seconds, 1e6) * 1e9) + 0.5);
        if (nanos > Highest)
        {
            Saturated += count;
            nanos = Highest;
        }

        _counts[IndexOf(Math.Max(1, nanos))] += count;
        Count += count;
    }

    /// <summary>Adds everything that <paramref name="other"/> has recorded.</summary>
    public void Add(LatencyHistogram other)
    {
        for (var index = 0; index < _counts.Length; index++)
        {
            _counts[index] += other._counts[index];
        }

        Count += other.Count;
        Saturated += other.Saturated;
    }

    /// <summary>Forgets everything, as at the end of a warm-up.</summary>
    public void Clear()
    {
        Array.Clear(_counts, 0, _counts.Length);
        Count = 0;
        Saturated = 0;
    }

    /// <summary>The smallest latency in seconds that a share <paramref name="q"/> (0 to 1) of all values does not exceed: the middle of its bucket.</summary>
    /// <exception cref="InvalidOperationException">Nothing was recorded.</exception>
    public double Quantile(double q)
    {
        var wanted = Math.Max(1, (long)Math.Ceiling(q * Count));
        long seen = 0;
        for (var index = 0; index < _counts.Length; index++)
        {
            seen += _counts[index];
            if (seen >= wanted)
            {
                return Middle(index) / 1e9;
            }
        }

        throw new InvalidOperationException("the histogram is empty: no latency was recorded.");
    }

    /// <summary>The buckets that hold something: lowest value in nanoseconds and count, ascending.</summary>
    public IEnumerable<(long Nanoseconds, long Count)> Buckets()
    {
        for (var index = 0; index < _counts.Length; index++)
        {
            if (_counts[index] != 0)
            {
                yield return (Lowest(index), _counts[index]);
            }
        }
    }

    // Below 2,048 ns every nanosecond has its bucket and index = value; above, each doubling has 1,024 buckets of twice the width.
    private static int IndexOf(long nanos)
    {
        var shift = Math.Max(0, Exponent(nanos) - HalfBits);
        return (shift * Half) + (int)(nanos >> shift);
    }

    private static int Shift(int index) => Math.Max(0, (index / Half) - 1);

    private static long Lowest(int index)
    {
        var shift = Shift(index);
        return (long)(index - (shift * Half)) << shift;
    }

    private static double Middle(int index) => Lowest(index) + (((1L << Shift(index)) - 1) / 2.0);

    // floor(log2): the exponent bits of the double; netstandard2.0 has no BitOperations, and values stay far below 2^53.
    private static int Exponent(long value) => (int)(BitConverter.DoubleToInt64Bits(value) >> 52) - 1023;
}
