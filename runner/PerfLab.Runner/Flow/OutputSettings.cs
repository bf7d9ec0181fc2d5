namespace PerfLab.Runner.Flow;

/// <summary>Where results go and what makes the exit code.</summary>
internal sealed record OutputSettings(string? Folder, bool Json, FailOn FailOn);

/// <summary>What ends with an exit code of its own when somebody asks for it.</summary>
[Flags]
public enum FailOn
{
    None = 0,
    Regression = 1,

    /// <summary>A comparison that ended undecided, too noisy or unavailable: nobody knows whether it became slower.</summary>
    NoAnswer = 2,
}
