using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Threading.Channels;

namespace PerfLab.Workloads.HttpLoopback;

/// <summary>Writes down when each request is due, at that time, on a thread of its own.</summary>
internal static partial class Pacer
{
    public static void Run(double perSecond, ChannelWriter<long> due, CancellationToken stop)
    {
        var interval = Stopwatch.Frequency / perSecond;
        var start = Stopwatch.GetTimestamp();
        for (long number = 0; !stop.IsCancellationRequested; number++)
        {
            var time = start + (long)(number * interval);
            SleepUntil(time);
            due.TryWrite(time);
        }

        due.Complete();
    }

    // Thread.Sleep knows whole milliseconds only, which would be the latency; the kernel's own call wakes within its timer slack (50 µs).
    private static void SleepUntil(long time)
    {
        var left = time - Stopwatch.GetTimestamp();
        if (left > 0)
        {
            var nanoseconds = (long)(left * (1e9 / Stopwatch.Frequency));
            var wait = new TimeSpec { Seconds = nanoseconds / 1_000_000_000, Nanoseconds = nanoseconds % 1_000_000_000 };
            _ = NanoSleep(in wait, 0);
        }
    }

#if NET7_0_OR_GREATER
    [LibraryImport("libc", EntryPoint = "nanosleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int NanoSleep(in TimeSpec wait, nint left);
#else
    [DllImport("libc", EntryPoint = "nanosleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int NanoSleep(in TimeSpec wait, nint left);
#endif

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
