using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>Processor time of any process, all its threads, also those that are gone.</summary>
internal static class ProcessClocks
{
    /// <summary>Of what /proc counts in.</summary>
    public const double TickSeconds = 0.01;

    /// <summary>Whether the kernel tells it to the nanosecond, which it does by a clock that belongs to the process.</summary>
    public static bool AreExact { get; } = Libc.ProcessSeconds(Environment.ProcessId) is not null;

    /// <summary>In seconds; null when it is gone.</summary>
    public static double? Seconds(int pid) => AreExact ? Libc.ProcessSeconds(pid) : ProcessStat.Of(pid)?.Ticks * TickSeconds;
}
