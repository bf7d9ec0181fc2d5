using System.Diagnostics;

namespace PerfLab.Workloads.CalibratedSpin;

internal static class ProcessClock
{
    /// <summary>CPU time that all threads of this process have used, user and kernel.</summary>
    public static TimeSpan CpuTime()
    {
        using var process = Process.GetCurrentProcess();
        return process.TotalProcessorTime;
    }
}
