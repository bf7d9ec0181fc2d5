using System.Security.Cryptography;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Building;

/// <summary>Names a recipe and the tools that carry it out: what a build is looked up by, before its inputs are compared.</summary>
internal static class BuildKey
{
    public static string Of(BuildRecipe recipe, IReadOnlyList<string> tools)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        string?[] single = [recipe.Workload, recipe.Folder, recipe.Kind.ToString(), recipe.Project, recipe.TargetFramework, recipe.RuntimePatch, recipe.Source];
        string[] texts =
        [
            .. single.Select(text => text ?? "-"), recipe.IsBenchmarkDotNet ? "benchmarks" : "program",
            recipe.CurrentSdk ? "current SDK" : "its SDK",
            .. recipe.Snippet is null ? Array.Empty<string>() : ["snippet", recipe.Snippet],
            "tools", .. tools,
            "properties", .. recipe.Properties.OrderBy(property => property.Key, StringComparer.Ordinal).SelectMany(property => new[] { property.Key, property.Value }),
            "feeds", .. recipe.Feeds.SelectMany(Packages),
        ];
        foreach (var text in texts)
        {
            BuildIdentity.AppendText(hash, text);
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    // Names and sizes, not contents: NuGet itself never reads a version twice, so a changed package needs a new version anyway.
    private static IEnumerable<string> Packages(string feed) => !Directory.Exists(feed) ? [feed] :
    [
        feed, .. new DirectoryInfo(feed).EnumerateFiles("*.nupkg", SearchOption.AllDirectories)
            .Select(package => Invariant($"{package.FullName} {package.Length}")).Order(StringComparer.Ordinal),
    ];
}
