using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>What moved, with the worst row and its size; of what only improved, the best one.</summary>
/// <param name="Words">"Json.Parse is 12.3 % slower", "3 regressed, worst Json.Parse: 12.3 % slower"; null where nothing moved.</param>
/// <param name="HasWorst">Whether a row of several is named, so that what follows needs more than a comma.</param>
/// <param name="OthersImproved">Improved rows that the words say nothing of.</param>
internal sealed record MovedWords(string? Words, bool HasWorst, int OthersImproved)
{
    public static MovedWords Of(IReadOnlyList<ComparedMetric> rows, IReadOnlyList<Cell> cells)
    {
        var names = new RowNames(rows, cells);
        List<ComparedMetric> Moved(Verdict verdict) => [.. RowNames.LargestFirst(rows.Where(row => row.Verdict == verdict))];
        var (regressed, improved) = (Moved(Verdict.Regressed), Moved(Verdict.Improved));
        return regressed.Count > 0 ? Say(regressed, names.Of, "regressed", "worst") with { OthersImproved = improved.Count }
            : improved.Count > 0 ? Say(improved, names.Of, "improved", "best")
            : new(null, false, 0);
    }

    private static MovedWords Say(List<ComparedMetric> moved, Func<ComparedMetric, string?> nameOf, string verdict, string superlative)
    {
        var counted = Invariant($"{moved.Count} {verdict}");
        if (moved[0].Change is not { } change)
        {
            return new(counted, false, 0);
        }

        var (name, size) = (nameOf(moved[0]), Percent.InWords(change, moved[0].Unit));
        return moved.Count == 1 ? new(name is null ? $"{counted}, {size}" : $"{name} is {size}", false, 0)
            : new($"{counted}, {superlative} {(name is null ? "" : $"{name}: ")}{size}", true, 0);
    }
}
