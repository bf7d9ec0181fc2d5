using System.Collections.Concurrent;
using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Docker.Images;
using PerfLab.Launching.Kubernetes.Calls;
using PerfLab.Launching.Kubernetes.Pods;

namespace PerfLab.Launching.Kubernetes;

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
    private readonly ConcurrentDictionary<string, string> machines = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, byte> warnings = new(StringComparer.Ordinal);
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
        folder = new LaunchFolder(Path.Combine(storeFolder, "tmp", "pods-" + instance));
    }

    public string Executor => "kubernetes";

    public bool MeasuresHere => false;

    public IReadOnlyList<string> Warnings => [.. warnings.Keys.Order(StringComparer.Ordinal)];

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
            Warn($"The namespace {cluster.Namespace} has no NetworkPolicy {ClusterEntry.Policy} (docs/operations.md): "
                + "launches could reach the cluster's network.");
        }

        Warn("The table of the machine describes where the lab runs; launches ran on nodes of a cluster, "
            + "which the journal names (outside.node).");
        Warn("The number of processes of a pod is limited by its node's own setting only (podPidsLimit), not by the manifest's.");
        foreach (var build in builds.DistinctBy(build => build.Identity, StringComparer.Ordinal))
        {
            imageOfBuild[build.Identity] = await bring(build, cancellationToken);
        }
    }

    public async Task<LaunchEnd> LaunchAsync(LaunchSpec launch, CancellationToken cancellationToken)
    {
        if (!imageOfBuild.TryGetValue(launch.Build.Identity, out var image))
        {
            throw new InvalidOperationException($"Build {launch.Build.Identity} was launched without being prepared.");
        }

        var id = Invariant($"pl-{instance}-{Interlocked.Increment(ref count)}");
        var door = new ClusterDoor(
            kubectl, paths, folder, node => new(id, instance, entry.Self.Label, image, machines.GetValueOrDefault(node), cluster));
        // Base and head in turn on the same node: the first launch decides which.
        var one = new ClusterLaunch(door, launch, id) { Runs = (node, pod) => machines.TryAdd(node, pod.Machine ?? "") };
        var end = await one.RunAsync(cancellationToken);
        if (end.How == EndKind.KilledFromOutside)
        {
            // Its round is void and begins anew, whole: elsewhere, where the node is gone.
            machines.Clear();
        }

        foreach (var evidence in end.Nodes.Count == 0 ? [end.Evidence] : end.Nodes.Select(node => node.End.Evidence))
        {
            WarnOf(evidence, launch.Resources.Cpus);
        }

        return end;
    }

    /// <summary>Waits until the API server answers and nothing of this launcher is left.</summary>
    public async Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        deadline.CancelAfter(patience);
        try
        {
            while (!await TryCleanAsync(deadline.Token))
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

    /// <summary>True when nothing is left.</summary>
    private async Task<bool> TryCleanAsync(CancellationToken cancellationToken)
    {
        try
        {
            var selector = LaunchJob.OfInstance(instance);
            var jobs = await kubectl.GetAsync("listing jobs", paths.JobsOf(selector), cancellationToken);
            if (jobs["items"] is JsonArray { Count: 0 })
            {
                return true;
            }

            await kubectl.DeleteAsync("removing jobs", paths.DeleteJobs(selector), cancellationToken);
            return false;
        }
        catch (ClusterException)
        {
            return false;
        }
    }

    private async Task<JsonObject> VersionAsync(CancellationToken cancellationToken) =>
        version ??= await entry.VersionAsync(cancellationToken);

    private void WarnOf(JsonObject evidence, int asked)
    {
        var node = evidence["node"]?.ToString() ?? "a node";
        if (CpuList.TryParse(evidence["cpus"]?.ToString() ?? "", out var cpus) && cpus.Count > asked)
        {
            Warn($"{node} does not pin pods to cores (cpuManagerPolicy is not static): "
                + $"launches asked for {asked} and could run on {cpus.Count}.");
        }

        if (evidence["throttledSeconds"] is JsonValue value && value.TryGetValue<double>(out var seconds) && seconds > 0)
        {
            Warn($"{node} throttled launches by a quota (throttledSeconds in the journal): "
                + "times are those of a program that was stopped again and again.");
        }
    }

    private void Warn(string warning) => warnings.TryAdd(warning, 0);
}
