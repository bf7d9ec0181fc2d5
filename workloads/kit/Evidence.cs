using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace PerfLab.WorkloadKit;

/// <summary>What proves that a launch ran as claimed: everything here is what the runtime itself reports, nothing is what it was told.</summary>
internal sealed class Evidence
{
    public string Framework { get; private set; } = "";
    public bool GcServer { get; private set; }
    public string GcLatencyMode { get; private set; } = "";
    public int Processors { get; private set; }

    /// <summary>CPU time of the whole process so far, in seconds.</summary>
    public double ProcessorSeconds { get; private set; }

    /// <summary>The variables for the runtime that this process really had: an entry point may have changed what the lab set.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Variables { get; private set; } = [];
    public IReadOnlyList<LoadedAssembly> Assemblies { get; private set; } = [];

    public static Evidence Collect() => new()
    {
        Framework = RuntimeInformation.FrameworkDescription,
        GcServer = GCSettings.IsServerGC,
        GcLatencyMode = GCSettings.LatencyMode.ToString(),
        Processors = Environment.ProcessorCount,
        ProcessorSeconds = Process.GetCurrentProcess().TotalProcessorTime.TotalSeconds,
        Variables = [.. Environment.GetEnvironmentVariables().Cast<DictionaryEntry>()
            .Select(variable => new KeyValuePair<string, string>((string)variable.Key, (string?)variable.Value ?? ""))
            .Where(variable => IsForTheRuntime(variable.Key) && !IsPath(variable.Value))
            .OrderBy(variable => variable.Key, StringComparer.Ordinal)],
        Assemblies = [.. AppDomain.CurrentDomain.GetAssemblies()
            .Where(assembly => !assembly.IsDynamic && !IsOfTheRuntime(assembly))
            .Select(LoadedAssembly.Of)
            .OrderBy(assembly => assembly.Name, StringComparer.Ordinal)],
    };

    private static bool IsForTheRuntime(string name) =>
        name.StartsWith("DOTNET_", StringComparison.Ordinal) || name.StartsWith("COMPlus_", StringComparison.Ordinal);

    // Where the lab wants its files differs between executors and says nothing about the runtime.
    private static bool IsPath(string value) => value.StartsWith("/", StringComparison.Ordinal);

    // The runtime's own parts carry its file version; listing all of them would bury what is compared. A package of the same name that
    // was brought along (System.Text.Json is one that people compare) has another file version, and shows.
    private static bool IsOfTheRuntime(Assembly assembly) => FileVersion(assembly) is { } version && version == FileVersion(typeof(object).Assembly);

    private static string? FileVersion(Assembly assembly) => assembly.GetCustomAttribute<AssemblyFileVersionAttribute>()?.Version;
}

/// <summary>A loaded assembly: which build of a framework really ran. Which asset NuGet picked can decide a result.</summary>
internal sealed class LoadedAssembly
{
    private LoadedAssembly(string name, string version, string targetFramework)
    {
        Name = name;
        Version = version;
        TargetFramework = targetFramework;
    }

    public string Name { get; }

    /// <summary>Informational version, or the assembly version where there is none.</summary>
    public string Version { get; }

    /// <summary>As compiled in, e.g. ".NETStandard,Version=v2.0"; empty when the compiler did not say.</summary>
    public string TargetFramework { get; }

    public static LoadedAssembly Of(Assembly assembly) => new(
        assembly.GetName().Name ?? "",
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? assembly.GetName().Version?.ToString() ?? "",
        assembly.GetCustomAttribute<TargetFrameworkAttribute>()?.FrameworkName ?? "");
}
