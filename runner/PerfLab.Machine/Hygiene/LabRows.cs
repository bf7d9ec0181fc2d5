using System.Runtime.InteropServices;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>The lab itself: who launches, and in what, and the .NET that it runs on.</summary>
internal static class LabRows
{
    public static HygieneRow[] All { get; } =
    [
        // Engine, cgroups, and whether the lab itself sits in a container or a user namespace.
        new(31, ["executor", "cgroup", "nesting"],
            Row.Fact("cgroup", scan => scan.Cgroup.Version),
            Row.Fact("nesting.container", Container),
            Row.Fact("nesting.userNamespace", scan => scan.Fact("/proc/self/uid_map", UserNamespace)),
            Row.Fact("executor", scan => scan.Executor?.DeepClone()),
            Row.Record("executor", facts => facts.Text("executor.executor") is not MachineFiles.Unknown || !facts.Has("executor.engine")
                ? facts.Text("executor.executor") : $"docker {facts.Text("executor.engine")}, {facts.Text("executor.storageDriver")}, {facts.Text("executor.security")}"),
            Row.MustBeKnown("cgroup version", "cgroup", (version, _) => version is "v2", Penalty.Refuse,
                "only cgroup v2 reserves cores for workloads: boot with systemd.unified_cgroup_hierarchy=1"),
            Row.Must("the lab in a container", "nesting.container", "no", Penalty.Refuse,
                "what limits that container limits every launch, unseen: run the lab on the machine itself"),
            Row.Must("user namespace (rootless)", "nesting.userNamespace", "no", Penalty.Refuse,
                "limits can't be set or proven without root: run the lab, and the engine, as root on the machine itself")),

        // .NET of the runner. The runtime that is measured is in each launch's evidence, and held against the plan and the other arms there.
        new(32, ["dotnet.processors"],
            Row.Fact("dotnet.runner", _ => RuntimeInformation.FrameworkDescription),
            Row.Fact("dotnet.rid", _ => RuntimeInformation.RuntimeIdentifier),
            Row.Fact("dotnet.processors", _ => Environment.ProcessorCount),
            // Removed from every launch; named, because they change the runner itself.
            Row.Fact("dotnet.inherited", _ => MachineScan.List(Environment.GetEnvironmentVariables().Keys.Cast<string>()
                .Where(name => name.StartsWith("DOTNET_", StringComparison.OrdinalIgnoreCase) || name.StartsWith("COMPlus_", StringComparison.OrdinalIgnoreCase))
                .Order(StringComparer.Ordinal).Take(32))),
            Row.Record(".NET of the runner", "dotnet.runner"),
            Row.Record("DOTNET_* of the runner, kept from launches", "dotnet.inherited")),
    ];

    private static JsonNode Container(MachineScan scan) =>
        scan.Files.Exists("/.dockerenv") || scan.Files.Exists("/run/.containerenv") ? "yes"
        : scan.Files.Text("/proc/1/cgroup") is not { } text ? MachineFiles.Unknown
        : new[] { "/docker/", "kubepods", "/lxc/" }.Any(mark => text.Contains(mark)) ? "yes" : "no";

    // The first namespace maps every id to itself: "0 0 4294967295".
    private static string? UserNamespace(string text) => text.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries) switch
    {
        ["0", "0", "4294967295"] => "no",
        { Length: >= 3 } words when words.All(word => KernelText.Whole(word) is not null) => "yes",
        _ => null,
    };
}
