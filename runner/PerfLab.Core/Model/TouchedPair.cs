using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>What differs between the builds of two arms, as far as a running program can see it (docs/selection.md).</summary>
/// <param name="Id">"sha256:…" over all of it.</param>
/// <param name="Methods">How many methods are changed, added or removed.</param>
/// <param name="Names">"Parser.Next", at most <see cref="MostNames"/>. From an assembly: hostile text until rendered.</param>
/// <param name="Everything">Why all rows are measured, a sentence each; empty where methods and types say all.</param>
public sealed record BuildDifference(
    string Id, [AtLeast(0)] int Methods, [MaxLength(BuildDifference.MostNames)] IReadOnlyList<string> Names,
    [MaxLength(BuildDifference.MostNames)] IReadOnlyList<string> Everything) : JournalRecord
{
    public const int MostNames = 200;
}

/// <summary>Whether the difference of two builds can touch a pair: said before anything of it is measured.</summary>
/// <param name="Difference">Id of the difference.</param>
/// <param name="Untouched">Nothing that it runs changed: it is not measured.</param>
/// <param name="Reason">"none of the 3 changed methods runs in it". It may quote an assembly: hostile text until rendered.</param>
public sealed record TouchedPair(string Cell, string Arm, string Difference, bool Untouched, string Reason) : JournalRecord
{
    /// <summary>The changed methods that it runs, at most <see cref="BuildDifference.MostNames"/>. Hostile text until rendered.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [MaxLength(BuildDifference.MostNames)]
    public IReadOnlyList<string>? Runs { get; init; }

    /// <summary>"sha256:…" over the methods that each arm ran, the reference first; null where nobody had to look.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [MaxLength(2)]
    public IReadOnlyList<string>? Lists { get; init; }
}
