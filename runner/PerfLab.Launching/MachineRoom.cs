using PerfLab.Core.Model;
using PerfLab.Machine.Facts;

namespace PerfLab.Launching;

/// <summary>What this machine has for launches; null where nobody knows.</summary>
/// <param name="FreeBytes">What a program could get now without swapping.</param>
/// <param name="AllBytes">All memory.</param>
/// <param name="Cores">Those kept for workloads, or all but the first where there are more than two.</param>
public sealed record MachineRoom(long? FreeBytes = null, long? AllBytes = null, int? Cores = null)
{
    /// <param name="workloadCpus">Cores that are kept for workloads, in the kernel's list form; null when nobody split it.</param>
    public static MachineRoom Now(string? workloadCpus)
    {
        var files = new MachineFiles();
        var kept = CpuList.TryParse(workloadCpus ?? "", out var own) ? own.Count : 0;
        var online = CpuList.TryParse(files.Text("/sys/devices/system/cpu/online") ?? "", out var all) ? all.Count : 0;
        return new(Memory("MemAvailable:"), Memory("MemTotal:"), kept > 0 ? kept : online > 0 ? CoresOf(online) : null);

        long? Memory(string name) => files.Text("/proc/meminfo")?.Split('\n')
            .FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal)) is { } line
            && long.TryParse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], NumberStyles.None,
                CultureInfo.InvariantCulture, out var kibibytes) ? kibibytes << 10 : null;
    }

    /// <summary>How many of a machine's cores workloads get where nobody has split it.</summary>
    internal static int CoresOf(int all) => all > 2 ? all - 1 : all;
}
