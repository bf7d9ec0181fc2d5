using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Whether the machine is virtual, and of the size that was ordered.</summary>
internal sealed class HypervisorRow() : HygieneRow(3)
{
    /// <summary>In the DMI of every virtual machine of Azure.</summary>
    public const string AzureTag = "7783-7084-3265-9085-8269-3286-77";

    public override void Read(MachineScan scan, JsonObject facts) => facts["hypervisor"] = new JsonObject
    {
        // The processor's own word for "I am a guest": every hypervisor but some that hide themselves sets it.
        ["guest"] = scan.Fact("/proc/cpuinfo", text => KernelText.Field(text, "flags") is { } flags
            ? flags.Split(' ').Contains("hypervisor", StringComparer.Ordinal) ? "yes" : "no" : null),
        ["type"] = scan.Line("/sys/hypervisor/type"),
        ["vendor"] = scan.Line("/sys/class/dmi/id/sys_vendor"),
        ["product"] = scan.Line("/sys/class/dmi/id/product_name"),
        ["assetTag"] = scan.Line("/sys/class/dmi/id/chassis_asset_tag"),
        ["orderedSize"] = scan.Lab.Size ?? MachineFiles.Absent,
    };

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var guest = facts.Text("hypervisor.guest");
        var xen = facts.Text("hypervisor.type") is not (MachineFiles.Absent or MachineFiles.Unknown);
        var value = guest is "yes" || xen ? "virtual machine" : guest is "no" ? "none" : guest;
        // Said to a lab only: a laptop's virtual machine is what its owner chose.
        yield return policy == HygienePolicy.Metal
            ? Judged("hypervisor", value, value is "none", (Penalty.RefuseOnMetal, "the policy metal is for machines without a hypervisor: others take its time unseen; use --policy azure", policy))
            : Recorded("hypervisor", value);
        yield return Recorded("machine", $"{facts.Text("hypervisor.vendor")}, {facts.Text("hypervisor.product")}");
        if (Size(facts, policy) is { } size)
        {
            yield return size;
        }
    }

    private HygieneFinding? Size(FactReader facts, HygienePolicy policy)
    {
        if (!facts.Has("instance.size"))
        {
            return null;
        }

        var (ordered, size) = (facts.Text("hypervisor.orderedSize"), facts.Text("instance.size"));
        var value = $"{size} in {facts.Text("instance.location")}, vmId {facts.Text("instance.vmId")}";
        return ordered is MachineFiles.Absent or MachineFiles.Unknown || size is MachineFiles.Unknown
            ? Recorded("size", value)
            : Judged("size", value, string.Equals(ordered, size, StringComparison.OrdinalIgnoreCase), (new Penalty(HygieneSeverity.Refuse, HygieneSeverity.Record),
                $"{ordered} was ordered (SIZE in {LabMachine.File}): deallocate the machine and let `pulumi up` make it again, or correct the file", policy));
    }
}
