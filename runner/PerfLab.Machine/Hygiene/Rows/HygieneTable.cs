namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Every row of the table, in its order. Rows of one kind share a file; one with a longer story has its own.</summary>
internal static class HygieneTable
{
    public static IReadOnlyList<HygieneRow> Rows { get; } =
    [
        .. CpuRows.All.Concat(KernelRows.All).Concat(MemoryRows.All).Concat(TimeRows.All).Concat(OtherWorkRows.All).Concat(LabRows.All)
            .Concat([HypervisorRow.Entry, CpuSplitRow.Entry, DiskRow.Entry, SelfTestRow.Entry]).OrderBy(row => row.Number),
    ];
}
