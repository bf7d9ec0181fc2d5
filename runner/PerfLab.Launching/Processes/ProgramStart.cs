namespace PerfLab.Launching.Processes;

/// <summary>One exec, complete: what the kernel gets to see.</summary>
internal sealed record ProgramStart
{
    /// <summary>Absolute path, or one relative to <see cref="Folder"/>.</summary>
    public required string Program { get; init; }

    /// <summary>From argument 0 on.</summary>
    public required IReadOnlyList<string> Arguments { get; init; }
    public required IReadOnlyList<KeyValuePair<string, string>> Environment { get; init; }
    public required string Folder { get; init; }
}
