namespace PerfLab.Launching.Processes;

/// <summary>
/// What happens between exec and the workload, in the process that becomes it: it joins its cgroup and takes its limits before it can
/// start a child. Doing the same from outside is a race that a forking script wins on a busy machine (seen).
/// </summary>
internal static class LaunchShell
{
    public const string Program = "/bin/sh";

    /// <summary>
    /// Where it says that all before the workload went well, and closes it; under a sandbox the sandbox says so there, and how its inmate
    /// ended. The workload never has it: what it prints, and how it ends, can't be taken for a word of the lab's.
    /// </summary>
    public const int StatusFd = 3;

    private const string Begun = "begun";

    // No core dumps. File sizes are not limited: for W^X, .NET 7 to 9 map their code twice through a sparse memory file of 2 TiB, and die
    // of SIGXFSZ (exit 153) where they may not.
    private const string Script =
        "if [ -n \"$1\" ]; then echo 0 > \"$1\" || exit 125; fi; ulimit -c 0 || exit 125; shift; ";

    private const string ToWorkload = Script + "echo " + Begun + " >&3 || exit 125; exec \"$@\" 3>&-";

    private const string ToSandbox = Script + "exec \"$@\"";

    /// <summary>Arguments of <see cref="Program"/> that lead to <paramref name="command"/> in the same process.</summary>
    /// <param name="sealedIn">The command is a sandbox, which gets <see cref="StatusFd"/>.</param>
    public static IReadOnlyList<string> Before(string? cgroupJoinFile, bool sealedIn, IReadOnlyList<string> command) =>
        ["sh", "-c", sealedIn ? ToSandbox : ToWorkload, "launch", cgroupJoinFile ?? "", .. command];

    /// <summary>A shell exports PWD and shuffles the order: env sets exactly these variables, in this order.</summary>
    public static IReadOnlyList<string> Environment(IEnumerable<KeyValuePair<string, string>> environment) =>
        ["/usr/bin/env", "-i", .. environment.Select(pair => $"{pair.Key}={pair.Value}")];

    /// <summary>Whether a launch that ended by itself had come as far as the workload's first instruction.</summary>
    /// <param name="status">All that was said at <see cref="StatusFd"/>. Bubblewrap tells an exit code only of what it could start.</param>
    public static bool HasBegun(bool sealedIn, string status) =>
        sealedIn ? status.Contains("\"exit-code\"", StringComparison.Ordinal) : status.StartsWith(Begun, StringComparison.Ordinal);
}
