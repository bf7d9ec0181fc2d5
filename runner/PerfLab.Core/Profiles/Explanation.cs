using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Profiles;

/// <summary>What traced launches of base and head differ in, beyond chance: explanation.json as an object.</summary>
public sealed record Explanation
{
    public static FileFormat<Explanation> File { get; } =
        new("perf-lab/explanation/1",
            "What `perf-lab explain --format json` prints: which methods and counters changed, from traced launches of both arms")
        {
            MostBytes = 16 << 20,
        };

    /// <summary>Hash of the plan whose cells these are; absent in older files.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Plan { get; init; }

    public required IReadOnlyList<ExplainedRow> Rows { get; init; }

    /// <summary>With the rows of an earlier one of the same plan that are not explained anew.</summary>
    public Explanation After(Explanation? earlier) => earlier is null || earlier.Plan != Plan ? this : this with
    {
        Rows = [.. earlier.Rows.Where(old => !Rows.Any(row => (row.Cell, row.Arm) == (old.Cell, old.Arm))), .. Rows],
    };
}

/// <summary>One arm of a cell against the cell's reference.</summary>
public sealed record ExplainedRow : IChecked
{
    public const int MostOtherCode = 200;

    public required string Cell { get; init; }

    /// <summary>For people: "json-round-trip / net10.0.14".</summary>
    public required string Label { get; init; }
    public required string Arm { get; init; }
    public required string Reference { get; init; }

    /// <summary>What everything is counted for: "doc", or "unit of work" where the workload's unit has no name.</summary>
    public required string Work { get; init; }

    /// <summary>Rounds in which both arms left a whole profile.</summary>
    [AtLeast(0)]
    public required int Rounds { get; init; }

    /// <summary>Counters whose change is beyond chance, the largest first.</summary>
    public required IReadOnlyList<FigureChange> Figures { get; init; }

    /// <summary>Methods whose own cost changed beyond chance, by kind, the largest first.</summary>
    public required IReadOnlyList<MethodChange> Methods { get; init; }

    /// <summary>Why something may be missing, one sentence each. Untrusted.</summary>
    public required IReadOnlyList<string> Doubts { get; init; }

    /// <summary>Methods whose code differs between the two builds and that cost something here, changed or not. Untrusted.</summary>
    [MaxLength(MostOtherCode)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? OtherCode { get; init; }

    /// <summary>The differential flame graph's boxes, seconds in managed code; null where nothing was traced.</summary>
    [Length(1, FlameNode.Most)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<FlameNode>? Flame { get; init; }

    public IEnumerable<Problem> Problems() => Flame is null ? [] : FlameNode.Problems(Flame, "flame");
}

/// <param name="Reference">Median for one unit of work: seconds, bytes or a count.</param>
/// <param name="Arm">The same of the arm.</param>
/// <param name="Change">Centre of the paired differences, in the same unit; + is more.</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end of it.</param>
/// <param name="AdjustedP">Exact signed-rank p after Holm over all figures and methods.</param>
public sealed record FigureChange(
    ProfileFigure Figure, double Reference, double Arm, double Change, double Low, double High, [Range(0, 1)] double AdjustedP);

/// <param name="Method">Namespace, type, name and parameters. Untrusted.</param>
/// <param name="Reference">Median of the method's own cost for one unit of work, in the unit of the kind.</param>
/// <param name="Arm">The same of the arm.</param>
/// <param name="Change">Centre of the paired differences of the own cost; + is more.</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end of it.</param>
/// <param name="Share">The change as a share of all that the arm that spends more spends for one unit of work.</param>
/// <param name="WithCalled">Centre of the paired differences of the method and all that it called.</param>
/// <param name="Agree">Share of the rounds whose difference has the sign of the change.</param>
/// <param name="AdjustedP">
/// Exact signed-rank p after Holm over all figures, and all methods that cost something; those whose code differs have a family of their own
/// and a fifth of the error.
/// </param>
public sealed record MethodChange(
    ProfileKind Kind, string Method, double Reference, double Arm, double Change, double Low, double High,
    double Share, double WithCalled, [Range(0, 1)] double Agree, [Range(0, 1)] double AdjustedP)
{
    /// <summary>The method's code differs between the two builds; its family is a small one of its own.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool HasOtherCode { get; init; }

    /// <summary>It and all that it calls or is called by cost together what they did: the cost stands elsewhere, as where one is inlined.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool OnlyMoved { get; init; }
}
