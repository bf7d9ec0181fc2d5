using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>Judges a fingerprint before anything is launched: pure, so that doctor, session and report say the same.</summary>
public static class HygieneJudge
{
    /// <summary>What passes by itself when one waits.</summary>
    public static bool Passes(HygieneFinding finding) => OtherWorkRows.Passes(finding);

    /// <summary>Findings in the order of the table.</summary>
    /// <param name="facts">As <see cref="MachineFacts.Read"/> gives them, or a journal's; members that are missing count as unknown.</param>
    public static IReadOnlyList<HygieneFinding> Judge(JsonObject facts, HygienePolicy policy)
    {
        var reader = new FactReader(facts);
        return [.. HygieneTable.Rows.SelectMany(row => row.Judge(reader, policy))];
    }

    /// <summary>What differs between two fingerprints that values to be compared were taken under; empty when nothing does.</summary>
    public static IReadOnlyList<string> Differences(JsonObject before, JsonObject after)
    {
        var (one, other) = (new FactReader(before), new FactReader(after));
        return
        [
            .. from path in HygieneTable.Rows.SelectMany(row => row.Constant)
               // A journal of an older version lacks facts: what was never recorded can't have changed.
               where one.Has(path) && other.Has(path) && one.Text(path) != other.Text(path)
               select $"{path} was {Short(one.Text(path))} and is {Short(other.Text(path))}",
        ];
    }

    private static string Short(string text) => text.Length <= 80 ? $"'{text}'" : $"'{text[..80]}…'";
}

/// <summary>Every row of the table, in its order. Rows of one kind share a file; one with a longer story has its own.</summary>
internal static class HygieneTable
{
    public static IReadOnlyList<HygieneRow> Rows { get; } =
    [
        .. CpuRows.All.Concat(KernelRows.All).Concat(MemoryRows.All).Concat(TimeRows.All).Concat(OtherWorkRows.All).Concat(LabRows.All)
            .Concat([HypervisorRow.Entry, CpuSplitRow.Entry, DiskRow.Entry, SelfTestRow.Entry]).OrderBy(row => row.Number),
    ];
}
