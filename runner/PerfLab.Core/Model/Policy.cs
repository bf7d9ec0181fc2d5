using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>The constants of a comparison. Names and defaults are those of docs/internals/statistics-method.md; a test compares them.</summary>
public record Policy : IChecked
{
    /// <summary>Rounds of the screen; 0 means straight to the confirm stage.</summary>
    [JsonPropertyName("screen-rounds")]
    [AtLeast(0)]
    public int ScreenRounds { get; init; } = 8;

    /// <summary>Two-sided exact p up to which a (cell, arm) pair is kept for the confirm stage.</summary>
    [JsonPropertyName("keep-p")]
    [Range(0, 1)]
    public double KeepP { get; init; } = 0.10;
    [JsonPropertyName("confirm-rounds")]
    [AtLeast(0)]
    public int ConfirmRounds { get; init; } = 20;

    /// <summary>Holm over all kept pairs.</summary>
    [JsonPropertyName("family-error")]
    [Range(0, 1)]
    public double FamilyError { get; init; } = 0.01;

    /// <summary>Practical threshold as a fraction: a change c counts when c >= margin or c &lt;= 1/(1+margin) - 1.</summary>
    [JsonPropertyName("margin")]
    [AtLeast(0)]
    public double Margin { get; init; } = 0.01;

    /// <summary>Least coverage of the printed interval.</summary>
    [JsonPropertyName("interval")]
    [Range(0, 1)]
    public double Interval { get; init; } = 0.95;

    /// <summary>Noise (fraction) of the screen above which an undecided cell is called too noisy.</summary>
    [JsonPropertyName("too-noisy")]
    [AtLeast(0)]
    public double TooNoisy { get; init; } = 0.05;

    /// <summary>
    /// Minutes of measuring, in which rows end early or go on beyond their confirm rounds until they are decided; 0: every row gets its
    /// rounds, whatever they show.
    /// </summary>
    [JsonPropertyName("within")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    [Range(0, MostMinutes)]
    public double Within { get; init; }

    /// <summary>A rule that is gone. Files of before it went are read where it is false, and refused where it is true.</summary>
    [JsonPropertyName("stop-early")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool StopEarly { get; init; }

    /// <summary>How often what was flagged is measured again, some minutes apart; it stays flagged only when every repeat agrees.</summary>
    [JsonPropertyName("repeats")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    [Range(0, MostRepeats)]
    public int Repeats { get; init; }

    /// <summary>A day.</summary>
    public const double MostMinutes = 1440;

    /// <summary>More say no more, and take hours.</summary>
    public const int MostRepeats = 9;

    /// <summary>Seconds without a launch before each repeat: what disturbed one session has a chance to be over.</summary>
    public const double RepeatApart = 180;

    /// <summary>Up to this many (cell, arm) pairs in a plan there is no screen.</summary>
    public const int FewPairs = 5;

    public IEnumerable<Problem> Problems()
    {
        if (StopEarly)
        {
            yield return new("stop-early", "is gone: its looks are not judged any more.",
                "Take it out, and type ./perf-lab run … --within 10m; a journal or plan that has it needs the perf-lab that made it.");
        }

        if (Within > 0 && Repeats > 0)
        {
            yield return new(
                "within", "does not go with repeats: what is measured again takes as long as it takes.", "Leave one of them out.");
        }
    }
}
