using PerfLab.Building.Tools;
using PerfLab.Core.Files;

namespace PerfLab.Building.Runtimes;

/// <summary>A line of runtimes that get patches together.</summary>
public sealed record RuntimeRelease
{
    /// <summary>As the dimension writes it: "net8.0", "netcoreapp3.1".</summary>
    public required string Name { get; init; }

    /// <summary>Known patches, newest first. Others may exist and can be asked for by number.</summary>
    public required IReadOnlyList<string> Patches { get; init; }

    /// <summary>Last day of Microsoft's support. https://dotnet.microsoft.com/platform/support/policy</summary>
    public required DateOnly EndOfSupport { get; init; }

    /// <summary>Why an old release is kept for comparison; null for releases that people run.</summary>
    public string? Reference { get; init; }

    /// <summary>
    /// Packs that a program compiled for this release takes in a fixed version, because not every package source has the one that the SDK
    /// asks for: id -> version. perf-lab.build.targets pins the same.
    /// </summary>
    public IReadOnlyDictionary<string, string> CompiledWith { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>"8.0" of "net8.0".</summary>
    public string Number => Name.StartsWith("netcoreapp", StringComparison.Ordinal) ? Name["netcoreapp".Length..] : Name["net".Length..];

    /// <summary>"net8.0.33" of "8.0.33".</summary>
    public string NameOf(string patch) => Name + patch[Number.Length..];

    public bool IsSupportedOn(DateOnly day) => day <= EndOfSupport;

    /// <summary>True when a patch ("8.0.33") belongs to this release.</summary>
    public bool Owns(string patch) => patch.StartsWith(Number + ".", StringComparison.Ordinal);
}

/// <summary>The releases that the lab knows, from runtimes.json.</summary>
internal static class RuntimeReleases
{
    /// <summary>Newest first.</summary>
    public static IReadOnlyList<RuntimeRelease> All { get; } =
        new FileFormat<IReadOnlyList<RuntimeRelease>>("", "runtimes.json") { IsForeign = true }.Read(EmbeddedText.Read("runtimes.json")).Value!;
}
