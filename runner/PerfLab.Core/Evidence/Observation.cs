namespace PerfLab.Core.Evidence;

/// <summary>Everything that is known of how one launch really ran; what nobody could tell is null.</summary>
public sealed record Observation
{
    /// <summary>What the program's runtime calls itself, e.g. ".NET 8.0.33".</summary>
    public string? Framework { get; init; }

    /// <summary>DOTNET_ and COMPlus_ variables that the process had, with their prefixes; null when it did not say.</summary>
    public IReadOnlyDictionary<string, string>? Variables { get; init; }

    /// <summary>The rundown that the runtime gave after the measured time, through its diagnostic port (.NET 9 and later).</summary>
    public RuntimeTraceFacts? Rundown { get; init; }

    /// <summary>The JIT's own list (.NET 8 and later).</summary>
    public JitSummary? Summary { get; init; }

    /// <summary>The trace of this very launch, when it was one that is traced (and not measured).</summary>
    public RuntimeTraceFacts? Trace { get; init; }

    /// <summary>A traced launch of the same build and environment, where one was needed.</summary>
    public RuntimeTraceFacts? ProofLaunch { get; init; }

    /// <summary>Methods compiled, as the program says.</summary>
    public long? CompiledMethods { get; init; }

    /// <summary>The program says that nothing was compiled (Native AOT), and nothing that the JIT left says otherwise.</summary>
    public bool HasNoJit => CompiledMethods == 0 && Summary is not { Methods: > 0 } && Trace is not { Jit.Total.Count: > 0 } && ProofLaunch is not { Jit.Total.Count: > 0 };

    public bool? ServerGc { get; init; }

    /// <summary>The settings that the GC runs with, as it names them (.NET 7 and later).</summary>
    public IReadOnlyDictionary<string, string> GcSettings { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Processors that the runtime saw.</summary>
    public int? Processors { get; init; }

    /// <summary>Bytes that the GC counts on: its own limit, or all memory where it has none.</summary>
    public long? GcMemoryBytes { get; init; }

    /// <summary>Processors that the launch was given, as the executor says.</summary>
    public int? GivenProcessors { get; init; }

    /// <summary>
    /// The patch of the runtime as its own events name it, "10.0.14": those of this launch before those of its proof launch.
    /// </summary>
    public string? EventPatch => Rundown?.Patch ?? Trace?.Patch ?? ProofLaunch?.Patch;

    /// <summary>
    /// Major version of <see cref="Framework"/>, or where the program names none, of <see cref="EventPatch"/>; null when neither is there.
    /// </summary>
    public int? Major => Version.TryParse(Framework is { } name ? name[(name.LastIndexOf(' ') + 1)..] : EventPatch, out var version) ? version.Major : null;

    /// <summary>What the process had of a setting, under the prefix that its runtime reads.</summary>
    public string? Variable(string setting) =>
        (Major is < 6 ? null : Variables?.GetValueOrDefault("DOTNET_" + setting)) ?? Variables?.GetValueOrDefault("COMPlus_" + setting);
}
