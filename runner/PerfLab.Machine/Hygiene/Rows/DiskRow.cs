using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Room where the session writes, and what waits to be written.</summary>
internal sealed class DiskRow() : HygieneRow(30)
{
    private const int MostDisks = 64;
    private const string Fix = "a full disk loses the session; free some (./perf-lab clean removes what the lab made) or write elsewhere with --out";

    public override void Read(MachineScan scan, JsonObject facts)
    {
        var disk = new JsonObject
        {
            ["schedulers"] = Schedulers(scan),
            ["dirtyKiB"] = scan.Fact("/proc/meminfo", text => KernelText.Field(text, "Dirty") is { } dirty ? KernelText.Whole(dirty.Split(' ')[0]) : null),
        };
        if (scan.Disk is { } space)
        {
            (disk["freeBytes"], disk["totalBytes"]) = (space.FreeBytes, space.TotalBytes);
            if (space.TotalFiles > 0)
            {
                (disk["freeFiles"], disk["totalFiles"]) = (space.FreeFiles, space.TotalFiles);
            }
        }

        facts["disk"] = disk;
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var (free, total) = (facts.Number("disk.freeBytes"), facts.Number("disk.totalBytes"));
        yield return free is null || total is not > 0 ? Recorded("disk", MachineFiles.Unknown)
            : Judged("disk", $"{In(free.Value / (1 << 30), "0.0")} GiB free ({In(100 * free.Value / total.Value, "0")} %)",
                free.Value / total.Value >= DiskSpace.LeastFreeShare, (Penalty.Refuse, Fix, policy));
        if (facts.Number("disk.freeFiles") is { } files && facts.Number("disk.totalFiles") is > 0 and var all)
        {
            yield return Judged("inodes", $"{In(files, "0")} free ({In(100 * files / all, "0")} %)", files / all >= DiskSpace.LeastFreeShare, (Penalty.Refuse, Fix, policy));
        }

        yield return Recorded("disk schedulers", facts.Text("disk.schedulers"));
        yield return Recorded("waiting to be written", facts.Number("disk.dirtyKiB") is { } dirty ? In(dirty, "0") + " KiB" : facts.Text("disk.dirtyKiB"));
    }

    private static string Schedulers(MachineScan scan)
    {
        var disks = scan.Files.Names("/sys/block").Take(MostDisks)
            .Select(disk => (disk, Scheduler: scan.Fact($"/sys/block/{disk}/queue/scheduler", text => KernelText.Choice(text) ?? KernelText.Line(text)).ToString()))
            .Where(seen => seen.Scheduler is not MachineFiles.Absent).GroupBy(seen => seen.Scheduler, StringComparer.Ordinal)
            .Select(group => $"{group.Key} ({string.Join(", ", group.Take(8).Select(seen => seen.disk))})");
        return string.Join("; ", disks) is { Length: > 0 } list ? list : MachineFiles.Absent;
    }

    private static string In(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);
}
