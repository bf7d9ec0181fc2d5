using PerfLab.Building.Runtimes;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Building;

/// <summary>
/// A project with benchmarks of BenchmarkDotNet and no manifest: as much of a workload as MSBuild knows without building anything.
/// </summary>
public static class BenchmarkProject
{
    /// <summary>In place of the benchmarks' names, which only a build knows.</summary>
    public const string Placeholder = "(not listed yet)";

    /// <summary>Of project files, with their dot.</summary>
    internal static readonly string[] Extensions = [".csproj", ".fsproj", ".vbproj"];

    /// <summary>Limits of a launch: benchmarks are not known to need more.</summary>
    private static readonly Resources Limits = new(Cpus: 2, MemoryBytes: 4L << 30, Pids: 512);

    private static readonly string[] WhatItHolds =
        ["-getProperty:OutputType", "-getItem:PackageReference", "-getItem:ProjectReference", "-getItem:Reference"];

    public static bool IsProject(string target) => Extensions
        .Any(extension => target.EndsWith(extension, StringComparison.OrdinalIgnoreCase));

    /// <summary>The workload, its benchmarks still to be listed; or null with a problem added.</summary>
    /// <param name="project">Absolute path.</param>
    /// <param name="dotnet">Evaluates the project.</param>
    /// <param name="problems">Grows.</param>
    /// <param name="cancellationToken">Ends the question.</param>
    /// <param name="currentSdk">By the newest SDK that is here, whatever a global.json asks for.</param>
    public static async Task<Workload?> ReadAsync(
        string project, DotnetCli dotnet, ICollection<Problem> problems, CancellationToken cancellationToken, bool currentSdk = false)
    {
        if (!File.Exists(project))
        {
            problems.Add(new(project, "there is no such project file."));
            return null;
        }

        var folder = Path.GetDirectoryName(project)!;
        var at = currentSdk ? DotnetCli.BelowNoGlobalJson : folder;
        string[] frameworks = ["-getProperty:TargetFramework", "-getProperty:TargetFrameworks"];
        var run = await dotnet.RunAsync([.. Question(project), .. WhatItHolds, .. frameworks], at, cancellationToken);
        if (PinnedSdk.NotFound(run) is { } pinned)
        {
            problems.Add(new(project, pinned.ToString()));
            return null;
        }

        var answer = MsBuildAnswer.In(run);
        if (answer is null)
        {
            // What it says first may be anything; what is wrong has the word in it.
            var lines = run.Output.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0).ToList();
            // Of an SDK that is a package, the first error only says that another one says why.
            var error = lines.Find(line => line.Contains("Unable to find package", StringComparison.Ordinal))
                ?? lines.Find(line => line.Contains("error", StringComparison.OrdinalIgnoreCase)) ?? lines.FirstOrDefault();
            problems.Add(new(project, $"MSBuild can't evaluate it: {error}", Submodules.Advice(folder)));
            return null;
        }

        var targets = answer.Properties.Targets;
        IReadOnlyList<string> runtimes =
            [.. targets.Where(target => RuntimeRelease.Find(target) is not null).OrderBy(TargetFrameworks.Number)];
        if (runtimes.Count == 0)
        {
            var all = targets.Count == 0 ? "nothing" : string.Join(", ", targets);
            problems.Add(new(project, $"targets {all}, none of which is measured.",
                "Add net8.0, net10.0 or another to its TargetFrameworks; `./perf-lab list runtimes` shows what there is."));
            return null;
        }

        if (!answer.MayHoldBenchmarks && await IsLibraryAloneAsync(project, runtimes, dotnet, at, cancellationToken))
        {
            problems.Add(new(project,
                "is a library without benchmarks: by what MSBuild says, its OutputType is Library, and it refers neither to BenchmarkDotNet "
                    + "nor to another project.",
                "Name the project that holds the benchmarks, or add a PackageReference to BenchmarkDotNet."));
            return null;
        }

        return Of(project, runtimes);
    }

    /// <summary>
    /// Whether it can hold no benchmark, for all that MSBuild knows before anything is built: asked of each target framework, since a
    /// reference may hold for one alone. Another project may bring BenchmarkDotNet along, and only a build knows that.
    /// </summary>
    private static async Task<bool> IsLibraryAloneAsync(
        string project, IReadOnlyList<string> runtimes, DotnetCli dotnet, string at, CancellationToken cancellationToken)
    {
        foreach (var runtime in runtimes)
        {
            var run = await dotnet.RunAsync([.. Question(project), $"-p:TargetFramework={runtime}", .. WhatItHolds], at, cancellationToken);
            if (MsBuildAnswer.In(run) is not { MayHoldBenchmarks: false })
            {
                return false;
            }
        }

        return true;
    }

    private static string[] Question(string project) => ["msbuild", project, "-nologo", "-p:Configuration=Release"];

    /// <summary>The workload of a project that MSBuild was asked about already, its benchmarks still to be listed.</summary>
    /// <param name="project">Absolute path.</param>
    /// <param name="runtimes">Its target frameworks that can be measured, the lowest first.</param>
    public static Workload Of(string project, IReadOnlyList<string> runtimes) =>
        new()
        {
            Name = Path.GetFileNameWithoutExtension(project),
            Summary = $"benchmarks of {Path.GetFileName(project)}",
            Folder = Path.GetDirectoryName(project)!,
            Build = new() { Kind = BuildKind.Dotnet, Project = Path.GetFileName(project), Runtimes = runtimes },
            Command = [BenchmarkCases.Program],
            Parameters = [Parameter([Placeholder])],
            Modes = [new("steady", BenchmarkCases.Metrics)],
            Launch = BenchmarkCases.Launch,
            Resources = Limits,
            Result = ResultFormat.BenchmarkDotNet,
        };

    /// <summary>The parameter that names the benchmarks.</summary>
    public static ParameterDefinition Parameter(IReadOnlyList<string> names) =>
        new() { Name = BenchmarkCases.Parameter, Type = ParameterType.Text, Default = names[0], Values = names };

    /// <summary>https://learn.microsoft.com/visualstudio/msbuild/evaluate-items-and-properties</summary>
    private sealed record MsBuildAnswer(ProjectProperties Properties, ProjectItems Items)
    {
        public bool MayHoldBenchmarks => Properties.OutputType != "Library" || Items.ProjectReference.Count > 0
            || Items.PackageReference.Concat(Items.Reference)
                .Any(item => item.Identity.StartsWith("BenchmarkDotNet", StringComparison.OrdinalIgnoreCase));

        public static MsBuildAnswer? In(CliResult run) =>
            run.ExitCode == 0 ? Format.Read(run.Output[Math.Max(0, run.Output.IndexOf('{'))..]).Value : null;

        public static FileFormat<MsBuildAnswer> Format { get; } = new("", "MSBuild's answer") { IsForeign = true, Names = null };
    }

    private sealed record ProjectItems(
        IReadOnlyList<ProjectItem> PackageReference, IReadOnlyList<ProjectItem> ProjectReference, IReadOnlyList<ProjectItem> Reference);

    private sealed record ProjectItem(string Identity);

    private sealed record ProjectProperties(string TargetFramework = "", string TargetFrameworks = "", string OutputType = "")
    {
        public IReadOnlyList<string> Targets =>
            [.. $"{TargetFrameworks};{TargetFramework}".Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
                .Distinct(StringComparer.Ordinal)];
    }
}
