using System.Text.RegularExpressions;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Building;

/// <summary>
/// Tells what NuGet could not find, so that a cell whose framework or runtime is not to be had is <c>unavailable</c> by name and not a
/// failed build. https://learn.microsoft.com/nuget/reference/errors-and-warnings
/// </summary>
internal static partial class RestoreProblems
{
    private const string RuntimePack = @"^Microsoft\.(NETCore|AspNetCore)\.App\.(Runtime|Ref|Host)(\.linux-x64)?$";

    /// <summary>
    /// Why the recipe's bits are not available here and what to do about it; null when the restore found everything that was asked for.
    /// </summary>
    public static string? Explain(string output, BuildRecipe recipe)
    {
        var missing = Missing(output, recipe).Distinct().ToList();
        if (missing.Find(package => Regex.IsMatch(package.Id, RuntimePack, RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(1))) is { } pack)
        {
            return RuntimeUnavailable(recipe, pack);
        }

        return missing is [var first, ..] ? PackageUnavailable(first)
            : NotProvisioned().Match(output) is { Success: true } said ? $"{said.Groups["what"].Value.TrimEnd()}." : null;
    }

    private static IEnumerable<MissingPackage> Missing(string output, BuildRecipe recipe)
    {
        var nearest = Nearest().Match(output) is { Success: true } match ? match.Groups["nearest"].Value : null;
        foreach (Match error in NotFound().Matches(output))
        {
            yield return new MissingPackage(error.Groups["id"].Value.TrimEnd('.'), error.Groups["version"].Value, nearest);
        }

        // NU1603 is a warning: something else was taken. For a version that was asked for that would be measuring under a wrong name.
        foreach (Match warning in TookAnother().Matches(output))
        {
            if (recipe.Properties.Values.Contains(warning.Groups["version"].Value, StringComparer.Ordinal))
            {
                yield return new MissingPackage(warning.Groups["id"].Value, warning.Groups["version"].Value, warning.Groups["other"].Value);
            }
        }
    }

    private static string RuntimeUnavailable(BuildRecipe recipe, MissingPackage pack)
    {
        return $"runtime {recipe.RuntimePatch} is not available here: no package source has {pack}. "
            + "'perf-lab list runtimes' shows what there is; --feed DIR adds a folder of packages.";
    }

    private static string PackageUnavailable(MissingPackage package)
    {
        var nearest = package.Nearest is null ? "" : $" (nearest: {package.Nearest})";
        return $"package {package} is not available here: no package source has it{nearest}. "
            + "Add a folder of packages with --feed DIR, or build the library from a checkout with source=PATH where the workload offers it.";
    }

    // What a project says by <Error Code="PERFLAB1">: it lacks a program that no package source has.
    [GeneratedRegex(@"error PERFLAB1: (?<what>[^\n\[]+)", RegexOptions.None, 1000)]
    private static partial Regex NotProvisioned();

    [GeneratedRegex(@"error NU110[123]: Unable to find (?:a stable )?package (?<id>[\w.\-]+)(?: with version \((?:>=|=) ?(?<version>[^) ]+)[^)]*\))?", RegexOptions.None, 1000)]
    private static partial Regex NotFound();

    [GeneratedRegex(@"\[ Nearest version: (?<nearest>\S+) \]", RegexOptions.None, 1000)]
    private static partial Regex Nearest();

    [GeneratedRegex(@"warning NU1603: \S+ depends on (?<id>[\w.\-]+) \(>= (?<version>[^)]+)\) but .*? was not found\.\s+(?:An approximate best match of )?\S+ (?<other>\S+) was resolved", RegexOptions.None, 1000)]
    private static partial Regex TookAnother();

    private sealed record MissingPackage(string Id, string Version, string? Nearest)
    {
        public override string ToString() => $"{Id} {Version}".TrimEnd();
    }
}
