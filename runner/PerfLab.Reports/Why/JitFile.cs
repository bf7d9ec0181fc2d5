using PerfLab.Core.Evidence;
using PerfLab.Core.Files;

namespace PerfLab.Reports.Why;

/// <summary>The report for machines: durations in seconds, as everywhere.</summary>
public sealed record JitFile(IReadOnlyList<WrittenJitCell> Cells)
{
    public static FileFormat<JitFile> File { get; } =
        new("perf-lab/jit/1", "What `perf-lab jit --format json` prints: JIT statistics of traced launches or traces");

    public static string Write(JitReport report) =>
        File.Write(new([.. report.Cells.Select(cell => new WrittenJitCell(cell.Label, [.. cell.Arms.Select(WrittenJitArm.Of)]))]));
}

/// <param name="Cell">Label as in reports.</param>
public sealed record WrittenJitCell(string Cell, IReadOnlyList<WrittenJitArm> Arms);

/// <param name="Values">What tells it from the other arms; the file's name for a trace.</param>
/// <param name="Doubts">Why figures may not be complete.</param>
/// <param name="Total">Null, like all that follows, when there was no trace to read.</param>
public sealed record WrittenJitArm(
    string Arm,
    string Values,
    IReadOnlyList<string> Facts,
    IReadOnlyList<string> Doubts,
    [AtLeast(0)] double? ProcessCpuSeconds,
    WrittenJitTotals? Total,
    WrittenJitTriggers? Triggers,
    IReadOnlyDictionary<string, WrittenJitTotals>? Tiers,
    IReadOnlyList<WrittenJitMethod>? TopMethods)
{
    internal static WrittenJitArm Of(JitArm arm)
    {
        if (arm.Statistics is not { } statistics)
        {
            return new(arm.Arm, arm.Values, arm.Facts, arm.Doubts, null, null, null, null, null);
        }

        return new(arm.Arm, arm.Values, arm.Facts, arm.Doubts, statistics.ProcessCpuSeconds, null, null, null, null)
        {
            Total = WrittenJitTotals.Of(statistics.Total),
            Triggers = new(
                WrittenJitTotals.Of(statistics.Of(JitTrigger.Foreground)),
                WrittenJitTotals.Of(statistics.Of(JitTrigger.MulticoreBackground)),
                WrittenJitTotals.Of(statistics.Of(JitTrigger.TieredBackground))),
            Tiers = statistics.ByTier.ToDictionary(tier => $"{tier.Key}", tier => WrittenJitTotals.Of(tier.Value), StringComparer.Ordinal),
            TopMethods = [.. statistics.TopMethods.Select(method => WrittenJitMethod.Of(method))],
        };
    }
}

public sealed record WrittenJitTriggers(
    WrittenJitTotals Foreground, WrittenJitTotals MulticoreBackground, WrittenJitTotals TieredBackground);

/// <param name="Count">Compilations: a method compiled in three tiers counts three times.</param>
/// <param name="Seconds">Wall time on the compiling threads, not CPU time.</param>
public sealed record WrittenJitTotals(
    [AtLeast(0)] int Count, [AtLeast(0)] double Seconds, [AtLeast(0)] long IlBytes, [AtLeast(0)] long CodeBytes)
{
    internal static WrittenJitTotals Of(JitTotals totals) =>
        new(totals.Count, totals.Milliseconds / 1000, totals.IlBytes, totals.NativeBytes);
}

/// <param name="Method">Type, method and signature.</param>
/// <param name="Tiers">In the order of compiling.</param>
public sealed record WrittenJitMethod(
    [AtLeast(0)] int Count,
    [AtLeast(0)] double Seconds,
    [AtLeast(0)] long IlBytes,
    [AtLeast(0)] long CodeBytes,
    string Method,
    IReadOnlyList<string> Tiers)
{
    internal static WrittenJitMethod Of(JitMethod method) => new(
        method.Totals.Count, method.Totals.Milliseconds / 1000, method.Totals.IlBytes, method.Totals.NativeBytes,
        method.Name, [.. method.Tiers.Select(tier => tier.ToString())]);
}
