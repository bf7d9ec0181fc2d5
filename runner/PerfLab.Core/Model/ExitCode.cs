namespace PerfLab.Core.Model;

/// <summary>The same everywhere (docs/cli.md).</summary>
public static class ExitCode
{
    public const int Done = 0;

    /// <summary>Something could not be measured, sent or built.</summary>
    public const int Failed = 1;

    /// <summary>Wrong use: all problems were printed.</summary>
    public const int WrongUse = 2;

    /// <summary>`--fail-on regression` was asked for, and something regressed; `allocations`: something allocates more; `budget`: a row
    /// overspends it.</summary>
    public const int Regressed = 3;

    /// <summary>`--fail-on no-answer` was asked for, and a comparison ended without one.</summary>
    public const int NoAnswer = 4;

    /// <summary>What was measured is kept and can be resumed.</summary>
    public const int Interrupted = 130;
}
