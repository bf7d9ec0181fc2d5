using System;
using System.Diagnostics;
using System.Linq;
using System.Runtime.CompilerServices;

namespace PerfLab.WorkloadKit;

/// <summary>
/// The windows of one stretch of time, from its construction on. Nothing falls between two windows, nothing after the last one: what the
/// stretch did is what its windows did. Arrays and loops, compiled once: what a window compiles is the program's and not ours.
/// </summary>
internal sealed class Recorder
{
    /// <summary>AggressiveOptimization, which netstandard2.0 does not name: the JIT compiles such a method once and for good.</summary>
    public const MethodImplOptions CompiledOnce = (MethodImplOptions)512;

    // Room for two minutes: nothing must grow, and so allocate, while somebody's allocations are counted.
    private const int Room = 1200;

    private readonly RuntimeSnapshot _before = RuntimeSnapshot.Take();
    private readonly long _compiledBefore = RuntimeFacts.CompiledSoFar();
    private readonly long _startCount;
    private readonly long _start;
    private long[] _counts = new long[Room];
    private long[] _compiledAt = new long[Room];
    private double[] _ends = new double[Room];
    private double[] _rates = new double[Room];
    private long[] _compiled = new long[Room];

    public Recorder(long count)
    {
        _startCount = count;
        _start = Stopwatch.GetTimestamp();
    }

    /// <summary>Seconds since the start.</summary>
    public double Elapsed
    {
        [MethodImpl(CompiledOnce)]
        get => (Stopwatch.GetTimestamp() - _start) / (double)Stopwatch.Frequency;
    }

    /// <summary>Seconds since the last window ended.</summary>
    public double Open
    {
        [MethodImpl(CompiledOnce)]
        get => Elapsed - LastEnd;
    }

    /// <summary>The windows so far.</summary>
    public int Count { get; private set; }

    /// <summary>Seconds from the start to the end of the last window.</summary>
    public double LastEnd
    {
        [MethodImpl(CompiledOnce)]
        get => Count == 0 ? 0 : _ends[Count - 1];
    }

    /// <summary>Ends a window here and now.</summary>
    [MethodImpl(CompiledOnce)]
    public void Close(long count)
    {
        if (Count == _ends.Length)
        {
            Grow();
        }

        var (elapsed, compiled) = (Elapsed, RuntimeFacts.CompiledSoFar());
        _rates[Count] = (count - (Count == 0 ? _startCount : _counts[Count - 1])) / (elapsed - LastEnd);
        _compiled[Count] = compiled - (Count == 0 ? _compiledBefore : _compiledAt[Count - 1]);
        _ends[Count] = elapsed;
        _counts[Count] = count;
        _compiledAt[Count] = compiled;
        Count++;
    }

    /// <summary>
    /// Ends the last window, whenever that is. What is shorter than <paramref name="shortest"/> becomes part of the window before: the rate of
    /// a moment is mostly noise.
    /// </summary>
    public void CloseLast(long count, TimeSpan shortest)
    {
        if (Count > 0 && Open < shortest.TotalSeconds)
        {
            Count--;
        }

        Close(count);
    }

    /// <summary>Whether what was recorded so far is at rest.</summary>
    /// <param name="quiet">Seconds without a method compiled that this asks for.</param>
    [MethodImpl(CompiledOnce)]
    public Restless Judge(double quiet) => RestRule.Judge(quiet, _ends, _rates, _compiled, Count);

    public Windows Finish()
    {
        var runtime = RuntimeSnapshot.Take().Since(_before);
        var done = (Count == 0 ? _startCount : _counts[Count - 1]) - _startCount;
        return new(done, LastEnd, new([.. _rates.Take(Count)], [.. _ends.Take(Count)], [.. _compiled.Take(Count)]), runtime);
    }

    private void Grow()
    {
        var room = 2 * _ends.Length;
        Array.Resize(ref _counts, room);
        Array.Resize(ref _compiledAt, room);
        Array.Resize(ref _ends, room);
        Array.Resize(ref _rates, room);
        Array.Resize(ref _compiled, room);
    }
}
