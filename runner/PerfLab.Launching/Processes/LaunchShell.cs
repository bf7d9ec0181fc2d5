namespace PerfLab.Launching.Processes;

/// <summary>
/// What happens between exec and the workload, in the process that becomes it: it joins its cgroup and takes its limits before it can
/// start a child. Doing the same from outside is a race that a forking script wins on a busy machine (seen).
/// </summary>
internal static class LaunchShell
{
    public const string Program = "/bin/sh";

    /// <summary>Its exit code when it could not get as far as the workload.</summary>
    private const int Failed = 125;

    // No core dumps. File sizes are not limited: for W^X, .NET 7 to 9 map their code twice through a sparse memory file of 2 TiB, and die
    // of SIGXFSZ (exit 153) where they may not.
    private const string Script =
        "if [ -n \"$1\" ]; then echo 0 > \"$1\" || exit 125; fi; ulimit -c 0 || exit 125; shift; exec \"$@\"";

    /// <summary>Arguments of <see cref="Program"/> that lead to <paramref name="command"/> in the same process.</summary>
    public static IReadOnlyList<string> Before(string? cgroupJoinFile, IReadOnlyList<string> command) =>
        ["sh", "-c", Script, "launch", cgroupJoinFile ?? "", .. command];

    /// <summary>A shell exports PWD and shuffles the order: env sets exactly these variables, in this order.</summary>
    public static IReadOnlyList<string> Environment(IEnumerable<KeyValuePair<string, string>> environment) =>
        ["/usr/bin/env", "-i", .. environment.Select(pair => $"{pair.Key}={pair.Value}")];

    /// <summary>True when the output is the complaint of something before the workload's first instruction.</summary>
    public static bool Refused(int exitCode, string output) =>
        (exitCode == Failed && Says(output, "launch: "))
        || (exitCode is 1 or 126 or 127 && (Says(output, "bwrap: ") || Says(output, "setpriv: ") || Says(output, "/usr/bin/env: ")));

    private static bool Says(string output, string who) => output.StartsWith(who, StringComparison.Ordinal);
}
