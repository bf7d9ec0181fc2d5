using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Who launches, and in what: engine, cgroups, and whether the lab itself sits in a container or a user namespace.</summary>
internal sealed class ExecutorRow() : HygieneRow(31)
{
    public override IReadOnlyList<string> Constant => ["executor", "cgroup", "nesting"];

    public override void Read(MachineScan scan, JsonObject facts)
    {
        facts["cgroup"] = new CgroupFiles(scan.Files).Version;
        facts["nesting"] = new JsonObject { ["container"] = Container(scan), ["userNamespace"] = scan.Fact("/proc/self/uid_map", UserNamespace) };
        if (scan.Executor is not null)
        {
            facts["executor"] = scan.Executor.DeepClone();
        }
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var executor = facts.Text("executor.executor") is var name && name is not MachineFiles.Unknown ? name
            : facts.Has("executor.engine") ? $"docker {facts.Text("executor.engine")}, {facts.Text("executor.storageDriver")}, {facts.Text("executor.security")}" : name;
        yield return Recorded("executor", executor);
        var cgroup = facts.Text("cgroup");
        yield return cgroup is "v2" ? new(Number, "cgroup version", cgroup, HygieneSeverity.Ok)
            : new(Number, "cgroup version", cgroup, Penalty.Refuse.Under(policy),
                "only cgroup v2 gives workloads cores that nobody else may use: boot with systemd.unified_cgroup_hierarchy=1");
        var container = facts.Text("nesting.container");
        yield return Judged("the lab in a container", container, container is "no", (Penalty.Refuse,
            "what limits that container limits every launch, unseen: run the lab on the machine itself", policy));
        var space = facts.Text("nesting.userNamespace");
        yield return Judged("user namespace (rootless)", space, space is "no", (Penalty.Refuse,
            "limits can't be set or proven without root: run the lab, and the engine, as root on the machine itself", policy));
    }

    private static string Container(MachineScan scan) =>
        scan.Files.Exists("/.dockerenv") || scan.Files.Exists("/run/.containerenv") ? "yes"
        : scan.Files.Text("/proc/1/cgroup") is { } text
            ? text.Contains("/docker/", StringComparison.Ordinal) || text.Contains("kubepods", StringComparison.Ordinal) || text.Contains("/lxc/", StringComparison.Ordinal) ? "yes" : "no"
            : MachineFiles.Unknown;

    // The first namespace maps every id to itself: "0 0 4294967295".
    private static string? UserNamespace(string text) => text.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries) switch
    {
        ["0", "0", "4294967295"] => "no",
        { Length: >= 3 } words when words.All(word => KernelText.Whole(word) is not null) => "yes",
        _ => null,
    };
}
