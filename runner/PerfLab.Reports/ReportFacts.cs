using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Reports;

/// <summary>Where, when and how a session was measured.</summary>
internal static class ReportFacts
{
    /// <summary>Names that other parts look for.</summary>
    public const string Machine = "machine", Executor = "executor", Pairing = "pairing";

    /// <summary>One (name, value) a line. Values are untrusted.</summary>
    public static IReadOnlyList<(string Name, string Value)> Of(Comparison comparison, ReportContext context)
    {
        var facts = new List<(string, string?)>
        {
            (Machine, context.Machine),
            (Executor, context.Executor),
            ("started", context.Started?.UtcDateTime.ToString("yyyy-MM-dd HH:mm 'UTC'", CultureInfo.InvariantCulture)),
            ("session", comparison.Session),
            ("plan", comparison.Plan),
            ("same IL", SameIl(context.Cells)),
            (Pairing, Turns(context.Cells)),
            ("not in turns", WhyNot(context.Cells)),
        };
        return [.. facts.Where(fact => !string.IsNullOrEmpty(fact.Item2)).Select(fact => (fact.Item1, fact.Item2!)), .. context.Shards];
    }

    /// <summary>Said where arms took turns; a report that says nothing launched one after the other.</summary>
    private static string? Turns(IReadOnlyList<Cell> cells)
    {
        var turns = cells.Select(cell => cell.Turns).OfType<TurnPlan>().ToList();
        return turns is not [var first, ..] ? null
            : (first.ByClock ? Invariant($"in turns, cut from outside into slices of {1000 * first.SliceSeconds:0.###} ms")
                : Invariant($"in turns, {first.Slices} slices of {1000 * first.SliceSeconds:0.###} ms a launch"))
                + (turns.Count == cells.Count ? "" : Invariant($", in {turns.Count} of {cells.Count} cells"));
    }

    private static string WhyNot(IEnumerable<Cell> cells) =>
        string.Join("; ", cells.Select(cell => cell.NoTurns).OfType<string>().Distinct(StringComparer.Ordinal));

    /// <summary>Said where builds differ and their IL does not: then nothing but the runtime does.</summary>
    private static string? SameIl(IReadOnlyList<Cell> cells)
    {
        var same = cells.Where(cell => cell.Arms.All(arm => arm.Il is not null && arm.Il == cell.Reference.Il)
            && cell.Arms.Any(arm => arm.Build != cell.Reference.Build)).ToList();
        var identities = same.Select(cell => cell.Reference.Il!).Distinct(StringComparer.Ordinal).ToList();
        return identities switch
        {
            [] => null,
            [var only] => Invariant($"proven by hash, {only}: in {same.Count} of {cells.Count} cells the arms differ in their runtime, not in their own code"),
            _ => Invariant($"proven by hash: in {same.Count} of {cells.Count} cells the arms differ in their runtime, not in their own code"),
        };
    }
}
