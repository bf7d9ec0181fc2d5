using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Planning;

/// <summary>`framework=akka@1.5` -> the framework's definition and one version.</summary>
public sealed record FrameworkChoice(FrameworkDefinition Framework, string? Version)
{
    /// <summary>The word in files: "akka@1.5.30", or "stj" for a framework without a version.</summary>
    public string Name => Version is null ? Framework.Name : $"{Framework.Name}@{Version}";

    /// <summary>False where the package sources say which versions there are, and this is none of them: a build will tell.</summary>
    public bool IsListed => Version is null || Framework.Packages is [] || Framework.Versions is []
        || Framework.Versions.Contains(Version, StringComparer.OrdinalIgnoreCase);

    /// <summary>
    /// No version and `latest` mean the default. A version that is listed is exact; a prefix of listed ones means the newest release of
    /// them; any other whole version is tried as it is, because not every package source can say what it has.
    /// </summary>
    public static (FrameworkChoice? Choice, Problem? Problem) Parse(Workload workload, string text, string where)
    {
        var at = text.IndexOf('@');
        var name = at < 0 ? text : text[..at];
        var framework = workload.Frameworks.FirstOrDefault(known => known.Name == name);
        if (framework is null)
        {
            return workload.Frameworks.Count == 0
                ? (null, new(where, $"workload {workload.Name} has no frameworks to choose from."))
                : (null, new(where, $"'{name}' is not a framework of {workload.Name}.",
                    NearestNames.Suggest(name, workload.Frameworks.Select(known => known.Name))));
        }

        var version = at < 0 ? Latest : text[(at + 1)..];
        if (framework.Property is null)
        {
            return at < 0 ? (new(framework, framework.Default), null)
                : (null, new(where, $"framework {name} comes with the runtime and has no version.", $"Write {name}."));
        }

        if (version == Latest)
        {
            return framework.Default is null
                ? (null, new(where, $"the package sources have no release of {string.Join(" and ", framework.Packages)} {framework.From} or newer.", There(framework)))
                : (new(framework, framework.Default), null);
        }

        if (!IsVersion(version))
        {
            return (null, new(where, $"'{version}' is not a package version.",
                $"{name}@latest is the newest, {name}@1.2 the newest that begins so. {There(framework)}"));
        }

        if (Newest(framework, version) is { } newest)
        {
            return (new(framework, newest), null);
        }

        return framework is { Packages: not [], Versions: not [] } && version.Split('.').Length < 3
            ? (null, new(where, $"no release of {name} begins with {version}.", There(framework)))
            : (new(framework, version), null);
    }

    /// <summary>Why this version can't run on a runtime, with what can; null when it can, or when the manifest does not say.</summary>
    public Problem? ClashWith(ResolvedRuntime runtime, Workload workload)
    {
        if (Version is null || LowestRuntime(Version) is not { } lowest || Runs(lowest, runtime))
        {
            return null;
        }

        var versions = Framework.Versions.Where(listed => LowestRuntime(listed) is not { } need || Runs(need, runtime)).ToList();
        var runtimes = workload.Build.Runtimes.Where(release => TargetFrameworks.Number(release) >= TargetFrameworks.Number(lowest)).ToList();
        return new(
            workload.Name, $"framework={Name} does not go with runtime={runtime.Name}: from {Framework.Name} {NeedFor(Version)} on it needs {lowest} or later.",
            $"It runs on: {Listed(runtimes)}. On {runtime.Release} run: {Listed(versions.ConvertAll(listed => $"{Framework.Name}@{listed}"))}.");
    }

    private const string Latest = "latest";

    private static string There(FrameworkDefinition framework) => framework.Versions is [] ? "No version is known."
        : $"There is: {NearestNames.First([.. framework.Versions.OrderDescending(VersionOrder.Instance)])}.";

    private static string Listed(List<string> names) => names.Count == 0 ? "none that is listed" : string.Join(", ", names);

    private static bool Runs(string lowest, ResolvedRuntime runtime) => TargetFrameworks.Number(runtime.Release) >= TargetFrameworks.Number(lowest);

    private string? LowestRuntime(string version) => NeedFor(version) is { } from ? Framework.Needs[from] : null;

    private string? NeedFor(string version) =>
        Framework.Needs.Keys.Where(from => VersionOrder.Instance.Compare(from, version) <= 0).Max(VersionOrder.Instance);

    private static string? Newest(FrameworkDefinition framework, string version) =>
        framework.Versions.Contains(version, StringComparer.Ordinal)
            ? version
            : framework.Versions.Where(listed => listed.StartsWith(version + ".", StringComparison.Ordinal) && !VersionOrder.IsPreview(listed))
                .MaxBy(listed => listed, VersionOrder.Instance);

    // The version becomes an MSBuild property: nothing but what a NuGet version may hold gets through. Up to four numbers, then a label.
    private static bool IsVersion(string text)
    {
        var label = text.IndexOfAny(['-', '+']);
        return text.Length is > 0 and <= 64
            && (label < 0 ? text : text[..label]).Split('.') is { Length: <= 4 } numbers && numbers.All(number => number.Length > 0 && number.All(char.IsAsciiDigit))
            && (label < 0 || (label < text.Length - 1 && text[label..].All(character => char.IsAsciiLetterOrDigit(character) || character is '.' or '-' or '+')));
    }
}

/// <summary>Orders versions by their numbers, then releases after pre-releases.</summary>
public sealed class VersionOrder : IComparer<string>
{
    public static VersionOrder Instance { get; } = new();

    /// <summary>"1.6.0-beta1": a version with a label comes before the one without.</summary>
    public static bool IsPreview(string version) => version.Contains('-', StringComparison.Ordinal);

    public int Compare(string? x, string? y)
    {
        var (a, b) = (Split(x ?? ""), Split(y ?? ""));
        for (var i = 0; i < Math.Max(a.Numbers.Length, b.Numbers.Length); i++)
        {
            var order = a.Numbers.ElementAtOrDefault(i).CompareTo(b.Numbers.ElementAtOrDefault(i));
            if (order != 0)
            {
                return order;
            }
        }

        return (a.Suffix.Length, b.Suffix.Length) switch
        {
            (0, 0) => 0,
            (0, _) => 1,
            (_, 0) => -1,
            _ => string.CompareOrdinal(a.Suffix, b.Suffix),
        };
    }

    private static (int[] Numbers, string Suffix) Split(string version)
    {
        var dash = version.IndexOf('-');
        var core = dash < 0 ? version : version[..dash];
        var numbers = core.Split('.').Select(part => int.TryParse(part, System.Globalization.CultureInfo.InvariantCulture, out var n) ? n : 0);
        return (numbers.ToArray(), dash < 0 ? "" : version[(dash + 1)..]);
    }
}
