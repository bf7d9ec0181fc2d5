using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching;

namespace PerfLab.Kubernetes;

/// <summary>What a session asks its cluster before it brings anything there, and what it leaves; refusals are errors for people.</summary>
internal sealed class ClusterEntry(ClusterSettings cluster, Kubectl kubectl, ClusterPaths paths)
{
    public const string Policy = "perf-lab-sealed";

    /// <summary>Who makes jobs: written on them, so that others see whether it still lives.</summary>
    public Owner Self { get; } = Owner.ThisProcess();

    private string Where => $"namespace {cluster.Namespace}{(cluster.Context is { } context ? $" of {context}" : "")}";

    /// <exception cref="LabException">Nobody answers.</exception>
    public Task<JsonObject> VersionAsync(CancellationToken cancellationToken) => TryAsync(async () =>
    {
        var answer = await kubectl.CallAsync("asking the cluster's version", ["version", "--output=json"], null, cancellationToken);
        return Kubectl.Answer.Read(answer).Value ?? [];
    });

    /// <exception cref="LabException">A right is missing; all are named.</exception>
    public async Task RefuseWithoutRightsAsync(CancellationToken cancellationToken)
    {
        var missing = await TryAsync(() => ClusterRights.MissingAsync(kubectl, cluster.Namespace, cancellationToken));
        if (missing.Count > 0)
        {
            throw new LabException(
                $"looking whether this login may launch in {Where}", $"the API server forbids it to {string.Join(", ", missing)}",
                "give it the Role of docs/operations.md");
        }
    }

    /// <summary>
    /// All that the API server itself would refuse of a job, before anything is built into an image: no namespace, one that ends, a policy.
    /// </summary>
    /// <exception cref="LabException">It was refused.</exception>
    public Task TryJobAsync(string instance, CancellationToken cancellationToken)
    {
        var trial = new LaunchSpec
        {
            Session = "trial",
            Build = new("sha256:" + new string('0', 64), "/", NeedsShell: true),
            Command = ["true"],
            Environment = [],
            Resources = new(1, 64 << 20, 1),
            Timeout = TimeSpan.FromSeconds(1),
        };
        var place = new PodPlace($"pl-{instance}-0", instance, Self.Label, cluster.Image + ":trial", null, cluster);
        var job = LaunchJob.From(trial, LaunchPart.Of(trial)[0], place);
        return TryAsync(() => kubectl.CreateAsync(
            "making a job, only to see whether it would be let in", paths.TryJob, job, cancellationToken));
    }

    /// <summary>Jobs of processes that are gone. The cluster would end them, too, but later.</summary>
    /// <exception cref="LabException">The API server refused.</exception>
    public Task RemoveDeadAsync(CancellationToken cancellationToken) => TryAsync(async () =>
    {
        var jobs = await kubectl.GetAsync("listing jobs", paths.JobsOf(LaunchJob.Ours), cancellationToken);
        foreach (var metadata in (jobs["items"] as JsonArray ?? []).Select(job => job?["metadata"]))
        {
            var age = DateTimeOffset.TryParse(metadata?["creationTimestamp"]?.ToString(), CultureInfo.InvariantCulture, out var made)
                ? TimeProvider.System.GetUtcNow() - made : TimeSpan.Zero;
            if (metadata?["labels"]?["perf-lab/instance"]?.ToString() is { } other
                && Self.IsDead(metadata["annotations"]?[LaunchJob.OwnerAnnotation]?.ToString(), age, pid => ProcessStat.Of(pid)?.Started))
            {
                await kubectl.DeleteAsync(
                    "removing jobs of a dead session", paths.DeleteJobs(LaunchJob.OfInstance(other)), cancellationToken);
            }
        }

        return jobs;
    });

    /// <summary>Asks the jobs of a session to go; true when none is left.</summary>
    public async Task<bool> TryCleanAsync(string instance, CancellationToken cancellationToken)
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

    /// <summary>Whether the namespace has the network policy that comes with it; whether the cluster enforces it can't be seen.</summary>
    public Task<bool> HasPolicyAsync(CancellationToken cancellationToken) => TryAsync(async () =>
    {
        try
        {
            await kubectl.GetAsync("looking for the namespace's network policy", paths.NetworkPolicy(Policy), cancellationToken);
            return true;
        }
        catch (ClusterException absent) when (absent.Reason == "NotFound")
        {
            return false;
        }
    });

    /// <summary>What went wrong, as a sentence for people with what to do.</summary>
    private async Task<T> TryAsync<T>(Func<Task<T>> ask)
    {
        try
        {
            return await ask();
        }
        catch (ClusterException failure)
        {
            throw new LabException($"{failure.Asked} in {Where}", failure.Said, (failure.Fault, failure.Reason) switch
            {
                (ClusterFault.NoKubectl, _) => "install kubectl and put it on the PATH, or take --executor docker",
                (ClusterFault.Refused, "Forbidden") =>
                    "give this login the Role of docs/operations.md, or wait until the namespace is there again",
                (ClusterFault.Refused, "NotFound") => "make the namespace with what belongs into it (docs/operations.md)",
                (ClusterFault.Refused, _) => "change what the API server names; docs/operations.md says what a namespace needs",
                _ => "see that `kubectl version` answers here (KUBECONFIG, the login, `kubernetes: { context: … }` in perf-lab.yaml)",
            });
        }
    }
}
