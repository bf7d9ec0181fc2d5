using PerfLab.Core.Model;

namespace PerfLab.Launching;

/// <summary>
/// What a program is told that takes turns with another (workloads/README.md, "In turns"). Without turns none of it is there.
/// </summary>
internal static class TurnVariables
{
    /// <summary>How many slices it does, and how long each is meant to be, in seconds.</summary>
    public const string Slices = "PERF_LAB_SLICES", Slice = "PERF_LAB_SLICE";

    /// <summary>The pipe in which it says that it is warm, or that a slice is done, and the one in which it is told to go on.</summary>
    public const string Say = "PERF_LAB_TURN_SAY", Go = "PERF_LAB_TURN_GO";

    public const string SayFile = "say", GoFile = "go";

    public static IReadOnlyList<KeyValuePair<string, string>> Values(TurnPlan turns) =>
    [
        new(Slices, turns.Slices.ToString(CultureInfo.InvariantCulture)),
        new(Slice, turns.SliceSeconds.ToString(CultureInfo.InvariantCulture)),
    ];

    /// <summary>Variable -> file beside the result.</summary>
    public static IReadOnlyList<KeyValuePair<string, string>> Files { get; } = [new(Say, SayFile), new(Go, GoFile)];
}
