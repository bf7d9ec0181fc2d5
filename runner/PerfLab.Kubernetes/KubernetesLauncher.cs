using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Docker.Images;
using PerfLab.Launching;

namespace PerfLab.Kubernetes;

/// <summary>
/// Launches each arm as a job of a Kubernetes cluster, through kubectl: each node of a launch is a sealed pod with cores of its own.
/// </summary>
public sealed class KubernetesLauncher : ILauncher
{
    private readonly ClusterSettings cluster;
    private readonly Kubectl kubectl;
    private readonly ClusterPaths paths;
    private readonly Func<Build, CancellationToken, Task<string>> bring;
    private readonly LaunchFolder folder;
    private readonly ClusterEntry entry;
    private readonly string instance = Guid.NewGuid().ToString("n")[..10];
    private readonly Dictionary<string, string> imageOfBuild = new(StringComparer.Ordinal);
    private readonly NodePlaces places;
    private readonly LaunchWarnings warnings = new();
    private readonly string scratch;
    private IReadOnlyList<LaunchSpec> shapes = [];
    private JsonObject? version;
    private int count;

    /// <param name="storeFolder">Absolute path of a folder of ours (".perf-lab").</param>
    public KubernetesLauncher(ClusterSettings cluster, string storeFolder)
        : this(cluster, storeFolder, new Kubectl(cluster.Context))
    {
    }

    /// <param name="bring">Brings a build to the cluster's nodes and gives its image's name; null: as the settings say.</param>
    internal KubernetesLauncher(
        ClusterSettings cluster, string storeFolder, Kubectl kubectl, Func<Build, CancellationToken, Task<string>>? bring = null)
    {
        (this.cluster, this.kubectl) = (cluster, kubectl);
        paths = new ClusterPaths(cluster.Namespace);
        entry = new ClusterEntry(cluster, kubectl, paths);
        this.bring = bring ?? new BuildDelivery(cluster, storeFolder).BringAsync;
        scratch = Path.Combine(storeFolder, "tmp");
        folder = new LaunchFolder(Path.Combine(scratch, "pods-" + instance));
        places = new NodePlaces(Sleep);
    }

    public string Executor => "kubernetes";

    public bool MeasuresHere => false;

    internal NodePlaces Places => places;

    public IReadOnlyList<string> Warnings => warnings.All;

    /// <exception cref="LabException">The cluster does not answer.</exception>
    public async Task<JsonObject> DescribeAsync(CancellationToken cancellationToken) => new()
    {
        ["executor"] = Executor,
        ["kubernetes"] = (await VersionAsync(cancellationToken))["serverVersion"]?["gitVersion"]?.DeepClone(),
        ["kubectl"] = version!["clientVersion"]?["gitVersion"]?.DeepClone(),
        ["namespace"] = cluster.Namespace,
    };

    public IReadOnlyList<Problem> Problems(RunPlan plan)
    {
        var problems = new List<Problem>(ScriptPrograms.Missing(plan));
        if (cluster.Deliver.Count == 0)
        {
            problems.Add(new(
                $"{LabConfig.FileName}: kubernetes.deliver", "nothing says how the image of a build comes to the nodes of the cluster.",
                "deliver: [skopeo, copy, \"docker-archive:{archive}\", \"docker://{image}\"] (docs/operations.md)."));
        }

        if (plan.Cells.SelectMany(cell => cell.Arms).FirstOrDefault(arm => arm.Recipe.Kind == BuildKind.Docker) is { } arm)
        {
            problems.Add(new(
                "--executor", $"{arm.Recipe.Workload} is built from a Dockerfile, whose image is in an engine and not in the cluster.",
                "Take --executor docker."));
        }

        return problems;
    }

    /// <exception cref="LabException">The cluster does not answer, forbids what is needed, or a build does not get there.</exception>
    public async Task PrepareAsync(IReadOnlyCollection<Build> builds, CancellationToken cancellationToken)
    {
        await VersionAsync(cancellationToken);
        await entry.RefuseWithoutRightsAsync(cancellationToken);
        await entry.TryJobAsync(instance, cancellationToken);
        await entry.RemoveDeadAsync(cancellationToken);
        if (!await entry.HasPolicyAsync(cancellationToken))
        {
            warnings.Add($"The namespace {cluster.Namespace} has no NetworkPolicy {ClusterEntry.Policy} (docs/operations.md): "
                + "launches could reach the cluster's network.");
        }

        warnings.Add("The table of the machine describes where the lab runs; launches ran on nodes of a cluster, "
            + "which the journal names (outside.node).");
        warnings.Add("The number of processes of a pod is limited by its node's own setting only (podPidsLimit), not by the manifest's.");
        foreach (var build in builds.Where(build => !imageOfBuild.ContainsKey(build.Identity)))
        {
            imageOfBuild[build.Identity] = await bring(build, cancellationToken);
        }
    }

    /// <summary>The scheduler finds nodes for the largest launch of the plan; they are this launcher's until it is disposed.</summary>
    public async Task PlaceAsync(RunPlan plan, CancellationToken cancellationToken)
    {
        shapes = imageOfBuild.Count == 0 ? [] : LaunchShapes.Of(plan);
        await FindAsync(cancellationToken);
    }

    public async Task<LaunchEnd> LaunchAsync(LaunchSpec launch, CancellationToken cancellationToken)
    {
        if (!imageOfBuild.TryGetValue(launch.Build.Identity, out var image))
        {
            throw new InvalidOperationException($"Build {launch.Build.Identity} was launched without being prepared.");
        }

        if (places.Lost is { } lost)
        {
            // Base may have run there: the round is void, and both run elsewhere.
            await places.ForgetAsync();
            folder.Renew([]);
            var none = folder.ResultFileOf(LaunchPart.Only);
            return new() { How = EndKind.KilledFromOutside, WallSeconds = 0, Reason = lost, ResultFile = none };
        }

        await FindAsync(cancellationToken);
        var id = NewId();
        var door = new ClusterDoor(kubectl, paths, folder, program => Place(id, image, places.Of(program), cluster));
        // Base and head in turn on the same node: the first launch decides which.
        var one = new ClusterLaunch(door, launch, id) { Runs = (program, pod) => places.Saw(program, pod.Machine ?? "") };
        var end = await one.RunAsync(cancellationToken);
        if (end.How is EndKind.KilledFromOutside or EndKind.EngineGone)
        {
            // Its round is void and begins anew, whole: elsewhere, where the node is gone.
            await places.ForgetAsync();
        }

        foreach (var evidence in end.Nodes.Count == 0 ? [end.Evidence] : end.Nodes.Select(node => node.End.Evidence))
        {
            warnings.Read(evidence, launch.Resources.Cpus);
        }

        return end;
    }

    /// <summary>For launches at the same time, on other nodes: of the same builds, which are where nodes find them.</summary>
    public KubernetesLauncher Beside()
    {
        var other = new KubernetesLauncher(cluster, Path.GetDirectoryName(scratch)!, kubectl, bring) { version = version };
        foreach (var (build, image) in imageOfBuild)
        {
            other.imageOfBuild[build] = image;
        }

        return other;
    }

    /// <summary>Waits until the API server answers and nothing of this launcher is left.</summary>
    public async Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        deadline.CancelAfter(patience);
        try
        {
            while (!await entry.TryCleanAsync(instance, deadline.Token))
            {
                await Task.Delay(TimeSpan.FromSeconds(1), deadline.Token);
            }

            return true;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return false;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await places.DisposeAsync();
        if (count > 0)
        {
            using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(20));
            try
            {
                await WaitUntilReadyAsync(TimeSpan.FromSeconds(20), patience.Token);
            }
            catch (OperationCanceledException)
            {
                // The cluster removes the rest after its deadline.
            }
        }

        folder.Dispose();
    }

    private async Task FindAsync(CancellationToken cancellationToken)
    {
        foreach (var shape in shapes)
        {
            if (await places.FindAsync(shape, cancellationToken) is { } failed)
            {
                await places.ForgetAsync();
                var cores = Counted.Of(shape.Resources.Cpus, "core");
                throw new NoPlaceException(
                    $"finding a node for launches of {cores} in namespace {cluster.Namespace}",
                    failed.Reason ?? "no node takes them",
                    "docs/operations.md has what helps (\"A cluster for launches\"); --wait 30m waits for a node that another session has, "
                        + "and the same command goes on where it stopped");
            }

            await places.RenewAsync(shape, cancellationToken);
        }
    }

    /// <summary>Starts a launch that sleeps, in the pools or on a node that is known.</summary>
    private SleepingLaunch Sleep(LaunchSpec shape, string? machine)
    {
        var (id, image) = (NewId(), imageOfBuild.Values.First());
        var where = machine is null ? cluster : cluster with { Pool = [], Pools = [] };
        return new(new(kubectl, paths, new LaunchFolder(Path.Combine(scratch, id)), _ => Place(id, image, machine, where)), shape, id);
    }

    private string NewId() => Invariant($"pl-{instance}-{Interlocked.Increment(ref count)}");

    private PodPlace Place(string id, string image, string? machine, ClusterSettings where) =>
        new(id, instance, entry.Self.Label, image, machine, where);

    private async Task<JsonObject> VersionAsync(CancellationToken cancellationToken) =>
        version ??= await entry.VersionAsync(cancellationToken);
}
