using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

namespace PerfLab.WorkloadKit;

/// <summary>The clock work: monotonic ticks in, windows out. Windows end when a piece of work does, and are as long as they were, never rounded.</summary>
internal static class Meter
{
    private static readonly TimeSpan Window = TimeSpan.FromMilliseconds(100);

    /// <summary>Reads a counter of work that runs on other threads, every 100 ms for <paramref name="duration"/>.</summary>
    public static Windows Watch(TimeSpan duration, Func<long> done)
    {
        var recorder = new Recorder(done());
        for (var end = Window; end <= duration; end += Window)
        {
            // To an absolute schedule: what one wake-up is late is not added to the next.
            var left = end - TimeSpan.FromSeconds(recorder.Elapsed);
            if (left <= TimeSpan.Zero && recorder.HasWindows)
            {
                continue; // slept through: that window became longer, and one of no length would have any rate
            }

            if (left > TimeSpan.Zero)
            {
                Thread.Sleep(left);
            }

            recorder.Close(done());
        }

        return recorder.Finish();
    }

    /// <summary>Does pieces of work on this thread until <paramref name="duration"/> has passed.</summary>
    public static Windows Repeat(TimeSpan duration, Func<long> piece)
    {
        var recorder = new Recorder(0);
        long done = 0;
        while (recorder.Elapsed < duration.TotalSeconds)
        {
            done += piece();
            recorder.CloseWhenDue(done, Window.TotalSeconds);
        }

        return recorder.FinishAt(done);
    }

    /// <summary>Does <paramref name="pieces"/> pieces of work on this thread, however long that takes.</summary>
    public static Windows Times(long pieces, Func<long> piece)
    {
        var recorder = new Recorder(0);
        long done = 0;
        for (long number = 0; number < pieces; number++)
        {
            done += piece();
            recorder.CloseWhenDue(done, Window.TotalSeconds);
        }

        return recorder.FinishAt(done);
    }

    private sealed class Recorder
    {
        // Room for two minutes: the lists must not grow, and so allocate, while somebody's allocations are counted.
        private readonly List<double> _rates = new(capacity: 1200);
        private readonly List<double> _ends = new(capacity: 1200);
        private readonly List<long> _compiled = new(capacity: 1200);
        private readonly RuntimeSnapshot _before = RuntimeSnapshot.Take();
        private readonly long _compiledBefore = RuntimeFacts.CompiledSoFar();
        private readonly long _startCount;
        private readonly long _start;
        private long _windowCount;
        private double _windowStart;

        public Recorder(long count)
        {
            _startCount = _windowCount = count;
            _start = Stopwatch.GetTimestamp();
        }

        public bool HasWindows => _rates.Count > 0;

        public double Elapsed => (Stopwatch.GetTimestamp() - _start) / (double)Stopwatch.Frequency;

        public void CloseWhenDue(long count, double window)
        {
            if (Elapsed - _windowStart >= window)
            {
                Close(count);
            }
        }

        public void Close(long count)
        {
            var now = Elapsed;
            _rates.Add((count - _windowCount) / (now - _windowStart));
            _ends.Add(now);
            _compiled.Add(RuntimeFacts.CompiledSoFar());
            _windowCount = count;
            _windowStart = now;
        }

        public Windows Finish() => Result(_windowCount, _windowStart);

        public Windows FinishAt(long count) => Result(count, Elapsed);

        private Windows Result(long count, double seconds) =>
            new(count - _startCount, seconds, new(_rates, _ends, Differences(_compiled, _compiledBefore)), RuntimeSnapshot.Take().Since(_before));

        private static List<long> Differences(List<long> totals, long before)
        {
            var differences = new List<long>(totals.Count);
            foreach (var total in totals)
            {
                differences.Add(total - before);
                before = total;
            }

            return differences;
        }
    }
}
