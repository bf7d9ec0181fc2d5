namespace PerfLab.Launching.Docker.Engine;

/// <summary>
/// Which process owns a container, exactly enough that a recycled pid, another boot, another machine or another pid namespace is never
/// taken for it. A label rather than a lock file: two checkouts on one machine share an engine and no folder.
/// </summary>
/// <param name="Machine">Machine id, or the host's name where there is none.</param>
/// <param name="PidNamespace">Inode of the pid namespace: runners in containers see other pids.</param>
internal sealed record Owner(string Machine, string Boot, string PidNamespace, int Pid, long Started)
{
    /// <summary>How long something of an owner that we can't see is left alone: longer than any session.</summary>
    public static readonly TimeSpan BenefitOfDoubt = TimeSpan.FromHours(24);

    public string Label => Invariant($"{Machine}/{Boot}/{PidNamespace}/{Pid}/{Started}");

    public static Owner? Parse(string? label) =>
        label?.Split('/') is [var machine, var boot, var space, var pid, var started, ..]
        && int.TryParse(pid, NumberStyles.None, CultureInfo.InvariantCulture, out var id)
        && long.TryParse(started, NumberStyles.None, CultureInfo.InvariantCulture, out var ticks)
            ? new Owner(machine, boot, space, id, ticks)
            : null;

    public static Owner ThisProcess() => new(
        ReadOr("/etc/machine-id", Environment.MachineName),
        ReadOr("/proc/sys/kernel/random/boot_id", "unknown"),
        (File.ResolveLinkTarget("/proc/self/ns/pid", returnFinalTarget: false)?.Name ?? "unknown").Replace('/', '-'),
        Environment.ProcessId,
        ProcessStat.Of(Environment.ProcessId)?.Started ?? 0);

    /// <summary>
    /// True when a container with <paramref name="label"/> certainly has no living owner. No or a broken label counts as dead: perf-lab
    /// always writes one.
    /// </summary>
    /// <param name="startOf">Start time of a living process by pid, null when there is none.</param>
    public bool IsDead(string? label, TimeSpan age, Func<int, long?> startOf)
    {
        if (Parse(label) is not { } other)
        {
            return true;
        }

        if (other.Machine == Machine && other.Boot != Boot)
        {
            return true; // this machine was started again since
        }

        return other.Machine == Machine && other.PidNamespace == PidNamespace
            ? startOf(other.Pid) != other.Started
            : age > BenefitOfDoubt;
    }

    private static string ReadOr(string path, string fallback)
    {
        try
        {
            var text = File.ReadAllText(path).Trim();
            return text.Length > 0 ? text : fallback;
        }
        catch (Exception absent) when (absent is IOException or UnauthorizedAccessException)
        {
            return fallback;
        }
    }
}
