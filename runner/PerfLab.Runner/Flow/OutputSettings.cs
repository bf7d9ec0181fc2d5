using PerfLab.Programs;

namespace PerfLab.Runner.Flow;

/// <summary>Where results go and what makes the exit code.</summary>
/// <param name="Folder">Of the session; null: a new one.</param>
/// <param name="Json">comparison.json in place of the report.</param>
/// <param name="FailOn">What ends with an exit code of its own.</param>
/// <param name="IsPlain">Without colours and signs beyond ASCII, also on a terminal.</param>
/// <param name="Details">All of it: doubts, other metrics, rounds, checks of the machine, plan and policy.</param>
internal sealed record OutputSettings(string? Folder, bool Json, FailOn FailOn, bool IsPlain = false, bool Details = false)
{
    /// <summary>How the report is laid out, given what the terminal can show.</summary>
    public TerminalStyle Of(TerminalStyle style) =>
        style with { Colours = style.Colours && !IsPlain, Ascii = style.Ascii || IsPlain, ShowsDetails = Details };
}

/// <summary>What ends with an exit code of its own when somebody asks for it.</summary>
[Flags]
public enum FailOn
{
    None = 0,
    Regression = 1,

    /// <summary>A comparison that ended undecided, too noisy or unavailable: nobody knows whether it became slower.</summary>
    NoAnswer = 2,

    /// <summary>A row that allocates more, whatever its time says.</summary>
    Allocations = 4,

    /// <summary>A row whose change overspends the budget since the anchor.</summary>
    Budget = 8,
}
