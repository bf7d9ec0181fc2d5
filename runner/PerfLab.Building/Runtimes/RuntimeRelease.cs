using PerfLab.Building.Tools;
using PerfLab.Core.Files;

namespace PerfLab.Building.Runtimes;

/// <summary>A line of runtimes that get patches together, of which the package sources know the patches.</summary>
public sealed record RuntimeRelease
{
    /// <summary>As the dimension writes it: "net8.0", "netcoreapp3.1".</summary>
    public required string Name { get; init; }

    /// <summary>Last day of Microsoft's support, or null when it is not known. https://dotnet.microsoft.com/platform/support/policy</summary>
    public DateOnly? EndOfSupport { get; init; }

    /// <summary>A patch that exists: it is tried where a package source can't say what it has. Null for releases that runtimes.json does not hold.</summary>
    public string? Seen { get; init; }

    /// <summary>Why an old release is kept for comparison; null for releases that people run.</summary>
    public string? Reference { get; init; }

    /// <summary>
    /// Packs that a program compiled for this release takes in a fixed version, because not every package source has the one that the SDK
    /// asks for: id -> version. perf-lab.build.targets pins the same.
    /// </summary>
    public IReadOnlyDictionary<string, string> CompiledWith { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>"8.0" of "net8.0".</summary>
    public string Number => Name.StartsWith(OldPrefix, StringComparison.Ordinal) ? Name[OldPrefix.Length..] : Name[Prefix.Length..];

    /// <summary>"net8.0.33" of "8.0.33".</summary>
    public string NameOf(string patch) => Name + patch[Number.Length..];

    /// <summary>True when a patch ("8.0.33") belongs to this release. Previews do not: "11.0.0-rc.2" is no patch.</summary>
    public bool Owns(string patch) => OfPatch(patch)?.Name == Name;

    private const string Prefix = "net", OldPrefix = "netcoreapp";

    /// <summary>What runtimes.json says of releases, newest first. It may lag: a release that it lacks can be measured all the same.</summary>
    internal static IReadOnlyList<RuntimeRelease> Described { get; } =
        new FileFormat<IReadOnlyList<RuntimeRelease>>("", "runtimes.json") { IsForeign = true }.Read(EmbeddedText.Read("runtimes.json")).Value!;

    /// <summary>"net12.0" -> its release, with what runtimes.json says of it; null for a word that is no release.</summary>
    internal static RuntimeRelease? Find(string name) =>
        Described.FirstOrDefault(release => release.Name == name) ?? (IsName(name) ? new RuntimeRelease { Name = name } : null);

    /// <summary>"11.0.3" -> the release net11.0; null for previews and for what is no version of a runtime.</summary>
    internal static RuntimeRelease? OfPatch(string patch) => patch.Split('.') is [var major, var minor, var third] && IsNumber(third)
        ? Find((major == "3" ? OldPrefix : Prefix) + major + "." + minor)
        : null;

    /// <summary>"net12.0.3" -> the release net12.0; null for anything else.</summary>
    internal static RuntimeRelease? OfExact(string text) =>
        text.LastIndexOf('.') is > 0 and var dot && IsNumber(text[(dot + 1)..]) ? Find(text[..dot]) : null;

    // .NET 5 began to count majors alone; runtime packs for linux-x64 that a program can be published from begin with 3.0, and the lab with 3.1.
    private static bool IsName(string name) => name == OldPrefix + "3.1"
        || (name.StartsWith(Prefix, StringComparison.Ordinal) && name.EndsWith(".0", StringComparison.Ordinal)
            && name[Prefix.Length..^2] is var major && IsNumber(major) && int.Parse(major, CultureInfo.InvariantCulture) >= 5);

    private static bool IsNumber(string text) => text is { Length: > 0 and <= 3 } && text.All(char.IsAsciiDigit) && (text.Length == 1 || text[0] != '0');
}
