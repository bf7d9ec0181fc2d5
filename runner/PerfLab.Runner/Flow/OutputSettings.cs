namespace PerfLab.Runner.Flow;

/// <summary>Where results go and what makes the exit code.</summary>
internal sealed record OutputSettings(string? Folder, bool Json, bool FailOnRegression);
