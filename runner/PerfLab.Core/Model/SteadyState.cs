namespace PerfLab.Core.Model;

/// <summary>Whether one launch came to rest. <see cref="Unknown"/>: it kept no windows, or too few to say.</summary>
public enum SteadyKind { Steady, NoSteadyState, Unknown }

/// <summary>Why a launch has no steady state.</summary>
public enum UnsteadyReason { None, LevelChanged, Drifting, Compiling }

/// <summary>What the windows of one launch say.</summary>
public sealed record SteadyState
{
    public static SteadyState Unknown { get; } = new() { Kind = SteadyKind.Unknown };

    public required SteadyKind Kind { get; init; }

    /// <summary>
    /// Time-to-steady in seconds from the start of the warm-up: when the first steady window ended, so at least one window. Null unless steady.
    /// </summary>
    public double? Seconds { get; init; }

    /// <summary>How long the launch was watched, warm-up included, in seconds.</summary>
    public double Watched { get; init; }

    /// <summary>The manifest's warm-up as it came out, in seconds.</summary>
    public double WarmUp { get; init; }
    public UnsteadyReason Reason { get; init; }
}
