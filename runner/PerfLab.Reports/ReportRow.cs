using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Reports.Text;
using Stages = PerfLab.Core.Statistics.Stages;

namespace PerfLab.Reports;

/// <summary>One (cell, arm, metric), ready to be shown: texts are invariant, names and units still as raw as they came.</summary>
public sealed record ReportRow
{
    /// <summary>The figures behind the texts.</summary>
    public required ComparedMetric Figures { get; init; }

    /// <summary>"json-round-trip / net10.0.14 / pgo on", or the cell's id. Untrusted.</summary>
    public required string Cell { get; init; }

    /// <summary>Value of the reference with unit, "-" when there is none. The unit is untrusted.</summary>
    public required string ReferenceValue { get; init; }

    /// <summary>Value of the arm, in the same prefix.</summary>
    public required string ArmValue { get; init; }

    /// <summary>"+3.1 % [+2.4, +3.8]" (+ is worse), "2.03x faster [2.00, 2.05]", "-" when there is no change to speak of.</summary>
    public string Change => Percent.Change(Figures.Change, Figures.Low, Figures.High, Figures.Unit);

    /// <summary>"3.1 % slower", "2.0x faster", or null.</summary>
    public string? InWords => Figures.Change is { } change ? Percent.InWords(change, Figures.Unit) : null;

    /// <summary>The adjusted p only, never the raw one: "0.0004", "&lt;0.0001", "1", "-".</summary>
    public string AdjustedP => Probability(Figures.AdjustedP);

    /// <summary>The shard that measured it; "-" when none did.</summary>
    public string Shard => Figures.Shard?.ToString(CultureInfo.InvariantCulture) ?? "-";
    public string Rounds => Figures.Rounds.ToString(CultureInfo.InvariantCulture);
    public string Noise => Percent.Of(Figures.Noise);

    /// <summary>The true change that this cell would have shown, "1.9 %", or "-".</summary>
    public string Detectable => Percent.Of(Figures.SmallestDetectable);

    /// <summary>The verdict's word, with what makes it useful: "regressed: 3.1 % slower", "undecided, could show 1.9 %".</summary>
    public string Verdict => string.Join(", ", new[] { VerdictWord, Label(ClientBound.Label) }.Where(word => word.Length > 0));

    private string Label(string label) => Says(label) ? label : "";

    /// <summary>Whether a doubt about the row begins with the word.</summary>
    internal bool Says(string label) =>
        Figures.Primary && Figures.Warnings.Any(warning => warning.StartsWith(label, StringComparison.Ordinal));

    private string VerdictWord => Figures.Verdict switch
    {
        Stages.Verdict.Regressed or Stages.Verdict.Improved when InWords is { } words =>
            $"{Words.Of(Figures.Verdict.Value)}: {words}{Again}",
        Stages.Verdict.DoesNotHold => $"{Words.Of(Figures.Verdict.Value)}{Again}",
        Stages.Verdict.Undecided when DirectionWords.IsOf(Figures) => DirectionWords.Of(Figures),
        Stages.Verdict.Undecided when Figures.SmallestDetectable is { } least => $"undecided, could show {Percent.Of(least)}",
        { } verdict => Words.Of(verdict),
        null => Figures.Equal switch
        {
            true when Figures.Varies is { } varies => $"equal, varies by {Quantity.Exact(Figures.Unit, varies)}",
            true => "equal",
            false when Figures.Rounds < Allocations.LeastRounds =>
                Invariant($"differs, in {Figures.Rounds} of the {Allocations.LeastRounds} rounds that it takes"),
            false => "differs",
            null => Figures is { Primary: true, Reference: null } ? "nothing to compare with" : "",
        },
    };

    /// <summary>", in 2 of 3 sessions": how many agree of those that measured it; empty when there was one.</summary>
    private string Again => Figures.Sessions is { } sessions
        ? Invariant($", in {sessions.Count(session => session.Agrees)} of {sessions.Count} sessions") : "";

    public bool HasMoved => Figures.Verdict is Stages.Verdict.Regressed or Stages.Verdict.Improved;

    /// <summary>Whether the row stands open in a long report.</summary>
    public bool NeedsAttention => HasMoved || Figures is { Primary: true, Equal: false }
        || (Bytes is { } bytes && Allocations.Moved(bytes) != 0)
        || DirectionWords.WentOneWay(Figures)
        || Figures.Verdict is Stages.Verdict.Failed or Stages.Verdict.TooNoisy
            or Stages.Verdict.DoesNotHold or Stages.Verdict.NotSteady;

    /// <summary>Doubts about this row. Untrusted: they may quote a journal.</summary>
    public IReadOnlyList<string> Warnings => [.. Figures.Warnings.Where(warning => warning != Unavailable)];

    /// <summary>The workload that the cell belongs to; null when nobody described it. Untrusted.</summary>
    public string? Workload { get; init; }

    /// <summary>What the same launches allocated, where they counted it; null elsewhere, and of what is no primary metric.</summary>
    public ComparedMetric? Bytes { get; init; }

    /// <summary>"64 B/op", "2992 -> 3224 B/op", "29776 B/op, varies by 1"; "-" when nobody counted. The unit is untrusted.</summary>
    public string Allocated => Bytes is not { ArmValue: { } arm, ReferenceValue: { } reference } bytes ? "-"
        : (bytes.Equal == false ? $"{Quantity.Exact("", reference)} -> " : "") + Quantity.Exact(bytes.Unit, arm)
            + (bytes.Varies is { } varies ? $", varies by {Quantity.Exact("", varies)}" : "");

    /// <summary>The rounds that decided; empty when the journal is not at hand, and in a session of one arm.</summary>
    public IReadOnlyList<PairedRound> Measured { get; init; } = [];

    /// <summary>The values of a session of one arm, in the unit of the metric; empty when there is a reference.</summary>
    public IReadOnlyList<double> Alone { get; init; } = [];

    /// <summary>The paired log ratios (+ is worse) of a row that moved: of the others, a strip of noise says no more than its
    /// figure.</summary>
    public IReadOnlyList<double> Pairs => HasMoved ? [.. Measured.Select(round => round.Difference)] : [];

    /// <summary>What the cell lacks here, raw, when it is unavailable.</summary>
    public string? Unavailable { get; init; }
    public IReadOnlyList<LaunchFailure> Failures { get; init; } = [];

    /// <summary>The command that measures this row again, or null.</summary>
    public string? Reproduce { get; init; }

    /// <summary>The same for a reader who sits at another machine, or null.</summary>
    public string? Elsewhere { get; init; }

    private static string Probability(double? p) => p switch
    {
        null => "-",
        < 0.0001 => "<0.0001",
        >= 0.99995 => "1",
        < 0.01 => p.Value.ToString("F4", CultureInfo.InvariantCulture),
        _ => p.Value.ToString("F2", CultureInfo.InvariantCulture),
    };

    internal static ReportRow From(ComparedMetric figures, string label, Cell? cell)
    {
        var values = figures.Equal is null
            ? Quantity.Format(figures.Unit, figures.ReferenceValue, figures.ArmValue)
            : [Quantity.Exact(figures.Unit, figures.ReferenceValue), Quantity.Exact(figures.Unit, figures.ArmValue)];
        return new ReportRow
        {
            Figures = figures,
            Cell = label,
            Workload = cell?.Workload,
            ReferenceValue = values[0],
            ArmValue = values[1],
            // Without the journal's cells, the comparer's first warning says it.
            Unavailable = figures.Verdict == Stages.Verdict.Unavailable ? cell?.Unavailable ?? (figures.Warnings is [var first, ..] ? first : null) : null,
        };
    }
}
