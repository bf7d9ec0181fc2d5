using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>Why a pair of a session with minutes is not measured on.</summary>
public enum EndReason
{
    /// <summary>Its planned rounds show a change.</summary>
    Decided,

    /// <summary>Its rounds show that there is none that matters.</summary>
    Unchanged,

    /// <summary>No verdict can come of it in the minutes that are left.</summary>
    Futile,

    /// <summary>The rounds that it asked for are done.</summary>
    Measured,

    /// <summary>The minutes are over.</summary>
    OutOfMinutes,
}

/// <summary>A pair that is not measured on, and why. Written once for each pair of a session with minutes.</summary>
/// <param name="Rounds">Rounds of its last stage that were begun.</param>
public sealed record PairEnd(string Cell, string Arm, [AtLeast(0)] int Rounds, EndReason Why) : JournalRecord;
