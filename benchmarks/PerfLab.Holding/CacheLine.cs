using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PerfLab.Machine.Kernel;

namespace PerfLab.Holding;

/// <summary>
/// A cache line that two threads, each pinned to a core, hand to and fro: how far apart the cores are now. Tens of nanoseconds between two
/// threads of one core, hundreds between cores that share no cache.
/// </summary>
internal sealed class CacheLine
{
    private const int Batches = 100, RoundTrips = 10;
    private const long Over = -1;

    /// <summary>No two cores are so far apart: the two threads did not run at the same time.</summary>
    private const double MostNanoseconds = 10_000;

    /// <summary>Of a look.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(20);

    private Padded _line;

    /// <summary>
    /// Nanoseconds of one round trip, of the fastest of some batches: what else the cores do takes others longer. Null where it kept one of
    /// the two threads waiting all the time. Below a millisecond of work.
    /// </summary>
    public static double? Look(int one, int other)
    {
        var line = new CacheLine();
        var best = double.PositiveInfinity;
        var partner = new Thread(() => line.Return(other)) { IsBackground = true };
        partner.Start();
        // No thread of the pool may keep the mask.
        var first = new Thread(() => best = line.Hand(one));
        first.Start();
        first.Join();
        partner.Join();
        return best < MostNanoseconds ? best : null;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private double Hand(int core)
    {
        CpuAffinity.PinThisThread([core]);
        var best = double.PositiveInfinity;
        var began = Stopwatch.GetTimestamp();
        long sent = 1;
        for (var batch = 0; batch < Batches && Stopwatch.GetElapsedTime(began) < Patience; batch++)
        {
            var started = Stopwatch.GetTimestamp();
            for (var trip = 0; trip < RoundTrips; trip++, sent += 2)
            {
                Volatile.Write(ref _line.Value, sent);
                while (Volatile.Read(ref _line.Value) == sent)
                {
                }
            }

            best = Math.Min(best, Stopwatch.GetElapsedTime(started).TotalNanoseconds / RoundTrips);
        }

        Volatile.Write(ref _line.Value, Over);
        return best;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Return(int core)
    {
        CpuAffinity.PinThisThread([core]);
        for (long awaited = 1; ;)
        {
            var seen = Volatile.Read(ref _line.Value);
            if (seen == awaited)
            {
                Volatile.Write(ref _line.Value, seen + 1);
                awaited += 2;
            }
            else if (seen == Over)
            {
                return;
            }
        }
    }

    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct Padded
    {
        [FieldOffset(128)]
        public long Value;
    }
}
