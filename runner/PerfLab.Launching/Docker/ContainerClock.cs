using PerfLab.Launching.Docker.Engine;
using PerfLab.Machine.Facts;

namespace PerfLab.Launching.Docker;

/// <summary>
/// Processor time of all processes of a container, also those that are gone, as the kernel counts it for its cgroup. Any user may read it,
/// on the machine of the engine.
/// </summary>
internal sealed class ContainerClock
{
    private const string Root = "/sys/fs/cgroup", Accounting = "cpuacct", Total = "usage_usec ";

    private static readonly MachineFiles Files = new();
    private readonly string _file;

    private ContainerClock(string file) => _file = file;

    public const string IsMissing =
        "the processor time of a container can't be read on this machine, so nobody can prove that it stood still";

    /// <summary>Null where it can't be read: the engine counts processes otherwise than this machine, or there is no such file.</summary>
    public static ContainerClock? Of(ContainerDetails container)
    {
        // Id, controllers and path; the container's id in the path proves that it is its process.
        var all = (Files.Text(Invariant($"/proc/{container.State.Pid}/cgroup")) ?? "").Split('\n').Select(line => line.Split(':', 3))
            .Where(parts => parts.Length == 3 && container.Id.Length > 0
                && parts[2].Contains(container.Id, StringComparison.Ordinal)).ToList();
        var clock = all.Find(parts => parts[1].Split(',').Contains(Accounting)) is { } first
                ? new ContainerClock($"{Root}/{Accounting}{first[2]}/cpuacct.usage")
            : all.Find(parts => parts[1].Length == 0) is { } second ? new ContainerClock($"{Root}{second[2]}/cpu.stat") : null;
        return clock?.Seconds() is null ? null : clock;
    }

    /// <summary>Null when the container is gone.</summary>
    public double? Seconds()
    {
        var text = Files.Text(_file)?.Split('\n') ?? [];
        var number = text is [var first, ..] && !first.Contains(' ') ? first
            : text.FirstOrDefault(line => line.StartsWith(Total, StringComparison.Ordinal))?[Total.Length..];
        return !long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var count) ? null
            : count / (_file.EndsWith(".usage", StringComparison.Ordinal) ? 1e9 : 1e6);
    }
}
