using System.Text.RegularExpressions;
using PerfLab.Core.Files;
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
    /// <param name="output">What the SDK printed.</param>
    /// <param name="recipe">What was built.</param>
    /// <param name="around">What else is known of a package that is missing.</param>
    public static string? Explain(string output, BuildRecipe recipe, PackageSurroundings? around = null)
    {
        var missing = Missing(output, recipe).Distinct().ToList();
        if (missing.Find(package => IsOfRuntime(package, recipe)) is { } pack)
        {
            return RuntimeUnavailable(recipe, pack);
        }

        return missing.Count > 0 ? PackagesUnavailable(missing, around ?? new())
            : NotProvisioned().Match(output) is { Success: true } said ? $"{said.Groups["what"].Value.TrimEnd()}." : null;
    }

    /// <summary>What was taken although it is not what was asked for: the lowest version that there is, where that one is missing.</summary>
    public static IReadOnlyList<string> Replaced(string output) =>
    [
        .. TookAnother().Matches(output).Select(warning => $"package {warning.Groups["id"].Value} {warning.Groups["other"].Value} was taken, "
            + $"because no package source has the {warning.Groups["version"].Value} that {warning.Groups["by"].Value} needs")
            .Distinct(StringComparer.Ordinal),
    ];

    // A library that targets net7.0 as well needs that target's pack; the runtime that is measured is there all the same.
    private static bool IsOfRuntime(MissingPackage package, BuildRecipe recipe) =>
        Regex.IsMatch(package.Id, RuntimePack, RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(1))
        && (package.Version.Length == 0 || Release(package.Version) == Release(recipe.RuntimePatch)
            || recipe.TargetFramework?.EndsWith(Release(package.Version)!, StringComparison.Ordinal) == true);

    /// <summary>"8.0" of "8.0.33".</summary>
    private static string? Release(string? version) => version is null ? null : string.Join('.', version.Split('.').Take(2));

    private static IEnumerable<MissingPackage> Missing(string output, BuildRecipe recipe)
    {
        IReadOnlyList<Match> errors = NotFound().Matches(output);
        for (var at = 0; at < errors.Count; at++)
        {
            // The lines that follow say what there is of it; those of the next package say it of that.
            var (from, to) = (errors[at].Index, at + 1 < errors.Count ? errors[at + 1].Index : output.Length);
            var nearest = Nearest().Match(output, from, to - from) is { Success: true } match ? match.Groups["nearest"].Value : null;
            yield return new MissingPackage(errors[at].Groups["id"].Value.TrimEnd('.'), errors[at].Groups["version"].Value, nearest);
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

    private static string PackagesUnavailable(List<MissingPackage> missing, PackageSurroundings around)
    {
        // A package that several projects ask for is reported for each of them.
        var packages = missing.DistinctBy(package => package.ToString(), StringComparer.Ordinal).ToList();
        var needing = packages.ToDictionary(package => package, package => around.NeededBy(package.Id));
        var what = packages is [var only]
            ? $"package {only}{(needing[only] is [] ? "" : For(needing[only]) + ",")} is not available here: no package source has it{ThereIs(only, around)}. "
            : $"{packages.Count} packages are not available here, since no package source has them: "
                + $"{string.Join(", ", packages.Select(package => $"{package}{For(needing[package])}{ThereIs(package, around)}"))}. ";
        var another = needing.Values.SelectMany(needs => needs).Any() ? "Name another version of what needs it, add" : "Add";
        return what + $"{another} a folder of packages with --feed DIR, "
            + "or build the library from a checkout with source=PATH where the workload offers it.";
    }

    private static string For(IReadOnlyList<string> needs) => needs is [] ? "" : $", which {NearestNames.First(needs)} needs";

    /// <summary>NuGet names the nearest; of many versions it is not among those that are shown.</summary>
    private static string ThereIs(MissingPackage package, PackageSurroundings around)
    {
        var versions = package.Nearest is null ? [] : around.Versions(package.Id);
        var nearest = package.Nearest is null ? "" : $"nearest: {package.Nearest}";
        return (nearest, versions) switch
        {
            ("", _) => "",
            (_, []) => $" ({nearest})",
            _ => $" ({nearest}; there is: {NearestNames.First(versions)})",
        };
    }

    // What a project says by <Error Code="PERFLAB1">: it lacks a program that no package source has.
    [GeneratedRegex(@"error PERFLAB1: (?<what>[^\n\[]+)", RegexOptions.None, 1000)]
    private static partial Regex NotProvisioned();

    [GeneratedRegex(@"error NU110[123]: Unable to find (?:a stable )?package (?<id>[\w.\-]+)(?: with version \((?:>=|=) ?(?<version>[^) ]+)[^)]*\))?", RegexOptions.None, 1000)]
    private static partial Regex NotFound();

    [GeneratedRegex(@"\[ Nearest version: (?<nearest>\S+) \]", RegexOptions.None, 1000)]
    private static partial Regex Nearest();

    // "app depends on …" of a project, "Akka.Cluster.Sharding 1.5.73 depends on …" of a package.
    [GeneratedRegex(@"warning NU1603: (?<by>\S+(?: \S+)?) depends on (?<id>[\w.\-]+) \(>= (?<version>[^)]+)\) but .*? was not found\.\s+"
        + @"(?:An approximate best match of )?\S+ (?<other>\S+) was resolved", RegexOptions.None, 1000)]
    private static partial Regex TookAnother();

    private sealed record MissingPackage(string Id, string Version, string? Nearest)
    {
        public override string ToString() => $"{Id} {Version}".TrimEnd();
    }
}
