using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Room where the session writes, and what waits to be written.</summary>
internal static class DiskRow
{
    private const int MostDisks = 64;

    public static HygieneRow Row { get; } = new(30,
        [
            ("disk.schedulers", Schedulers),
            ("disk.dirtyKiB", scan => scan.Fact("/proc/meminfo", text => KernelText.Field(text, "Dirty") is { } dirty ? KernelText.Whole(dirty.Split(' ')[0]) : null)),
            ("disk.freeBytes", scan => scan.Disk?.FreeBytes),
            ("disk.totalBytes", scan => scan.Disk?.TotalBytes),
            ("disk.freeFiles", scan => scan.Disk is { TotalFiles: > 0 } disk ? disk.FreeFiles : null),
            ("disk.totalFiles", scan => scan.Disk is { TotalFiles: > 0 } disk ? disk.TotalFiles : null),
        ],
        [],
        [
            (row, facts, policy) => Room((row, facts, policy), "disk", "Bytes", facts.Format("disk.freeBytes", "0.0", " GiB", 1.0 / (1 << 30)))
                ?? new(row, "disk", MachineFiles.Unknown),
            (row, facts, policy) => Room((row, facts, policy), "inodes", "Files", facts.Format("disk.freeFiles", "0")),
            Rule.Record("disk schedulers", "disk.schedulers"),
            Rule.Record("waiting to be written", facts => facts.Format("disk.dirtyKiB", "0", " KiB")),
        ]);

    private static HygieneFinding? Room((int Row, FactReader Facts, HygienePolicy Policy) at, string name, string of, string text) =>
        at.Facts.Number("disk.free" + of) is { } free && at.Facts.Number("disk.total" + of) is > 0 and var total
            ? Rule.Judge(new(at.Row, name, string.Create(CultureInfo.InvariantCulture, $"{text} free ({100 * free / total:0} %)")),
                free / total >= DiskSpace.LeastFreeShare, (Penalty.Refuse,
                "a full disk loses the session; free some (./perf-lab clean removes what the lab made) or write elsewhere with --out", at.Policy))
            : null;

    private static JsonNode Schedulers(MachineScan scan)
    {
        var disks = scan.Files.Names("/sys/block").Take(MostDisks)
            .Select(disk => (disk, Scheduler: scan.Fact($"/sys/block/{disk}/queue/scheduler", text => KernelText.Choice(text) ?? KernelText.Line(text)).ToString()))
            .Where(seen => seen.Scheduler is not MachineFiles.Absent).GroupBy(seen => seen.Scheduler)
            .Select(group => $"{group.Key} ({string.Join(", ", group.Take(8).Select(seen => seen.disk))})");
        return string.Join("; ", disks) is { Length: > 0 } list ? list : MachineFiles.Absent;
    }
}
