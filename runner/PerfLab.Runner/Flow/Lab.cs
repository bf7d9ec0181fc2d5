using PerfLab.Building.Manifests;
using PerfLab.Building.Runtimes;
using PerfLab.Building.Tools;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Docker.Images;
using PerfLab.Launching.Docker;
using PerfLab.Launching;
using PerfLab.Machine.Watching;
using PerfLab.Programs;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>The wiring: configuration, store, builders and executors of one checkout.</summary>
internal sealed class Lab
{
    private Lab(Terminal terminal, LabConfig config)
    {
        (Terminal, Config) = (terminal, config);
        Dotnet = new DotnetCli();
        Executors = new Executors(config, terminal);
    }

    public Terminal Terminal { get; }

    public LabConfig Config { get; }

    public DotnetCli Dotnet { get; }

    public Executors Executors { get; }

    public static Lab Open(Terminal terminal)
    {
        var problems = new List<Problem>();
        var config = LabConfig.Read(terminal.Root, problems);
        WrongUseException.ThrowIfAny(problems);
        BringUp(config!, terminal);
        KeepOutOfGit(config!.Store);
        return new(terminal, config);
    }

    private static void BringUp(LabConfig config, Terminal terminal)
    {
        try
        {
            if (config.Root == InstalledLab.Folder && InstalledLab.BringUp(config.Store))
            {
                terminal.Say($"what perf-lab kept in {config.Store}/.perf-lab is in {config.Store} now");
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            terminal.Say($"{config.Store}/.perf-lab can't be brought up to {config.Store}: {exception.Message}");
        }
    }

    /// <summary>The store holds builds and sessions: no repository of anybody's shall offer to commit them.</summary>
    private static void KeepOutOfGit(string store)
    {
        var path = Path.Combine(store, ".gitignore");
        if (File.Exists(path))
        {
            return;
        }

        try
        {
            Directory.CreateDirectory(store);
            File.WriteAllText(path, "*\n");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Whoever may not write here may still list and report; what needs the store says so itself.
        }
    }

    /// <summary>The folder that was named, from where the person stands, or a new one in the store.</summary>
    public string SessionFolderAt(string? named) => named is null
        ? Path.Combine(Config.Store, "sessions", SessionFolder.NewId(Terminal.Clock))
        : Path.Combine(Terminal.WorkingFolder, named);

    /// <summary>Which runtimes can be had, from the configured sources and these folders of packages.</summary>
    public RuntimeCatalog Runtimes(IReadOnlyList<string> feeds, CancellationToken stop = default) =>
        new(BuildStoreFolder, Dotnet, Terminal.Clock) { Feeds = feeds, Stop = stop, Say = Terminal.Say };

    /// <summary>The same for a request.</summary>
    public RuntimeCatalog Runtimes(BenchmarkRequest request, CancellationToken stop = default)
    {
        return new(BuildStoreFolder, Dotnet, Terminal.Clock)
        {
            Feeds = request.Feeds,
            SameIl = request.SameIl,
            CurrentSdk = request.CurrentSdk,
            Stop = stop,
            Say = Terminal.Say,
        };
    }

    /// <summary>Builds what <paramref name="launcher"/> can launch.</summary>
    public Builder BuilderFor(ILauncher launcher) => new(BuildStoreFolder, Dotnet)
    {
        KitProject = Kit,
        VersionsThereAre = VersionsOf,
        DockerfileBuild = launcher is DockerLauncher ? BuildDockerfileAsync : null,
    };

    /// <summary>Builds apart from those that are kept; no Dockerfiles.</summary>
    /// <param name="folder">Of its store.</param>
    public Builder BuilderAt(string folder) => new(folder, Dotnet) { KitProject = Kit, VersionsThereAre = VersionsOf };

    private IReadOnlyList<string> VersionsOf(string package, IReadOnlyList<string> feeds) => Runtimes(feeds).VersionsOf(package);

    /// <summary>The launcher names the kit of its own checkout, and a workflow that of where it unpacked perf-lab.</summary>
    private string? Kit =>
        Environment.GetEnvironmentVariable("PERF_LAB_KIT") ?? InstalledLab.KitProject ?? InstalledLab.KitBelow(Config.Root);

    private async Task<BuildResult> BuildDockerfileAsync(BuildRecipe recipe, CancellationToken cancellationToken)
    {
        using var engine = new EngineClient(EngineEndpoint.FromEnvironment(), new EngineDeadlines());
        return await new DockerfileBuilder(engine, Config.Store).BuildAsync(recipe.Folder, recipe.Dockerfile!, recipe.Properties, cancellationToken);
    }

    /// <summary>Cores that the machine's owner keeps for workloads, in the kernel's list form; null when nobody split it.</summary>
    public string? WorkloadCpus => new MachineInspection { Time = Terminal.Clock, Store = Config.Store }.WorkloadCpus;

    /// <exception cref="WrongUseException">Something of the plan could never be launched here.</exception>
    public void RequireLaunchable(ILauncher launcher, RunPlan plan) =>
        WrongUseException.ThrowIfAny(LaunchProblems.Of(launcher, plan, MachineRoom.Now(WorkloadCpus)));

    public string BuildStoreFolder => OldBuilds.StoreOf(Config);
}
