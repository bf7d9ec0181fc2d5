using System.Collections.Concurrent;
using PerfLab.Building.Runtimes;
using PerfLab.Building.Tools;
using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;

[assembly: AssemblyFixture(typeof(PerfLab.Workload.Tests.Lab))]

namespace PerfLab.Workload.Tests;

/// <summary>The real builder on a store that lives as long as the test run: every build that several tests need is made once.</summary>
public sealed class Lab : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-workloads-");
    private readonly ConcurrentDictionary<string, Task<BuildResult>> _builds = new(StringComparer.Ordinal);

    private readonly AwakeCompiler _compiler;

    public Lab()
    {
        _compiler = new AwakeCompiler(_folder.FullName);
        Builder = NewBuilder("builds");
    }

    /// <summary>What builds start.</summary>
    public DotnetCli Dotnet => _compiler.Dotnet;

    public Builder Builder { get; }

    /// <summary>The repository's root, found upwards from where the tests run.</summary>
    public static string Root { get; } = FindRoot(AppContext.BaseDirectory);

    public static string Kit { get; } = Path.Combine(Root, "workloads", "kit", "PerfLab.WorkloadKit.csproj");

    /// <summary>The patch that the tests use of each release.</summary>
    public static string PatchOf(string release) => RuntimeRelease.Described.Single(known => known.Name == release).Seen!;

    /// <summary>
    /// The newest patch of a release that the package sources have here, or null: also of releases that runtimes.json does not describe.
    /// </summary>
    public string? NewestPatchOf(string release) =>
        new RuntimeCatalog(Path.Combine(_folder.FullName, "catalogue"), new DotnetCli())
            .Resolve(release).Runtime is { Unavailable: null } runtime ? runtime.Patch : null;

    /// <summary>
    /// The patch that the tests use of a release; of one that runtimes.json does not describe, the newest that the package sources have
    /// here. Where there is none, the test is skipped.
    /// </summary>
    public string PatchHere(string release)
    {
        var patch = RuntimeRelease.Described.FirstOrDefault(known => known.Name == release)?.Seen ?? NewestPatchOf(release);
        Assert.SkipWhen(patch is null, $"no package source has {release}");
        return patch;
    }

    /// <summary>The version of a framework that a plan takes where none is named: the newest that the package sources have here.</summary>
    public string NewestOf(string workload, string framework) => Served(workload, framework).Default.ShouldNotBeNull();

    /// <summary>The lowest release that the workload was written for and the package sources have here.</summary>
    public string LowestOf(string workload, string framework) =>
        Served(workload, framework).Versions.First(version => !VersionOrder.IsPreview(version));

    /// <summary>A workload as planning sees it: with the versions of its frameworks that the package sources have here.</summary>
    public PerfLab.Core.Model.Workload WithVersions(PerfLab.Core.Model.Workload workload) =>
        new RuntimeCatalog(Path.Combine(_folder.FullName, "catalogue"), new DotnetCli()).WithVersions(workload);

    private FrameworkDefinition Served(string workload, string framework)
    {
        var problems = new List<Problem>();
        var read = WorkloadManifest.Read(Path.Combine(Root, "workloads", workload), problems);
        problems.ShouldBeEmpty();
        return WithVersions(read!).Frameworks.Single(known => known.Name == framework);
    }

    public Builder NewBuilder(string store) => new(Path.Combine(_folder.FullName, store), Dotnet) { KitProject = Kit };

    /// <summary>A folder of the caller's own, gone after the run.</summary>
    public string NewFolder() => Directory.CreateDirectory(Path.Combine(_folder.FullName, Guid.NewGuid().ToString("n"))).FullName;

    public static string Fixture(string name) => Path.Combine(Root, "tests", "fixtures", name);

    public static void CopyFolder(string from, string to)
    {
        foreach (var file in Directory.GetFiles(from, "*", SearchOption.AllDirectories))
        {
            var target = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }
    }

    /// <summary>The recipe of one of the repository's workloads.</summary>
    public static BuildRecipe Recipe(Manifest manifest, string release, params (string Name, string Value)[] properties) => new()
    {
        Workload = manifest.Name,
        Folder = manifest.Folder,
        Kind = manifest.Project is null ? BuildKind.None : BuildKind.Dotnet,
        Project = manifest.Project,
        TargetFramework = release,
        RuntimePatch = PatchOf(release),
        Properties = properties.ToDictionary(property => property.Name, property => property.Value, StringComparer.Ordinal),
    };

    /// <summary>Builds once per test run and expects that it works.</summary>
    public async Task<Build> BuiltAsync(BuildRecipe recipe)
    {
        var key = $"{recipe.Workload} {recipe.TargetFramework} {recipe.RuntimePatch} {string.Join(' ', recipe.Properties)}";
        var result = await _builds.GetOrAdd(key, _ => Builder.BuildAsync(recipe, CancellationToken.None));
        result.Build.ShouldNotBeNull(result.Failure ?? result.Unavailable);
        return result.Build;
    }

    public void Dispose()
    {
        _compiler.Dispose();
        _folder.Delete(recursive: true);
    }

    private static string FindRoot(string folder) =>
        File.Exists(Path.Combine(folder, "perf-lab.sln")) ? folder : FindRoot(Path.GetDirectoryName(folder)!);
}
