namespace PerfLab.Core.Workloads;

/// <summary>
/// The runtime knobs as dimensions, and the environment that sets them. Every variable is set in every cell, because defaults flip
/// between runtimes (dynamic PGO at .NET 8, DATAS at .NET 9). Values are hexadecimal numbers: the runtime silently ignores words
/// like "off" (docs/runtimes.md).
/// </summary>
public static class RuntimeKnobs
{
    /// <summary>Dimension name -> values, the default first.</summary>
    public static IReadOnlyDictionary<string, IReadOnlyList<string>> Dimensions { get; } =
        new SortedDictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal)
        {
            ["pgo"] = ["on", "off", "full"],
            ["gc"] = ["workstation", "server"],
        };

    /// <summary>The complete environment of a cell's knobs, always the same names in the same order.</summary>
    public static IReadOnlyList<KeyValuePair<string, string>> Environment(IReadOnlyDictionary<string, string> dimensions)
    {
        var pgo = dimensions.GetValueOrDefault("pgo", "on");
        var server = dimensions.GetValueOrDefault("gc", "workstation") == "server";
        return
        [
            new("DOTNET_TieredCompilation", "1"),
            new("DOTNET_TieredPGO", pgo == "off" ? "0" : "1"),
            new("DOTNET_TC_QuickJit", "1"),
            new("DOTNET_TC_QuickJitForLoops", "1"),
            new("DOTNET_ReadyToRun", pgo == "full" ? "0" : "1"),
            new("DOTNET_gcServer", server ? "1" : "0"),
            new("DOTNET_gcConcurrent", "1"),
            new("DOTNET_GCDynamicAdaptationMode", "0"),
        ];
    }
}
