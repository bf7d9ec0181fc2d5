using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace PerfLab.WorkloadKit;

/// <summary>The clock work: monotonic ticks in, windows out. Windows end when a piece of work does, and are as long as they were, never rounded.</summary>
internal static class Meter
{
    private static readonly TimeSpan Window = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan ShortestWindow = TimeSpan.FromMilliseconds(50);

    /// <summary>Reads a counter of work that runs on other threads, every 100 ms for <paramref name="duration"/>; a warm-up ends as soon as <paramref name="rest"/> says so.</summary>
    [MethodImpl(Recorder.CompiledOnce)]
    public static Windows Watch(TimeSpan duration, Func<long> done, RestWatch? rest = null)
    {
        var recorder = new Recorder(done());
        for (var end = TimeSpan.Zero; end < duration;)
        {
            // To an absolute schedule: what one wake-up is late is not added to the next.
            end = end + Window < duration ? end + Window : duration;
            var left = end - TimeSpan.FromSeconds(recorder.Elapsed);
            if (left > TimeSpan.Zero)
            {
                Thread.Sleep(left);
            }

            if (end == duration)
            {
                recorder.CloseLast(done(), ShortestWindow);
            }
            else if (recorder.Open >= ShortestWindow.TotalSeconds)
            {
                // Otherwise this end was slept through: the window before became longer, and one of no length would have any rate.
                recorder.Close(done());
                if (rest?.IsOver(recorder) == true)
                {
                    break;
                }
            }
        }

        rest?.End(recorder);
        return recorder.Finish();
    }

    /// <summary>Does pieces of work on this thread until <paramref name="duration"/> has passed; a warm-up ends as soon as <paramref name="rest"/> says so.</summary>
    [MethodImpl(Recorder.CompiledOnce)]
    public static Windows Repeat(TimeSpan duration, Func<long> piece, RestWatch? rest = null)
    {
        var recorder = new Recorder(0);
        long done = 0;
        while (recorder.Elapsed < duration.TotalSeconds)
        {
            done += piece();
            if (CloseWhenDue(recorder, done) && rest?.IsOver(recorder) == true)
            {
                break;
            }
        }

        // A window that has just ended has nothing to add.
        if (duration > TimeSpan.Zero && rest?.HasEnded != true)
        {
            recorder.CloseLast(done, ShortestWindow);
        }

        rest?.End(recorder);
        return recorder.Finish();
    }

    /// <summary>Does <paramref name="pieces"/> pieces of work on this thread, however long that takes.</summary>
    [MethodImpl(Recorder.CompiledOnce)]
    public static Windows Times(long pieces, Func<long> piece)
    {
        var recorder = new Recorder(0);
        long done = 0;
        for (long number = 0; number < pieces; number++)
        {
            done += piece();
            CloseWhenDue(recorder, done);
        }

        recorder.CloseLast(done, ShortestWindow);
        return recorder.Finish();
    }

    [MethodImpl(Recorder.CompiledOnce)]
    private static bool CloseWhenDue(Recorder recorder, long done)
    {
        if (recorder.Open < Window.TotalSeconds)
        {
            return false;
        }

        recorder.Close(done);
        return true;
    }
}
