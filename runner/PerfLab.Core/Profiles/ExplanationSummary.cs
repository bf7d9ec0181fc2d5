using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;

namespace PerfLab.Core.Profiles;

/// <summary>The short form of an explained row, to stand beside its verdict: what changed most beyond chance.</summary>
public sealed record ExplanationSummary
{
    /// <summary>Methods first: they say where to look. What room they leave, counters fill.</summary>
    public const int MostLines = 5;

    private const int MostMethods = 3;

    /// <summary>What everything is counted for: "doc". Untrusted.</summary>
    public required string Work { get; init; }

    /// <summary>Traced rounds in which both arms left a whole profile.</summary>
    [AtLeast(0)]
    public required int Rounds { get; init; }

    /// <summary>Methods whose own cost changed beyond chance, the largest share first.</summary>
    [Length(0, MostLines)]
    public required IReadOnlyList<MethodChange> Methods { get; init; }

    /// <summary>Counters whose change is beyond chance, the largest first.</summary>
    [Length(0, MostLines)]
    public required IReadOnlyList<FigureChange> Figures { get; init; }

    /// <summary>How many more changed beyond chance; explanation.json has them.</summary>
    [AtLeast(0)]
    public required int More { get; init; }

    /// <summary>Why something may be missing, the first sentence of it; null: nothing is. Untrusted.</summary>
    public required string? Doubt { get; init; }

    public static ExplanationSummary Of(ExplainedRow row)
    {
        // The largest of each kind before the second of any: waiting for a lock takes no processor time, and is the answer all the same.
        var methods = row.Methods.GroupBy(method => method.Kind).SelectMany(kind => kind.Index())
            .OrderBy(method => method.Index).ThenByDescending(method => method.Item.HasOtherCode).ThenByDescending(method => Math.Abs(method.Item.Share))
            .Select(method => method.Item).Take(MostMethods).ToList();
        var figures = row.Figures.Take(MostLines - methods.Count).ToList();
        return new()
        {
            Work = row.Work,
            Rounds = row.Rounds,
            Methods = methods,
            Figures = figures,
            More = row.Methods.Count + row.Figures.Count - methods.Count - figures.Count,
            Doubt = row.Doubts.Count > 0 ? row.Doubts[0] : null,
        };
    }
}
