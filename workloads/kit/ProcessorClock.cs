using System;
using System.Runtime.InteropServices;

namespace PerfLab.WorkloadKit;

/// <summary>
/// Processor time of this process, all threads, user and kernel. From the kernel's clock and not from
/// <c>Process.TotalProcessorTime</c>, which counts in hundredths of a second.
/// </summary>
internal static class ProcessorClock
{
    /// <summary>CLOCK_PROCESS_CPUTIME_ID of Linux.</summary>
    private const int OfThisProcess = 2;

    /// <summary>Null where the kernel has no such clock.</summary>
    public static TimeSpan? Now()
    {
        try
        {
            // TimeSpan counts in 100 ns.
            return GetTime(OfThisProcess, out var now) == 0
                ? TimeSpan.FromTicks(((long)now.Seconds * TimeSpan.TicksPerSecond) + ((long)now.Nanoseconds / 100)) : null;
        }
        catch (Exception absent) when (absent is DllNotFoundException or EntryPointNotFoundException)
        {
            return null;
        }
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetTime(int clock, out TimeSpec now);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public IntPtr Seconds;
        public IntPtr Nanoseconds;
    }
}
