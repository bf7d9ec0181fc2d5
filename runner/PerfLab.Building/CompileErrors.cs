using System.Text.RegularExpressions;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Building;

/// <summary>What a person needs to see of a build that failed: the first errors, once each, and where the rest is.</summary>
internal static partial class CompileErrors
{
    private const int Shown = 10;

    public static string Explain(string output, BuildRecipe recipe, string log)
    {
        if (recipe.IsBenchmarkDotNet && DriverAlone().IsMatch(output))
        {
            return $"{recipe.Workload} brings no BenchmarkDotNet along: {recipe.Project} has no PackageReference to it, or one with PrivateAssets. The whole log: {log}";
        }

        if (recipe.IsBenchmarkDotNet && OfDriver().IsMatch(output))
        {
            return $"{recipe.Workload} brings a BenchmarkDotNet that the program which runs benchmarks was not written for: "
                + $"reference 0.13 to 0.16. The whole log: {log}";
        }

        var all = output.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0).ToList();
        var errors = all.Index().Where(line => Error().IsMatch(line.Item) || SaysWhy(all, line.Index)).Select(line => line.Item)
            .Distinct(StringComparer.Ordinal).ToList();
        var lines = errors.Count > 0 ? errors : [.. all.TakeLast(Shown)];
        var more = lines.Count > Shown ? $"\n  … and {lines.Count - Shown} more" : "";
        var packages = recipe.Properties.GetValueOrDefault(Recipes.PackagesProperty);
        var what = packages is not null && errors.Exists(error => OfSignature().IsMatch(error))
            ? $"NuGet refuses package={packages} for its signature: the nuget.config of {recipe.Workload} asks for one. "
                + "In its own words:\n  "
            : packages is not null && errors.Exists(error => OfNuGet().IsMatch(error))
            ? $"NuGet refuses package={packages} beside what else {recipe.Workload} needs. Name another version, or those that go "
                + "with it, too (package=A@1.0.0,package=B@2.0.0). In its own words:\n  "
            : $"{recipe.Workload} does not build for {recipe.TargetFramework} on {recipe.RuntimePatch}:\n  ";
        return what
            + string.Join("\n  ", lines.Take(Shown)) + more + $"\nThe whole log: {log}";
    }

    /// <summary>A command that a project runs says in a line before why it failed; MSBuild only says that it did.</summary>
    private static bool SaysWhy(List<string> lines, int at) => at + 1 < lines.Count && lines[at + 1].Contains("error MSB3073:", StringComparison.Ordinal);

    /// <summary>The driver itself lacks the package that the project was to bring.</summary>
    [GeneratedRegex(@"benchmark-driver.*error CS0246: [^\n]*BenchmarkDotNet", RegexOptions.None, 1000)]
    private static partial Regex DriverAlone();

    /// <summary>It is compiled against the project's own version, and uses nothing that came or went from 0.13 to 0.16, but what EngineCalls.cs has in two ways.</summary>
    [GeneratedRegex(@"/benchmark-driver/[^\n]*: error CS", RegexOptions.None, 1000)]
    private static partial Regex OfDriver();

    [GeneratedRegex(@"error NU1\d\d\d:", RegexOptions.None, 1000)]
    private static partial Regex OfNuGet();

    /// <summary>https://learn.microsoft.com/nuget/reference/errors-and-warnings/nu3004 and those beside it.</summary>
    [GeneratedRegex(@"error NU3\d\d\d:", RegexOptions.None, 1000)]
    private static partial Regex OfSignature();

    [GeneratedRegex(@"\berror\b( [A-Z]+\d+)?:", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Error();
}
