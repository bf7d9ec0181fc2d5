using PerfLab.Launching;

namespace PerfLab.Kubernetes;

/// <summary>Says what an ended pod means, from the API server's word and its log. Exit codes are those of a shell in front.</summary>
internal static class PodVerdict
{
    private const int Killed = 128 + 9;

    public static (EndKind How, string? Reason) Judge(PodEnd end, LaunchFrame frame) => (end.How, end.ExitCode) switch
    {
        (not (EndKind.Exited or EndKind.OutOfMemory), _) => (end.How, end.Reason),
        (EndKind.OutOfMemory, _) => (end.How, end.Reason),
        _ when frame.OutOfMemory => (EndKind.OutOfMemory, "the kernel ended one of its processes at the memory limit"),
        (_, 134 or 139) when frame.Tail.Contains("Out of memory.") =>
            (EndKind.OutOfMemory, ".NET ran out of managed heap, which is 75 % of the memory limit unless set otherwise"),
        (_, 126 or 127) when frame.Tail.TrimStart().StartsWith("env: ", StringComparison.Ordinal) =>
            (EndKind.NotStarted, frame.Tail.Trim()),
        (_, Killed) => (EndKind.KilledFromOutside, "killed, and neither by the lab nor for memory"),
        (_, 134 or 139) => (EndKind.Exited, "crashed"),
        (_, 0) when !frame.IsThere => (EndKind.KilledFromOutside, "its log does not hold the results: the node has rotated or lost it"),
        (_, 0) when frame.Damage is not null => (EndKind.KilledFromOutside, frame.Damage),
        _ => (EndKind.Exited, end.Reason),
    };
}
