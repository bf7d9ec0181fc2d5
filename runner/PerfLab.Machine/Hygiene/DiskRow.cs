using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>Room where the session writes, and what waits to be written.</summary>
internal static class DiskRow
{
    private const int MostDisks = 64;

    public static HygieneRow Entry { get; } = new(30, [],
        Row.Fact("disk.schedulers", Schedulers),
        Row.Fact("disk.dirtyKiB", scan => scan.Fact("/proc/meminfo", text => KernelText.Field(text, "Dirty") is { } dirty ? KernelText.Whole(dirty.Split(' ')[0]) : null)),
        Row.Fact("disk.freeBytes", scan => scan.Disk?.FreeBytes),
        Row.Fact("disk.totalBytes", scan => scan.Disk?.TotalBytes),
        Row.Fact("disk.freeFiles", scan => scan.Disk is { TotalFiles: > 0 } disk ? disk.FreeFiles : null),
        Row.Fact("disk.totalFiles", scan => scan.Disk is { TotalFiles: > 0 } disk ? disk.TotalFiles : null),
        new HygieneLine((row, facts, policy) => Room((row, facts, policy), "disk", "Bytes", facts.Format("disk.freeBytes", "0.0", " GiB", 1.0 / (1 << 30)))
            ?? new(row, "disk", MachineFiles.Unknown)),
        new HygieneLine((row, facts, policy) => Room((row, facts, policy), "inodes", "Files", facts.Format("disk.freeFiles", "0"))),
        Row.Record("disk schedulers", "disk.schedulers"),
        Row.Record("waiting to be written", facts => facts.Format("disk.dirtyKiB", "0", " KiB")));

    private static HygieneFinding? Room((int Row, FactReader Facts, HygienePolicy Policy) at, string name, string of, string text) =>
        at.Facts.Number("disk.free" + of) is { } free && at.Facts.Number("disk.total" + of) is > 0 and var total
            ? Row.Judge(new(at.Row, name, Invariant($"{text} free ({100 * free / total:0} %)")),
                free / total >= DiskSpace.LeastFreeShare, (Penalty.Refuse.AlsoHosted,
                "a full disk loses the session; free some (./perf-lab clean removes what the lab made) or write elsewhere with --out", at.Policy))
            : null;

    private static JsonNode Schedulers(MachineScan scan)
    {
        var disks = scan.Files.Names("/sys/block").Take(MostDisks)
            .Select(disk => (disk, Scheduler: scan.Fact($"/sys/block/{disk}/queue/scheduler", text => KernelText.Choice(text) ?? KernelText.Line(text)).ToString()))
            .Where(seen => seen.Scheduler is not MachineFiles.Absent).GroupBy(seen => seen.Scheduler, StringComparer.Ordinal)
            .Select(group => $"{group.Key} ({string.Join(", ", group.Take(8).Select(seen => seen.disk))})");
        return string.Join("; ", disks) is { Length: > 0 } list ? list : MachineFiles.Absent;
    }
}
