using static System.FormattableString;

namespace PerfLab.Calibration;

/// <summary>All figures, one after the other, as the rows of one table.</summary>
public static class FigureTable
{
    /// <summary>The rows of the figures named in <paramref name="only"/>; G1 and G3 come from the same simulations.</summary>
    public static IEnumerable<FigureRow> Rows(Run run, IReadOnlyList<string> only)
    {
        if (only.Contains("G1", StringComparer.Ordinal) || only.Contains("G3", StringComparer.Ordinal))
        {
            foreach (var row in FalseFlagRate.Rows(run).Where(row => only.Contains(row.Name, StringComparer.Ordinal)))
            {
                yield return row;
            }
        }

        foreach (var (name, rows) in new[] { ("G2", Power.Rows(run)), ("G4", Coverage.Rows(run)), ("G5", Drift.Rows(run)), ("G6", TrendRates.False(run)),
            ("G7", TrendRates.Delays(run)), ("G8", TrendRates.Years(run)), ("G9", Determinism.Same(run)), ("G10", Determinism.AaRate(run)), ("G11", Determinism.Speed(run)),
            ("G12", GoingOnRates.Rows(run)), ("G13", StepRates.False(run)), ("G14", StepRates.Found(run)), ("G15", StepRates.Seen(run)), ("S1", SteadyLabels.Rows(run)), ("S3", RestRates.Rows(run)), ("H1", SessionRates.Rows(run)),
            ("B1", Bisections.Rows(run)) })
        {
            foreach (var row in only.Contains(name, StringComparer.Ordinal) ? rows : [])
            {
                yield return row;
            }
        }
    }

    public static string Line(FigureRow row)
    {
        var unit = row.IsPercent ? " %" : "";
        var bound = row.Bound is { } value ? Invariant($"{value:0.000}{unit}") : "";
        return Invariant($"| {row.Name} | {row.Case} | {row.Aim} | {row.Measured:0.000}{unit} | {bound} | {Mark(row)} |");
    }

    private static string Mark(FigureRow row) => row switch
    {
        { Passed: true } => "pass",
        { KnownMiss: true } => "MISS (known)",
        _ => "MISS",
    };
}
