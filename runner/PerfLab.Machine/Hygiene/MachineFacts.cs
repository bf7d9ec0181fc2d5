using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>
/// The machine's fingerprint, as the journal records it (docs/machines.md lists the rows). A fact is a value, "absent" when this machine
/// has no such thing, or "unknown" when it does not say.
/// </summary>
internal static class MachineFacts
{
    /// <summary>Never throws. A disk or launcher (<c>ILauncher.DescribeAsync</c>) that is not given is left out.</summary>
    public static JsonObject Read(MachineFiles files, TimeProvider time, DiskSpace? disk = null, JsonObject? executor = null)
    {
        var scan = new MachineScan(files, time) { Disk = disk, Executor = executor };
        var facts = new JsonObject();
        foreach (var row in HygieneTable.Rows)
        {
            row.Read(scan, facts);
        }

        return facts;
    }
}
