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

        // Functions, not rows: some compute all of theirs before the first.
        foreach (var (name, rows) in new (string, Func<Run, IEnumerable<FigureRow>>)[]
        {
            ("G2", Power.Rows), ("G4", Coverage.Rows), ("G5", Drift.Rows), ("G6", TrendRates.False), ("G7", TrendRates.Delays),
            ("G8", TrendRates.Years), ("G9", Determinism.Same), ("G10", Determinism.AaRate), ("G11", Determinism.Speed),
            ("G12", GoingOnRates.Rows), ("G13", StepRates.False), ("G14", StepRates.Found), ("G15", StepRates.Seen),
            ("S1", SteadyLabels.Rows), ("S3", RestRates.Rows), ("H1", SessionRates.Rows), ("B1", Bisections.Rows),
        })
        {
            foreach (var row in only.Contains(name, StringComparer.Ordinal) ? rows(run) : [])
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
