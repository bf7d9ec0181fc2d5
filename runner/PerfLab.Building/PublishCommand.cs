using PerfLab.Core.Planning.Plans;

namespace PerfLab.Building;

/// <summary>Where one publish reads and writes; all but the project is the build's own and thrown away or moved afterwards.</summary>
/// <param name="Artifacts">Folder for obj and bin of every project: nothing is written beside the sources.</param>
/// <param name="Inputs">File in which every project names what it was made from.</param>
/// <param name="Targets">MSBuild file that goes into every project.</param>
/// <param name="Frameworks">MSBuild file that goes into every project with several target frameworks.</param>
/// <param name="Kit">Project file of the workload kit, or null where there is none.</param>
/// <param name="Driver">Project file of the program that runs benchmarks of BenchmarkDotNet.</param>
internal sealed record PublishPaths(string Output, string Artifacts, string Inputs, string Targets, string Frameworks, string? Kit, string? Driver = null)
{
    /// <summary>A source file of the program's layout; null for the program as it is.</summary>
    public string? Layout { get; init; }

    /// <summary>A source file that stands in place of those of the project with the benchmarks; null where it keeps its own.</summary>
    public string? Snippet { get; init; }

    /// <summary>Targets that put other versions in place of a project's packages; null where it keeps its own.</summary>
    public string? Packages { get; init; }
}

/// <summary>A recipe as arguments for <c>dotnet</c>.</summary>
internal static class PublishCommand
{
    public static IReadOnlyList<string> For(BuildRecipe recipe, PublishPaths paths)
    {
        var arguments = new List<string>
        {
            "publish", recipe.IsBenchmarkDotNet ? paths.Driver! : ProjectOf(recipe), "-c", "Release", "-r", "linux-x64",
                "--self-contained", "true",
            "--artifacts-path", paths.Artifacts, "-o", paths.Output, "-nodeReuse:false", "-m:1", "-v:minimal", "-tl:off",
        };
        arguments.AddRange(Properties(recipe, paths).Select(property => $"-p:{property.Key}={Escape(property.Value)}"));
        return arguments;
    }

    /// <summary>The project file that the recipe names.</summary>
    public static string ProjectOf(BuildRecipe recipe) => Path.GetFullPath(Path.Combine(recipe.Folder, recipe.Project!));

    private static IEnumerable<KeyValuePair<string, string>> Properties(BuildRecipe recipe, PublishPaths paths)
    {
        var properties = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, value) in recipe.Properties)
        {
            properties[name] = value;
        }

        properties["PerfLabTargetFramework"] = recipe.TargetFramework!;
        properties["PerfLabRuntime"] = recipe.RuntimePatch!;
        properties["PerfLabInputs"] = paths.Inputs;
        properties["PerfLabFeeds"] = string.Join(';', recipe.Feeds);
        properties["PerfLabKit"] = paths.Kit ?? "";
        properties["PerfLabLayoutFile"] = paths.Layout ?? "";
        properties["PerfLabSnippetFile"] = paths.Snippet ?? "";
        properties["PerfLabPackagesFile"] = paths.Packages ?? "";
        properties["PerfLabPackagesRoot"] = paths.Packages is null ? "" : ProjectOf(recipe);
        properties["CustomAfterMicrosoftCommonTargets"] = paths.Targets;
        properties["CustomBeforeMicrosoftCommonCrossTargetingTargets"] = paths.Frameworks;
        if (recipe.IsBenchmarkDotNet)
        {
            properties["PerfLabBenchmarks"] = ProjectOf(recipe);
        }

        // A console program must not fetch the ASP.NET runtime pack because a package mentions it.
        properties["DisableTransitiveFrameworkReferenceDownloads"] = "true";
        // Equal sources, equal bits: no debug information (it holds paths), no commit in the version, no git at all.
        properties["Deterministic"] = "true";
        properties["DebugType"] = "none";
        properties["DebugSymbols"] = "false";
        properties["IncludeSourceRevisionInInformationalVersion"] = "false";
        properties["EnableSourceControlManagerQueries"] = "false";
        properties["EnableSourceLink"] = "false";
        // Warnings and analyzers change no bits, and a project that makes errors of them was never tried with this SDK and these settings.
        // What a project names in WarningsAsErrors stays an error.
        properties["TreatWarningsAsErrors"] = "false";
        properties["RunAnalyzers"] = "false";
        // A compiler server would outlive the build.
        properties["UseSharedCompilation"] = "false";
        return properties;
    }

    // MSBuild's own escapes: on a command line ; and , separate properties, % starts an escape, and $( @( would be evaluated.
    private static string Escape(string value) => value
        .Replace("%", "%25").Replace(";", "%3B").Replace(",", "%2C")
        .Replace("$", "%24").Replace("@", "%40");
}
