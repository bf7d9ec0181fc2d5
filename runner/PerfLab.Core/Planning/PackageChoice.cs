using System.Text.RegularExpressions;
using PerfLab.Core.Files;

namespace PerfLab.Core.Planning;

/// <summary>`package=Newtonsoft.Json@13.0.3`: the versions that an arm takes in place of those that its project names.</summary>
/// <param name="Versions">Id of the package -> exact version, as a NuGet id and version may be written, in the order of the ids.</param>
public sealed partial record PackageChoice(IReadOnlyDictionary<string, string> Versions)
{
    /// <summary>Between packages, where a comma would begin another dimension.</summary>
    public const char Separator = '+';

    private const int MostPackages = 20, LongestId = 100, LongestVersion = 64;

    /// <summary>The word in files: "Newtonsoft.Json@13.0.3", "A@1.0.0+B@2.0.0".</summary>
    public string Name => string.Join(Separator, Versions.Select(package => $"{package.Key}@{package.Value}"));

    /// <summary>The choice that <see cref="Name"/> wrote; empty for null.</summary>
    public static PackageChoice Of(string? name) => new(new SortedDictionary<string, string>(
        (name ?? "").Split(Separator, StringSplitOptions.RemoveEmptyEntries).Select(package => package.Split('@'))
            .ToDictionary(parts => parts[0], parts => parts[1], StringComparer.OrdinalIgnoreCase), StringComparer.OrdinalIgnoreCase));

    public static (PackageChoice? Choice, Problem? Problem) Parse(string text, string where)
    {
        var versions = new SortedDictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var package in text.Split(Separator))
        {
            var at = package.IndexOf('@');
            var (id, version) = at < 0 ? (package, "") : (package[..at], package[(at + 1)..]);
            if (id.Length > LongestId || !IdForm().IsMatch(id) || version.Length > LongestVersion || !VersionForm().IsMatch(version))
            {
                return (null, new(where, $"'{package}' is not a package with its version.",
                    "Example: package=Newtonsoft.Json@13.0.3; several: package=A@1.0.0,package=B@2.0.0"));
            }

            if (!versions.TryAdd(id, version))
            {
                return (null, new(where, $"package {id} is given twice."));
            }
        }

        return versions.Count <= MostPackages ? (new(versions), null)
            : (null, new(where, Invariant($"{versions.Count} packages: at most {MostPackages}.")));
    }

    // Both become XML of a build: nothing else gets through. https://learn.microsoft.com/nuget/concepts/package-versioning
    [GeneratedRegex(@"^[A-Za-z0-9_]+([._-][A-Za-z0-9_]+)*\z", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, 1000)]
    private static partial Regex IdForm();

    [GeneratedRegex(@"^[0-9]+(\.[0-9]+){0,3}(-[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*)?\z",
        RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, 1000)]
    private static partial Regex VersionForm();
}
