using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>Whether the machine is virtual, and of the size that was ordered.</summary>
internal static class HypervisorRow
{
    /// <summary>In the DMI of every virtual machine of Azure.</summary>
    public const string AzureTag = "7783-7084-3265-9085-8269-3286-77";

    public static HygieneRow Entry { get; } = new(3, [],
        // The processor's own word for "I am a guest": every hypervisor but some that hide themselves sets it.
        Row.Fact("hypervisor.guest", scan => scan.Fact("/proc/cpuinfo",
            text => KernelText.Field(text, "flags") is { } flags ? flags.Split(' ').Contains("hypervisor") ? "yes" : "no" : null)),
        Row.Fact("hypervisor.type", scan => scan.Line("/sys/hypervisor/type")),
        Row.Fact("hypervisor.vendor", scan => scan.Line("/sys/class/dmi/id/sys_vendor")),
        Row.Fact("hypervisor.product", scan => scan.Line("/sys/class/dmi/id/product_name")),
        Row.Fact("hypervisor.assetTag", scan => scan.Line("/sys/class/dmi/id/chassis_asset_tag")),
        Row.Fact("hypervisor.orderedSize", scan => scan.Lab.Size ?? MachineFiles.Absent),
        // Said to a lab only: a laptop's virtual machine is what its owner chose.
        Row.Must("hypervisor", Kind, "none", Penalty.RefuseOnMetal,
            "the policy metal is for machines without a hypervisor: others take its time unseen; use --policy azure")
            .When((_, policy) => policy == HygienePolicy.Metal),
        Row.Record("hypervisor", Kind).When((_, policy) => policy != HygienePolicy.Metal),
        Row.Record("machine", facts => $"{facts.Text("hypervisor.vendor")}, {facts.Text("hypervisor.product")}"),
        new HygieneLine(Size));

    private static string Kind(FactReader facts)
    {
        var guest = facts.Text("hypervisor.guest");
        var xen = facts.Text("hypervisor.type") is not (MachineFiles.Absent or MachineFiles.Unknown);
        return guest is "yes" || xen ? "virtual machine" : guest is "no" ? "none" : guest;
    }

    private static HygieneFinding? Size(int row, FactReader facts, HygienePolicy policy)
    {
        if (!facts.Has("instance.size"))
        {
            return null;
        }

        var (ordered, size) = (facts.Text("hypervisor.orderedSize"), facts.Text("instance.size"));
        var found = new HygieneFinding(row, "size", $"{size} in {facts.Text("instance.location")}, vmId {facts.Text("instance.vmId")}");
        return ordered is MachineFiles.Absent or MachineFiles.Unknown || size is MachineFiles.Unknown ? found
            : Row.Judge(found, string.Equals(ordered, size, StringComparison.OrdinalIgnoreCase), (new Penalty(HygieneSeverity.Refuse, HygieneSeverity.Record),
                $"{ordered} was ordered (SIZE in {LabMachine.File}): ask again (each request gets a new machine), or correct the file", policy));
    }
}
