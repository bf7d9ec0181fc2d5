using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;

namespace PerfLab.Core.Model;

/// <summary>How the arms of a round stand to each other in time: one launch after the other, or all alive and taking turns.</summary>
public enum Pairing { Launches, Turns }

/// <summary>
/// How the arms of a round take turns: all of them are alive, exactly one runs and the others are frozen, and they change places after
/// every slice.
/// </summary>
/// <param name="Slices">Of each arm.</param>
/// <param name="SliceSeconds">How long one is meant to be; where the program says that it is over, it ends with a piece of work.</param>
public sealed partial record TurnPlan(
    [Range(TurnPlan.LeastSlices, TurnPlan.MostSlices)] int Slices,
    [Range(TurnPlan.LeastSeconds, TurnPlan.MostSeconds)] double SliceSeconds)
{
    /// <summary>A median of fewer is at the mercy of one.</summary>
    public const int LeastSlices = 5;

    /// <summary>They are kept one by one, launch by launch.</summary>
    public const int MostSlices = 500;

    /// <summary>
    /// Below, changing places is what is measured. Above, the machine changes within a slice, and a launch would do as well.
    /// </summary>
    public const double LeastSeconds = 0.005, MostSeconds = 5;

    /// <summary>How many slices, and how long, where nobody says.</summary>
    public static TurnPlan Default { get; } = new(30, 0.05);

    /// <summary>What is taken where nobody says how to pair.</summary>
    public static TurnPlan WhereItCan { get; } = Default with { OrLaunches = true };

    /// <summary>The same for commands: one that takes less than ten slices is hardly cut.</summary>
    public static TurnPlan OfCommands { get; } = new(10, 0.05) { ByClock = true };

    /// <summary>
    /// The clock says when a slice is over, not the program: it is cut from outside, as often as it lasts, and takes at least
    /// <see cref="Slices"/> of them when it runs alone.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool ByClock { get; init; }

    /// <summary>What turns out to be unable to is launched one arm after the other. Otherwise it is refused.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool OrLaunches { get; init; }

    /// <summary>
    /// Of so many sets of slices the order is drawn. Nobody knows how often a program is cut: after these the order begins anew.
    /// </summary>
    public int DrawnSets => ByClock ? MostSlices : Slices;

    /// <summary>As the command line takes it: "30x50ms".</summary>
    public override string ToString() => Invariant($"{Slices}x{1000 * SliceSeconds:0.###}ms");

    /// <summary>From "30x50ms"; null for anything else, also for numbers that are out of range.</summary>
    public static TurnPlan? Parse(string text) =>
        Form().Match(text) is { Success: true } match
            && int.TryParse(match.Groups["slices"].Value, NumberStyles.None, CultureInfo.InvariantCulture, out var slices)
            && slices is >= LeastSlices and <= MostSlices
            && int.TryParse(match.Groups["milliseconds"].Value, NumberStyles.None, CultureInfo.InvariantCulture, out var milliseconds)
            && milliseconds / 1000.0 is >= LeastSeconds and <= MostSeconds and var seconds
            ? new(slices, seconds) : null;

    [GeneratedRegex("^(?<slices>[0-9]{1,9})x(?<milliseconds>[0-9]{1,9})ms\\z", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Form();
}
