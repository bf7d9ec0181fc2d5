using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker;

/// <summary>Why the runner ended a container, if it did.</summary>
internal enum EndedBy { Itself, Deadline, OutputLimit }

/// <summary>
/// Says what an ended container means. Codes as seen with Docker 20.10 and .NET 8 to 10 (engine-facts 3.3): with an init process a
/// crash of .NET exits 134 (139 without), and managed memory runs out before the kernel's limit, so only the output tells.
/// </summary>
internal static class ExitTable
{
    private const int Killed = 128 + 9;

    // tini's word for a program that could not be executed; 127 and 126 alone may as well be a shell's.
    private const string InitFailure = "[FATAL tini";

    public static (EndKind How, string? Reason) Judge(ContainerState state, EndedBy endedBy, string tail) => (endedBy, state) switch
    {
        (EndedBy.Deadline, _) => (EndKind.TimedOut, null),
        (EndedBy.OutputLimit, _) => (EndKind.Flooded, $"printed more than {ContainerSpec.OutputLimitMebibytes} MiB"),
        (_, { Error.Length: > 0, ExitCode: 126 or 127 }) => (EndKind.NotStarted, state.Error),
        (_, { ExitCode: 126 or 127 }) when tail.Contains(InitFailure) => (EndKind.NotStarted, OutputTail.Last(tail)),
        (_, { OutOfMemory: true, ExitCode: Killed }) => (EndKind.OutOfMemory, "the kernel ended it at the memory limit"),
        (_, { OutOfMemory: true }) => (EndKind.OutOfMemory, "the kernel ended one of its processes at the memory limit"),
        (_, { ExitCode: 134 or 139 }) when tail.Contains("Out of memory.") =>
            (EndKind.OutOfMemory, ".NET ran out of managed heap, which is 75 % of the memory limit unless set otherwise"),
        (_, { ExitCode: Killed }) => (EndKind.KilledFromOutside, "killed, and neither by the lab nor for memory"),
        (_, { ExitCode: 255, Error.Length: > 0 }) => (EndKind.EngineGone, state.Error),
        (_, { ExitCode: 134 or 139 }) => (EndKind.Exited, "crashed"),
        _ => (EndKind.Exited, null),
    };
}
