using PerfLab.Core.Evidence;

namespace PerfLab.Reports.Why;

/// <summary>A table as text, not yet laid out: the renderers differ only in lines and spaces.</summary>
/// <param name="Head">One for each column; the first column is text, the others are figures.</param>
/// <param name="Rows">As many cells as the head has.</param>
internal sealed record JitTable(string Title, IReadOnlyList<string> Head, IReadOnlyList<IReadOnlyList<string>> Rows)
{
    /// <summary>The tables of a cell: by trigger, by tier, the dearest methods of each arm.</summary>
    public static IEnumerable<JitTable> Of(JitCell cell)
    {
        var arms = cell.Arms.Where(arm => arm.Statistics is not null).ToList();
        return arms.Count == 0 ? [] : [ByTrigger(arms), ByTier(arms), .. arms.Select(Methods)];
    }

    private static JitTable ByTrigger(List<JitArm> arms)
    {
        (string Name, Func<JitStatistics, JitTotals> Of)[] rows =
        [
            ("TOTAL", statistics => statistics.Total),
            ("Foreground", statistics => statistics.Of(JitTrigger.Foreground)),
            ("Multicore JIT background", statistics => statistics.Of(JitTrigger.MulticoreBackground)),
            ("Tiered compilation background", statistics => statistics.Of(JitTrigger.TieredBackground)),
        ];
        return new(
            "By trigger",
            ["trigger", .. arms.SelectMany(arm => new[] { $"{arm.Arm} count", "%", "ms", "% CPU" }), .. Ratios(arms)],
            [.. rows.Select(row => (IReadOnlyList<string>)[row.Name, .. arms.SelectMany(arm => Trigger(arm.Statistics!, row.Of(arm.Statistics!))),
                .. arms.Skip(1).Select(arm => Ratio(row.Of(arm.Statistics!).Milliseconds, row.Of(arms[0].Statistics!).Milliseconds))])]);
    }

    private static JitTable ByTier(List<JitArm> arms) => new(
        "By tier",
        ["tier", .. arms.SelectMany(arm => new[] { $"{arm.Arm} count", "ms", "IL bytes", "code bytes" }), .. Ratios(arms)],
        [.. arms.SelectMany(arm => arm.Statistics!.ByTier.Keys).Distinct().Order().Select(tier => (IReadOnlyList<string>)
            [Name(tier), .. arms.Select(arm => arm.Statistics!.Of(tier)).SelectMany(Tier),
                .. arms.Skip(1).Select(arm => Ratio(arm.Statistics!.Of(tier).Milliseconds, arms[0].Statistics!.Of(tier).Milliseconds))])]);

    private static JitTable Methods(JitArm arm) => new(
        $"Top methods of {arm.Title}",
        ["method", "count", "ms", "code bytes", "tiers"],
        [.. arm.Statistics!.TopMethods.Select(method => (IReadOnlyList<string>)
            [method.Name, Count(method.Totals.Count), Milliseconds(method.Totals.Milliseconds), Count(method.Totals.NativeBytes), Tiers(method.Tiers)])]);

    private static string[] Trigger(JitStatistics statistics, JitTotals totals) =>
    [
        Count(totals.Count), Share(totals.Count, statistics.Total.Count), Milliseconds(totals.Milliseconds),
        statistics.ProcessCpuSeconds is { } cpu ? Share(totals.Milliseconds, cpu * 1000) : "-",
    ];

    private static string[] Tier(JitTotals totals) => [Count(totals.Count), Milliseconds(totals.Milliseconds), Count(totals.IlBytes), Count(totals.NativeBytes)];

    private static IEnumerable<string> Ratios(List<JitArm> arms) => arms.Skip(1).Select(arm => $"ms {arm.Arm}/{arms[0].Arm}");

    private static string Name(JitTier tier) => tier == JitTier.OptimizedTier1Osr ? "OptimizedTier1OSR" : tier.ToString();

    private static string Tiers(IReadOnlyList<JitTier> tiers)
    {
        const int shown = 4;
        return string.Join(" > ", tiers.Take(shown).Select(Name)) + (tiers.Count > shown ? " …" : "");
    }

    private static string Count(long value) => value.ToString(CultureInfo.InvariantCulture);

    private static string Milliseconds(double value) => value.ToString("0.0", CultureInfo.InvariantCulture);

    private static string Share(double part, double whole) => whole > 0 ? (100 * part / whole).ToString("0.0", CultureInfo.InvariantCulture) : "-";

    private static string Ratio(double value, double reference) => reference > 0 && value > 0 ? (value / reference).ToString("0.00", CultureInfo.InvariantCulture) : "-";
}
