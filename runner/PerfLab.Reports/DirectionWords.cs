using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>
/// What few rounds say: they show which way a row went, and can give no verdict, however much it moved. "--rounds 5" asks for no more.
/// </summary>
internal static class DirectionWords
{
    public static bool IsOf(ComparedMetric row) => row is { Verdict: Verdict.Undecided, Ended: null, SmallestDetectable: null, Rounds: > 0 }
        && row.Rounds < StageRule.LeastConfirmRounds;

    /// <summary>Whether all of few rounds went one way: what such a session can find.</summary>
    public static bool WentOneWay(ComparedMetric row) => IsOf(row) && Way(row) is not null;

    /// <summary>"no verdict, slower in all 5", "no verdict, both ways in 5 rounds".</summary>
    public static string Of(ComparedMetric row) => $"no verdict, {(Way(row) is { } way ? $"{way} in {AllOf(row.Rounds)}" : BothWays(row.Rounds))}";

    /// <summary>"5 rounds, no verdict: Json.Parse 12.3 % slower in all 5"; null where no row is such.</summary>
    public static string? Of(IReadOnlyList<ComparedMetric> primary, IReadOnlyList<Cell> cells)
    {
        var rows = RowNames.LargestFirst(primary.Where(IsOf)).ToList();
        if (rows.Count == 0)
        {
            return null;
        }

        var moved = rows.Where(WentOneWay).ToList();
        var rounds = rows.Max(row => row.Rounds);
        var begin = Invariant($"{Counted.Of(rounds, "round")}, no verdict ({StageRule.LeastConfirmRounds} may give one): ");
        var names = new RowNames(primary, cells);
        string Name(ComparedMetric row) => names.Of(row) is { } name ? name + " " : "";
        string Said(ComparedMetric row) => $"{Name(row)}{Percent.InWords(row.Change!.Value, row.Unit)}";
        return begin + (moved.Count, rows.Count) switch
        {
            (0, 1) => rounds == 1 ? "neither way" : $"{Name(rows[0])}both ways",
            (0, _) => Invariant($"each of {rows.Count} rows went both ways"),
            (_, 1) => $"{Said(rows[0])} in {AllOf(rounds)}",
            (1, _) => Invariant($"{Said(moved[0])} in {AllOf(rounds)}, {Counted.Of(rows.Count - 1, "other")} both ways"),
            _ => Invariant($"{moved.Count} of {rows.Count} went one way in {AllOf(rounds)}, most {Said(moved[0])}"),
        };
    }

    /// <summary>"slower", "faster", or null where the rounds differ. So small a p comes of one sign in all rounds only.</summary>
    private static string? Way(ComparedMetric row) =>
        row.Change is not ({ } change and not 0) || row.PValue is not { } p || p > Math.Pow(0.5, row.Rounds - 1) * (1 + 1e-9) ? null
        : Percent.Way(change, row.Unit);

    private static string AllOf(int rounds) => rounds == 1 ? "the only one" : Invariant($"all {rounds}");

    private static string BothWays(int rounds) => $"both ways in {Counted.Of(rounds, "round")}";
}
