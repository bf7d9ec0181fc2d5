using System.Collections.Concurrent;
using PerfLab.Building.Tools;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Building;

/// <summary>Turns recipes into bits that can be launched, once for equal recipes and unchanged sources. Safe to call in parallel.</summary>
/// <param name="storeFolder">Absolute path of the folder for builds, e.g. <c>.perf-lab/builds</c>; made when missing.</param>
public sealed class Builder(string storeFolder, DotnetCli dotnet)
{
    // A part of every key: raise it when equal recipes would give other bits than before.
    private const string Version = "2";

    private const string WithHeads = "the benchmarks of head measure the library of every arm (--benchmarks head)";

    /// <summary>The MSBuild file that goes into every project of a build; it travels inside the runner.</summary>
    private static readonly string Targets = EmbeddedText.Read("perf-lab.build.targets");

    /// <summary>The one that goes into those with several target frameworks.</summary>
    private static readonly string Frameworks = EmbeddedText.Read("perf-lab.frameworks.targets");

    private readonly BuildStore _store = new(storeFolder);
    private readonly ConcurrentDictionary<string, SemaphoreSlim> _oneAtATime = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, CliResult> _sdks = new(StringComparer.Ordinal);
    private int _publishes;

    /// <summary>Where a store has the bits of each build, in a folder of their own.</summary>
    public static string BitsOf(string storeFolder) => BuildStore.BitsOf(storeFolder);

    /// <summary>
    /// Absolute path of the kit's project file, which workloads outside the repository get as the property <c>PerfLabKit</c>.
    /// </summary>
    public string? KitProject { get; init; }

    /// <summary>Absolute path of the project file of the program that runs benchmarks of BenchmarkDotNet; it lies beside the kit.</summary>
    private string? Driver => KitProject is null ? null
        : Path.GetFullPath(Path.Combine(Path.GetDirectoryName(KitProject)!, "..", "benchmark-driver", "PerfLab.BenchmarkDriver.csproj"));

    /// <summary>Builds recipes of kind docker; null where there is no engine, which makes them unavailable.</summary>
    public Func<BuildRecipe, CancellationToken, Task<BuildResult>>? DockerfileBuild { get; init; }

    /// <summary>
    /// The versions that a package has in the configured sources and in folders of packages, the newest first: for the words about one that
    /// is missing. Empty where nobody can say.
    /// </summary>
    public Func<string, IReadOnlyList<string>, IReadOnlyList<string>> VersionsThereAre { get; init; } = (_, _) => [];

    /// <summary>How often the SDK was really asked to publish.</summary>
    public int Publishes => _publishes;

    /// <summary>
    /// Builds the recipe, or finds what an earlier build of it gave. What can't be built is a result; exceptions are bugs, a missing SDK or
    /// a full disk.
    /// </summary>
    public Task<BuildResult> BuildAsync(BuildRecipe recipe, CancellationToken cancellationToken) => recipe.Kind switch
    {
        _ when !Directory.Exists(recipe.Folder) => Failed($"the workload's folder {recipe.Folder} does not exist. "
            + "A commit from before it was added can't be measured with it: name a later one, or bring the branch up to date with the default branch."),
        BuildKind.Dotnet when !File.Exists(Path.Combine(recipe.Folder, recipe.Project ?? "")) =>
            Failed($"{recipe.Workload}: there is no {recipe.Project} in {recipe.Folder}; build.project in its workload.yaml names it."),
        BuildKind.Dotnet when recipe.IsBenchmarkDotNet && !File.Exists(Driver) =>
            Failed($"{recipe.Workload}: the program that runs benchmarks is not at {Driver}; PERF_LAB_KIT names the kit of a whole checkout of perf-lab."),
        BuildKind.Dotnet => PublishOnceAsync(recipe, cancellationToken),
        BuildKind.None => Task.Run(() => FolderBuild.Copy(recipe.Folder, _store, cancellationToken), cancellationToken),
        BuildKind.Command => Task.Run(() => CommandBuild.Of(recipe), cancellationToken),
        BuildKind.Docker when DockerfileBuild is not null => DockerfileBuild(recipe, cancellationToken),
        BuildKind.Docker => Task.FromResult(new BuildResult(null, $"{recipe.Workload} is built by a Dockerfile, which needs a Docker engine; start one and use --executor docker.", null)),
        _ => throw new ArgumentOutOfRangeException(nameof(recipe), recipe.Kind, "unknown kind of build"),
    };

    private async Task<BuildResult> PublishOnceAsync(BuildRecipe recipe, CancellationToken cancellationToken)
    {
        var sdk = await SdkAsync(FolderFor(recipe), cancellationToken);
        if (PinnedSdk.NotFound(sdk) is { } pinned)
        {
            return new BuildResult(null, pinned.ToString(), null);
        }

        var key = BuildKey.Of(recipe, [Version, Targets, Frameworks, sdk.ExitCode == 0 ? sdk.Output.Trim() : "no SDK", KitProject ?? ""]);
        var gate = _oneAtATime.GetOrAdd(key, _ => new SemaphoreSlim(1));
        await gate.WaitAsync(cancellationToken);
        try
        {
            var result = _store.Find(key) is { } known ? new BuildResult(known.Build, null, null) { Notes = known.Notes }
                : await PublishAsync(recipe, key, cancellationToken);
            result = recipe.Benchmarks is null ? result : result with { Notes = [.. result.Notes, WithHeads] };
            result = recipe.Snippet is null ? result : result with { Notes = [.. result.Notes, SnippetFile.Note(recipe.Snippet)] };
            return recipe.CurrentSdk ? result with { Notes = [.. result.Notes, .. await NotItsSdkAsync(recipe, sdk, cancellationToken)] } : result;
        }
        finally
        {
            gate.Release();
        }
    }

    private async Task<CliResult> SdkAsync(string folder, CancellationToken cancellationToken)
    {
        if (!_sdks.TryGetValue(folder, out var said))
        {
            _sdks[folder] = said = await dotnet.RunAsync(["--version"], folder, cancellationToken);
        }

        return said;
    }

    /// <summary>Said only where the sources ask for another: else it is their own.</summary>
    private async Task<IReadOnlyList<string>> NotItsSdkAsync(BuildRecipe recipe, CliResult used, CancellationToken cancellationToken)
    {
        var own = await SdkAsync(recipe.Folder, cancellationToken);
        var asked = PinnedSdk.NotFound(own)?.Version ?? (own.ExitCode == 0 ? own.Output.Trim() : null);
        var built = used.Output.Trim();
        return asked is null || asked == built ? []
            : [$"its global.json asks for SDK {asked}, and it was built with {built} (--sdk current)"];
    }

    private static string FolderFor(BuildRecipe recipe) => recipe.CurrentSdk ? DotnetCli.BelowNoGlobalJson : recipe.Folder;

    private static string Told(string? advice) => advice is null ? "" : "\n" + advice;

    private static Task<BuildResult> Failed(string why) => Task.FromResult(new BuildResult(null, null, why));

    /// <summary>Null for the program as it is.</summary>
    private static int? LayoutOf(BuildRecipe recipe) =>
        recipe.Properties.TryGetValue(Recipes.LayoutProperty, out var text)
        && int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;

    /// <summary>A project may give its program another name than its own; then its .deps.json is the only one.</summary>
    private static string ProgramOf(BuildRecipe recipe, string output)
    {
        var expected = Path.GetFileNameWithoutExtension(recipe.IsBenchmarkDotNet ? BenchmarkCases.Program[2..] + ".dll" : recipe.Project!);
        return File.Exists(Path.Combine(output, expected + ".deps.json")) ? expected
            : Directory.EnumerateFiles(output, "*.deps.json").Select(file => Path.GetFileName(file)[..^".deps.json".Length])
                .FirstOrDefault() ?? expected;
    }

    private static PackageChoice PackagesOf(BuildRecipe recipe) =>
        PackageChoice.Of(recipe.Properties.GetValueOrDefault(Recipes.PackagesProperty));

    private async Task<BuildResult> PublishAsync(BuildRecipe recipe, string key, CancellationToken cancellationToken)
    {
        using var unfinished = _store.NewUnfinished();
        var packages = PackagesOf(recipe);
        var paths = new PublishPaths(unfinished.Sub("app"), unfinished.Sub("artifacts"), unfinished.Sub("inputs.txt"),
            unfinished.Sub("perf-lab.build.targets"), unfinished.Sub("perf-lab.frameworks.targets"), KitProject, Driver)
        {
            Snippet = recipe.Snippet is null ? null : unfinished.Sub(SnippetFile.Name),
            Layout = LayoutOf(recipe) is null ? null : unfinished.Sub("layout.cs"),
            Packages = packages.Versions.Count == 0 ? null : unfinished.Sub("packages.targets"),
        };
        await File.WriteAllTextAsync(paths.Targets, Targets, cancellationToken);
        await File.WriteAllTextAsync(paths.Frameworks, Frameworks, cancellationToken);
        if (paths.Layout is { } file)
        {
            await File.WriteAllTextAsync(file, LayoutSource.Of(LayoutOf(recipe)!.Value), cancellationToken);
        }

        if (paths.Snippet is { } snippet)
        {
            await File.WriteAllTextAsync(snippet, recipe.Snippet, cancellationToken);
        }

        if (paths.Packages is { } targets)
        {
            await File.WriteAllTextAsync(targets, PackageTargets.Of(packages), cancellationToken);
        }

        var started = DateTime.UtcNow;
        Interlocked.Increment(ref _publishes);
        var run = await dotnet.RunAsync(PublishCommand.For(recipe, paths), FolderFor(recipe), cancellationToken);
        var around = new PackageSurroundings
        {
            Versions = id => VersionsThereAre(id, recipe.Feeds),
            NeededBy = id => RestoredGraph.NeededBy(paths.Artifacts, id),
        };
        if (RestoreProblems.Explain(run.Output, recipe, around) is { } unavailable)
        {
            return new BuildResult(null, unavailable, null);
        }

        if (run.ExitCode != 0)
        {
            var said = SnippetFile.Shortened(run.Output, paths.Snippet);
            return new BuildResult(null, null,
                CompileErrors.Explain(said, recipe, _store.KeepLog(key, run.Output)) + Told(Submodules.Advice(recipe.Folder)));
        }

        if (paths.Packages is not null && PublishedPackages.Problem(
            paths.Output, ProgramOf(recipe, paths.Output), packages, BuildInputs.Packages(paths.Inputs)) is { } problem)
        {
            return new BuildResult(null, null, $"{recipe.Workload}, {problem}");
        }

        if (BuildInputs.Benchmarks(paths.Inputs) is { } benchmarks)
        {
            RuntimeConfig.TakeOver(paths.Output, benchmarks);
        }

        var inputs = BuildInputs.Read(paths.Inputs, recipe.Source, [unfinished.Path, PackageFolder.Global()]);
        var build = _store.KeepBits(paths.Output, needsShell: false);
        var hash = inputs.Hash();
        var replaced = RestoreProblems.Replaced(run.Output);
        if (inputs.LastWriteUtc() < started)
        {
            // Otherwise somebody saved a file meanwhile: these bits are good for now, but nobody knows which version of it they hold.
            _store.Remember(key, new KnownBuild(build.Identity, inputs, hash) { Notes = replaced is [] ? null : replaced });
        }

        return new BuildResult(build, null, null) { Notes = replaced };
    }
}
