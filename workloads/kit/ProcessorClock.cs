using System;
using System.Runtime.CompilerServices;
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
    public static TimeSpan? Now() => Nanoseconds() is >= 0 and var nanoseconds ? TimeSpan.FromTicks(nanoseconds / 100) : null; // which counts in 100 ns

    /// <summary>-1 where the kernel has no such clock. Compiled once: it is read at the borders of slices.</summary>
    [MethodImpl(Recorder.CompiledOnce)]
    public static long Nanoseconds()
    {
        try
        {
            return GetTime(OfThisProcess, out var now) == 0 ? ((long)now.Seconds * 1_000_000_000) + (long)now.Nanoseconds : -1;
        }
        catch (Exception absent) when (absent is DllNotFoundException or EntryPointNotFoundException)
        {
            return -1;
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
