namespace PerfLab.Core.Evidence;

/// <summary>What a runtime's own events say about how it runs; null or empty where the trace has no such event.</summary>
public sealed record RuntimeTraceFacts
{
    private const int FirstWithOneVersion = 5;

    /// <summary>Flags of TieredCompilation/Settings (event 280), at the start or in the rundown.</summary>
    public int? SettingsFlags { get; init; }

    /// <summary>Version of the runtime from its start event, e.g. "10.0.1426".</summary>
    public string? RuntimeVersion { get; init; }

    /// <summary>
    /// The patch that this is, "10.0.14": the last number is the patch and the year of the build in two digits (8.0.3326 is 8.0.33, 8.0.23 is 8.0.0).
    /// Null without the event, and before .NET 5, where the runtime counted otherwise.
    /// </summary>
    public string? Patch => Version.TryParse(RuntimeVersion, out var version) && version.Major >= FirstWithOneVersion && version.Build >= 0
        ? Invariant($"{version.Major}.{version.Minor}.{version.Build / 100}")
        : null;

    /// <summary>Most heaps that a garbage collection reported; null when there was none.</summary>
    public int? Heaps { get; init; }

    /// <summary>Garbage collections that reported.</summary>
    public int Collections { get; init; }

    /// <summary>Names of the GC's dynamic events (id 39) with their counts: DATAS shows as SizeAdaptation… or HeapCount….</summary>
    public IReadOnlyDictionary<string, int> GcDynamicEvents { get; init; } = new Dictionary<string, int>(StringComparer.Ordinal);

    /// <summary>Methods of the core library that were jitted although a precompiled version exists: ReadyToRun code is not used.</summary>
    public bool CoreLibraryWasJitted { get; init; }

    public required JitStatistics Jit { get; init; }
}
