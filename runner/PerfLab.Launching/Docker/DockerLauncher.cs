using System.Collections.Concurrent;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Docker.Images;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Docker;

/// <summary>Launches each arm in a fresh sealed container of a Docker engine on this machine.</summary>
public sealed partial class DockerLauncher : ILauncher
{
    private readonly EngineClient _engine;
    private readonly ImageStore _images;
    private readonly BaseImages _bases;
    private readonly Leftovers _leftovers;
    private readonly DockerSettings _settings;
    private readonly Owner _self = Owner.ThisProcess();
    private readonly string _instance = Guid.NewGuid().ToString("n")[..12];
    private readonly Dictionary<string, string> _imageOfBuild = new(StringComparer.Ordinal);
    private readonly Dictionary<string, IReadOnlyList<string>> _environmentOfBuild = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, byte> _warnings = new(StringComparer.Ordinal);
    private readonly DockerNodes _nodes;
    private readonly DockerTurns _turns;
    private OutHome? _home;
    private OutVolumes? _outs;
    private EngineFacts? _facts;
    private int _count;

    /// <exception cref="FormatException">DOCKER_HOST names a way that perf-lab does not speak.</exception>
    public DockerLauncher(DockerSettings settings)
    {
        _settings = settings;
        _engine = new EngineClient(settings.Endpoint ?? EngineEndpoint.FromEnvironment(), settings.Deadlines);
        _bases = BaseImages.Of(new(settings.StoreFolder, settings.BaseImage, settings.BasePack, settings.Say), _engine);
        _images = new ImageStore(settings.StoreFolder, _engine, _bases);
        _leftovers = new Leftovers(_engine, _self, TimeProvider.System);
        _nodes = new DockerNodes(NewName, LaunchOneAsync, (place, file, token) => _outs!.HasAsync(place, file, token));
        _turns = new DockerTurns(_engine, NewName, LaunchOneAsync);
    }

    public string Executor => "docker";

    public bool TakesTurns => true;

    /// <summary>Complete after <see cref="PrepareAsync"/>; the first launch may add what the engine warns of.</summary>
    public IReadOnlyList<string> Warnings => [.. _warnings.Keys.Order(StringComparer.Ordinal)];

    /// <summary>Image id of a prepared build, for comparing with other ways to launch it.</summary>
    internal string ImageOf(Build build) => _imageOfBuild[build.Identity];

    private string NamePrefix => $"perf-lab-{_instance}-";

    private string OwnerLabel => $"{_self.Label}/{_instance}";

    /// <exception cref="EngineException">The engine does not answer as one.</exception>
    public async Task<JsonObject> DescribeAsync(CancellationToken cancellationToken) =>
        (await FactsAsync(cancellationToken)).ToJson();

    /// <summary>Gets the bases that builds of a plan stand on, before anything is built; without a plan that of .NET programs.</summary>
    /// <returns>For people: where they are from.</returns>
    /// <exception cref="BaseImageMissingException">One can't be had; the message says what was tried and what to do.</exception>
    /// <exception cref="EngineException">The engine does not answer as one.</exception>
    public async Task<string> EnsureBasesAsync(RunPlan? plan, CancellationToken cancellationToken)
    {
        var from = new List<string>();
        foreach (var kind in plan is null ? [BaseKind.Minimal] : BaseImages.KindsOf(plan))
        {
            from.Add((await _bases.GetAsync(kind, cancellationToken)).From);
        }

        return string.Join(", ", from.Distinct(StringComparer.Ordinal));
    }

    /// <summary>Whether the bases that a plan's builds stand on are kept here, so that none has to be made or pulled.</summary>
    public bool HasBases(RunPlan plan) => BaseImages.KindsOf(plan).All(_bases.Keeps);

    /// <remarks>An image that somebody named may hold anything.</remarks>
    public IReadOnlyList<Problem> Problems(RunPlan plan) => _settings.BaseImage is null ? ScriptPrograms.Missing(plan) : [];

    /// <exception cref="EngineException">The engine does not answer as one.</exception>
    /// <exception cref="BaseImageMissingException">No base image can be had; the message says what to do.</exception>
    public async Task PrepareAsync(IReadOnlyCollection<Build> builds, CancellationToken cancellationToken)
    {
        var facts = await FactsAsync(cancellationToken);
        AddWarnings(facts.Warnings(_engine.Endpoint));
        await _leftovers.RemoveDeadAsync(cancellationToken);
        _home ??= new OutHome(_settings.StoreFolder, _self);
        var keeper = await _images.EnsureKeeperAsync(cancellationToken);
        _outs ??= new OutVolumes(_engine, keeper, _home, OwnerLabel, NewName);
        foreach (var build in builds.DistinctBy(build => build.Identity, StringComparer.Ordinal))
        {
            var image = _imageOfBuild[build.Identity] = await _images.EnsureAsync(build, cancellationToken);
            if (build.Image is not null)
            {
                _environmentOfBuild[build.Identity] = (await _engine.InspectImageAsync(image, cancellationToken))?.Environment ?? [];
            }
        }

        await new UnusedImages(_engine, TimeProvider.System, _settings.Say).RemoveAsync([keeper, .. _imageOfBuild.Values], cancellationToken);
    }

    public async Task<LaunchEnd> LaunchAsync(LaunchSpec launch, CancellationToken cancellationToken)
    {
        var place = PlaceOf(launch);
        try
        {
            var outs = await _outs!.TakeAsync(launch.Session, Math.Max(1, launch.Nodes.Count), cancellationToken);
            return launch.Nodes.Count > 0 ? await _nodes.LaunchAsync(launch, place, outs, cancellationToken)
                : await LaunchOneAsync(launch, place with { Out = outs[0] }, NewName(), null, cancellationToken);
        }
        catch (EngineException failure)
        {
            return Lost(failure);
        }
    }

    public async Task<TurnsEnd> LaunchInTurnsAsync(TurnsSpec round, CancellationToken cancellationToken)
    {
        var places = round.Arms.Select(PlaceOf).ToList();
        try
        {
            var outs = await _outs!.TakeAsync(round.Arms[0].Session, places.Count, cancellationToken);
            return await _turns.LaunchAsync(
                round, [.. places.Zip(outs, (place, volume) => place with { Out = volume })], _home!, cancellationToken);
        }
        catch (EngineException failure)
        {
            return new([.. places.Select(_ => new TurnsArm(Lost(failure), null, null))], null);
        }
    }

    private LaunchEnd Lost(EngineException failure) =>
        LaunchEnd.NotStarted(Path.Combine(StoreFiles.ResultsOf(_settings.StoreFolder), ContainerSpec.ResultFileName), failure.Message) with
        {
            How = failure.EngineAnswered ? EndKind.NotStarted : EndKind.EngineGone,
        };

    /// <summary>Where a launch will be, but for its volume.</summary>
    private ContainerPlace PlaceOf(LaunchSpec launch)
    {
        if (_home is null || _outs is null || _facts is null || !_imageOfBuild.TryGetValue(launch.Build.Identity, out var image))
        {
            throw new InvalidOperationException($"Build {launch.Build.Identity} was launched without being prepared.");
        }

        var all = launch.Nodes.Count > 0 ? launch with { Resources = NodePrograms.Together(launch) } : launch;
        return new(image, launch.Cpus ?? ChooseCpus(all), null, _home.HostsFile, OwnerLabel);
    }

    private string NewName() => $"{NamePrefix}{Interlocked.Increment(ref _count)}";

    private async Task<LaunchEnd> LaunchOneAsync(
        LaunchSpec launch, ContainerPlace where, string name, Action? started, CancellationToken cancellationToken)
    {
        var cgroup = LaunchCgroup.For(name, _facts!.Info.CgroupDriver, _facts.Info.CgroupVersion);
        var place = where with
        {
            CgroupParent = cgroup?.Parent,
            ImageEnvironment = _environmentOfBuild.GetValueOrDefault(launch.Build.Identity, []),
        };
        var container = new ContainerLaunch(_engine, launch, place, name, _outs!.ReadAsync) { Started = started };
        try
        {
            var end = await container.RunAsync(cancellationToken);
            cgroup?.ReadInto(end.Evidence);
            end.Evidence["cpus"] = place.Cpus;
            return end;
        }
        finally
        {
            AddWarnings(container.Warnings);
            LaunchCgroup.Remove(name);
        }
    }

    private string ChooseCpus(LaunchSpec launch)
    {
        var online = CpuList.TryParse(_facts!.OnlineCpus, out var cpus) ? cpus : [];
        var chosen = CpuChoice.From(null, launch.Resources.Cpus, online).Choice!.Workload;
        var list = CpuList.Format(chosen);
        if (chosen.Count < launch.Resources.Cpus)
        {
            AddWarnings([$"The workload asks for {launch.Resources.Cpus} cores and gets {chosen.Count} (\"{list}\"): this machine has no more to give."]);
        }

        return list;
    }

    private async Task<EngineFacts> FactsAsync(CancellationToken cancellationToken) =>
        _facts ??= await EngineFacts.AskAsync(_engine, cancellationToken);

    private void AddWarnings(IEnumerable<string> warnings)
    {
        foreach (var warning in warnings)
        {
            _warnings.TryAdd(warning, 0);
        }
    }
}
