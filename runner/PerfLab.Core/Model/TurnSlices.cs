using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>What a launch did in its turns, slice by slice: the others of its round were frozen meanwhile.</summary>
public sealed record TurnSlices : IChecked
{
    /// <summary>
    /// Units of work done in each slice: pieces where the amount is fixed, operations, messages. Null where a program was cut by the
    /// clock: nobody knows.
    /// </summary>
    [Length(TurnPlan.LeastSlices, TurnPlan.MostSlices)]
    [MoreThan(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<double>? Work { get; init; }

    /// <summary>
    /// Seconds that each took, by the program's own clock. Where it was cut by the clock: how long it ran in each turn, the first with its
    /// start, the last until its end; a 500th holds all that came after.
    /// </summary>
    [Length(TurnPlan.LeastSlices, TurnPlan.MostSlices)]
    [MoreThan(0)]
    public required IReadOnlyList<double> Seconds { get; init; }

    /// <summary>Seconds of processor time in each, all threads; null where the program can't tell.</summary>
    [AtLeast(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<double>? ProcessorSeconds { get; init; }

    /// <summary>Processor time that it took while it was frozen and others had their turn, in seconds: the proof that it was.</summary>
    [AtLeast(0)]
    public required double FrozenSeconds { get; init; }

    /// <summary>Of all slices; null where nobody knows how much was done.</summary>
    public double? SecondsOfOneUnit => Seconds.Sum() / Work?.Sum();

    public IEnumerable<Problem> Problems()
    {
        if ((Work ?? Seconds).Count != Seconds.Count || (ProcessorSeconds ?? Seconds).Count != Seconds.Count)
        {
            yield return new("seconds", "must be as many as there are slices in `work`");
        }
    }
}
