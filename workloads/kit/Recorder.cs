using System;
using System.Collections.Generic;
using System.Diagnostics;

namespace PerfLab.WorkloadKit;

/// <summary>
/// The windows of one stretch of time, from its construction on. Nothing falls between two windows, nothing after the last one: what the
/// stretch did is what its windows did.
/// </summary>
internal sealed class Recorder
{
    // Room for two minutes: the lists must not grow, and so allocate, while somebody's allocations are counted.
    private readonly List<long> _counts = new(capacity: 1200);
    private readonly List<double> _ends = new(capacity: 1200);
    private readonly List<long> _compiled = new(capacity: 1200);
    private readonly RuntimeSnapshot _before = RuntimeSnapshot.Take();
    private readonly long _compiledBefore = RuntimeFacts.CompiledSoFar();
    private readonly long _startCount;
    private readonly long _start;

    public Recorder(long count)
    {
        _startCount = count;
        _start = Stopwatch.GetTimestamp();
    }

    /// <summary>Seconds since the start.</summary>
    public double Elapsed => (Stopwatch.GetTimestamp() - _start) / (double)Stopwatch.Frequency;

    /// <summary>Seconds since the last window ended.</summary>
    public double Open => Elapsed - LastEnd;

    private double LastEnd => _ends.Count == 0 ? 0 : _ends[_ends.Count - 1];

    /// <summary>Ends a window here and now.</summary>
    public void Close(long count)
    {
        _ends.Add(Elapsed);
        _counts.Add(count);
        _compiled.Add(RuntimeFacts.CompiledSoFar());
    }

    /// <summary>
    /// Ends the last window, whenever that is. What is shorter than <paramref name="shortest"/> becomes part of the window before: the rate of
    /// a moment is mostly noise.
    /// </summary>
    public void CloseLast(long count, TimeSpan shortest)
    {
        if (_ends.Count > 0 && Open < shortest.TotalSeconds)
        {
            _ends.RemoveAt(_ends.Count - 1);
            _counts.RemoveAt(_counts.Count - 1);
            _compiled.RemoveAt(_compiled.Count - 1);
        }

        Close(count);
    }

    public Windows Finish()
    {
        var runtime = RuntimeSnapshot.Take().Since(_before);
        var (rates, compiled) = (new List<double>(_ends.Count), new List<long>(_ends.Count));
        var (start, count, methods) = (0.0, _startCount, _compiledBefore);
        for (var window = 0; window < _ends.Count; window++)
        {
            rates.Add((_counts[window] - count) / (_ends[window] - start));
            compiled.Add(_compiled[window] - methods);
            (start, count, methods) = (_ends[window], _counts[window], _compiled[window]);
        }

        return new(count - _startCount, LastEnd, new(rates, _ends, compiled), runtime);
    }
}
