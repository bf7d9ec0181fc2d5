using System.Runtime.InteropServices;
using System.Text.Json.Nodes;

namespace PerfLab.Runner.Machine;

/// <summary>
/// The machine's fingerprint, as the journal records it (docs/machine.md lists the rows). A fact is a value, "absent" when this machine
/// has no such thing, or "unknown" when it does not say.
/// </summary>
public static class MachineFacts
{
    /// <summary>Never throws.</summary>
    /// <param name="files">The kernel's files.</param>
    /// <param name="time">Both clocks: wall and monotonic.</param>
    /// <param name="disk">Where the session writes; null leaves it out.</param>
    /// <param name="executor">What the launcher says about itself (<c>ILauncher.DescribeAsync</c>); null leaves it out.</param>
    public static JsonObject Read(MachineFiles files, TimeProvider time, DiskSpace? disk = null, JsonObject? executor = null)
    {
        var facts = new JsonObject
        {
            ["cpu"] = Cpu(files),
            ["bootId"] = Fact(files, "/proc/sys/kernel/random/boot_id", KernelText.BootId),
            ["kernel"] = Fact(files, "/proc/version", KernelText.Line),
            ["commandLine"] = Fact(files, "/proc/cmdline", KernelText.Line),
            ["hugePages"] = new JsonObject
            {
                ["enabled"] = Fact(files, "/sys/kernel/mm/transparent_hugepage/enabled", KernelText.Choice),
                ["defrag"] = Fact(files, "/sys/kernel/mm/transparent_hugepage/defrag", KernelText.Choice),
            },
            ["swapKiB"] = Fact(files, "/proc/swaps", text => KernelText.SwapKibibytes(text)),
            ["clockSource"] = Fact(files, "/sys/devices/system/clocksource/clocksource0/current_clocksource", KernelText.Line),
            ["clockOffsetSeconds"] = ClockPair.Read(time).OffsetSeconds,
            ["stealShare"] = Fact(files, "/proc/stat", text => KernelText.Ticks(text) is { Total: > 0 } ticks ? (double)ticks.Steal / ticks.Total : null),
            ["load"] = Fact(files, "/proc/loadavg", text => KernelText.Load(text)),
            ["memoryKills"] = Fact(files, "/proc/vmstat", text => KernelText.Counter(text, "oom_kill")),
            ["cgroup"] = Cgroup(files),
            ["dotnet"] = DotNet(),
        };
        if (disk is not null)
        {
            facts["disk"] = new JsonObject { ["freeBytes"] = disk.FreeBytes, ["totalBytes"] = disk.TotalBytes };
        }

        if (executor is not null)
        {
            facts["executor"] = executor.DeepClone();
        }

        return facts;
    }

    private static JsonObject Cpu(MachineFiles files)
    {
        JsonNode Info(string key) => Fact(files, "/proc/cpuinfo", text => KernelText.Field(text, key));
        return new JsonObject
        {
            ["model"] = Info("model name"),
            ["family"] = Info("cpu family"),
            ["modelNumber"] = Info("model"),
            ["stepping"] = Info("stepping"),
            ["microcode"] = Info("microcode"),
            ["online"] = Fact(
                files, "/sys/devices/system/cpu/online", text => CpuList.TryParse(text, out var cpus) && cpus.Count > 0 ? CpuList.Format(cpus) : null),
        };
    }

    // Version 2 has its list of controllers at the root; a mixed set-up, as systemd calls "hybrid", limits memory through version 1.
    private static string Cgroup(MachineFiles files) =>
        files.Exists("/sys/fs/cgroup/cgroup.controllers") ? "v2" : files.Exists("/sys/fs/cgroup/memory") ? "v1" : MachineFiles.Absent;

    private static JsonObject DotNet() => new()
    {
        ["runner"] = RuntimeInformation.FrameworkDescription,
        ["rid"] = RuntimeInformation.RuntimeIdentifier,
        ["processors"] = Environment.ProcessorCount,
    };

    private static JsonValue Fact(MachineFiles files, string path, Func<string, object?> parse) => files.Fact(path, parse) switch
    {
        long number => JsonValue.Create(number),
        double number => JsonValue.Create(number),
        var text => JsonValue.Create((string)text)!,
    };
}
