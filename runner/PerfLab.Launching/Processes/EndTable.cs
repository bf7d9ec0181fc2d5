using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>Everything that decides how a launch is said to have ended.</summary>
internal sealed record Ending
{
    public required Intervention Intervention { get; init; }
    public required WaitStatus Status { get; init; }

    /// <summary>Kills by the kernel's memory limit of this launch; null where memory is not limited.</summary>
    public long? MemoryKills { get; init; }

    /// <summary>The runtime printed its "Out of memory." on stderr.</summary>
    public bool ManagedOutOfMemory { get; init; }

    /// <summary>A sandbox passes a signal of its inmate on as an exit code of 128 + n.</summary>
    public bool Sandboxed { get; init; }
    public required LaunchLimits Limits { get; init; }
}

/// <summary>The limits in the words of a reason.</summary>
internal sealed record LaunchLimits(TimeSpan Timeout, long MemoryBytes, long OutputBytes);

/// <summary>The exit table of the process executor: pure, so that every row has a test.</summary>
internal static class EndTable
{
    private const int Abort = 128 + 6;
    private const int Segmentation = 128 + 11;

    public static (EndKind How, string? Reason) Of(Ending end) => end.Intervention switch
    {
        Intervention.Deadline => (EndKind.TimedOut, $"no end after {Seconds(end.Limits.Timeout)} s: stopped by the lab"),
        Intervention.Flood => (EndKind.Flooded, $"printed more than {end.Limits.OutputBytes >> 20} MiB: stopped by the lab"),
        _ when end.MemoryKills > 0 => (EndKind.OutOfMemory, MemoryReason(end)),
        _ when end.ManagedOutOfMemory && end.Status.ExitCode is Abort or Segmentation =>
            (EndKind.OutOfMemory, "the managed heap is at its limit: the runtime said \"Out of memory.\" and aborted"),
        _ when Signal(end) is Libc.SigKill or Libc.SigTerm => (EndKind.KilledFromOutside, OutsideReason(Signal(end), end.MemoryKills is not null)),
        _ => (EndKind.Exited, SignalName(Signal(end))),
    };

    private static string MemoryReason(Ending end)
    {
        var limit = $"the limit of {end.Limits.MemoryBytes >> 20} MiB";
        return end.Status.ExitCode == 128 + Libc.SigKill
            ? $"killed by the kernel at {limit}"
            : $"a child was killed by the kernel at {limit}; the program itself ended with {end.Status.ExitCode}";
    }

    private static int Signal(Ending end) =>
        end.Sandboxed && end.Status is { Signal: 0, ExitCode: > 128 and <= 128 + 64 } ? end.Status.ExitCode - 128 : end.Status.Signal;

    private static string OutsideReason(int signal, bool memoryLimited)
    {
        var name = signal == Libc.SigKill ? "SIGKILL" : "SIGTERM";
        var guess = memoryLimited || signal != Libc.SigKill ? "" : "; memory is not limited here, so it may have been the kernel for want of memory";
        return $"{name} came from something that is not the lab{guess}";
    }

    private static string? SignalName(int signal) => signal switch
    {
        0 => null,
        6 => "aborted (SIGABRT)",
        7 => "bus error (SIGBUS)",
        8 => "arithmetic error (SIGFPE)",
        4 => "illegal instruction (SIGILL)",
        11 => "segmentation fault (SIGSEGV)",
        25 => "wrote a larger file than allowed (SIGXFSZ)",
        _ => $"ended by signal {signal}",
    };

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture);
}
