using System;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Threading;

namespace PerfLab.WorkloadKit;

/// <summary>
/// A launch in turns: after its warm-up it does so many slices, says after each how much it did and how long that took, and stands still
/// until it is its turn again. The lab freezes it meanwhile, so the other threads of the program stand still, too.
/// </summary>
internal sealed class Turns
{
    private const int MostSlices = 100_000;

    /// <summary>Seconds without work after which other threads are taken to have stopped: they were frozen longer than they bear.</summary>
    private const double Patience = 2;

    private readonly TurnPipe _pipe;
    private readonly double _seconds;
    private int _done;

    private Turns(TurnPipe pipe, int slices, double seconds) => (_pipe, Slices, _seconds) = (pipe, slices, seconds);

    /// <summary>How many there are.</summary>
    public int Slices { get; }

    /// <summary>Null where nobody asked for turns.</summary>
    /// <exception cref="RefusedException">A setting is not what it should be.</exception>
    public static Turns? From(LaunchSettings settings)
    {
        if (settings.Text("PERF_LAB_SLICES") is not { } text)
        {
            return null;
        }

        if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var slices) || slices is < 1 or > MostSlices)
        {
            throw new RefusedException($"PERF_LAB_SLICES is '{text}', which is not a number of slices from 1 to {MostSlices}.");
        }

        var length = settings.Duration("PERF_LAB_SLICE", TimeSpan.Zero);
        if (length <= TimeSpan.Zero)
        {
            throw new RefusedException("PERF_LAB_SLICE has to say how long a slice is, in seconds above 0.");
        }

        return settings.Text("PERF_LAB_TURN_SAY") is { } say && settings.Text("PERF_LAB_TURN_GO") is { } go
            ? new Turns(new TurnPipe(say, go), slices, length.TotalSeconds)
            : throw new RefusedException("PERF_LAB_SLICES goes with PERF_LAB_TURN_SAY and PERF_LAB_TURN_GO, the pipes to take turns by.");
    }

    /// <summary>The warm-up is over: stands still until the first turn.</summary>
    public void Begin()
    {
        _pipe.SayWarm();
        _pipe.WaitToGo();
    }

    /// <summary>Work that this thread does: pieces until a slice's time is over.</summary>
    [MethodImpl(Recorder.CompiledOnce)]
    public Windows Repeat(Func<long> piece)
    {
        var recorder = new SliceRecorder(Slices);
        for (var slice = 0; slice < Slices; slice++)
        {
            recorder.Begin();
            long units = 0;
            do
            {
                units += piece();
            }
            while (recorder.Elapsed < _seconds);
            recorder.End(units);
            Say(units, recorder);
        }

        return recorder.Finish();
    }

    /// <summary>
    /// Work that other threads do, by a counter. Where the machine gave them no time within a slice, or their transport sends only now and
    /// then, it lasts until something is done: nothing in some time is no rate.
    /// </summary>
    /// <exception cref="RefusedException">Nothing is done any more.</exception>
    [MethodImpl(Recorder.CompiledOnce)]
    public Windows Watch(Func<long> done)
    {
        var recorder = new SliceRecorder(Slices);
        for (var slice = 0; slice < Slices; slice++)
        {
            recorder.Begin();
            var before = done();
            Thread.Sleep((int)Math.Ceiling(1000 * _seconds));
            long units;
            while ((units = done() - before) == 0)
            {
                if (recorder.Elapsed > _seconds + Patience)
                {
                    throw new RefusedException($"nothing was done for {recorder.Elapsed:F1} s after a time in which it was frozen (a connection may have ended meanwhile); measure it with --pairing launches.");
                }

                Thread.Sleep(1);
            }

            recorder.End(units);
            Say(units, recorder);
        }

        return recorder.Finish();
    }

    /// <summary>A fixed amount of work, the same number of pieces in each slice.</summary>
    /// <exception cref="RefusedException">There are fewer pieces than slices.</exception>
    [MethodImpl(Recorder.CompiledOnce)]
    public Windows Times(long pieces, Func<long> piece)
    {
        if (pieces < Slices)
        {
            throw new RefusedException($"a fixed amount of {pieces} pieces of work can't be cut into {Slices} slices; measure it with --pairing launches.");
        }

        var recorder = new SliceRecorder(Slices);
        for (var slice = 0; slice < Slices; slice++)
        {
            var share = (pieces * (slice + 1) / Slices) - (pieces * slice / Slices);
            recorder.Begin();
            long units = 0;
            for (var number = 0L; number < share; number++)
            {
                units += piece();
            }

            recorder.End(units);
            // How many units a piece has may be what changed: the time of the same pieces is what is compared.
            Say(share, recorder);
        }

        return recorder.Finish();
    }

    /// <summary>A slice of something else, which measures itself (BenchmarkDotNet): false when there are enough.</summary>
    [MethodImpl(Recorder.CompiledOnce)]
    public bool Say(long work, long nanoseconds, long processor)
    {
        if (_done == Slices)
        {
            return false;
        }

        _done++;
        _pipe.SaySlice(work, nanoseconds, processor);
        _pipe.WaitToGo();
        return true;
    }

    [MethodImpl(Recorder.CompiledOnce)]
    private void Say(long work, SliceRecorder recorder) => Say(Math.Max(0, work), Stopwatched(recorder.LastTicks), recorder.LastProcessor);

    [MethodImpl(Recorder.CompiledOnce)]
    private static long Stopwatched(long ticks) => (long)(ticks * (1e9 / Stopwatch.Frequency));
}
