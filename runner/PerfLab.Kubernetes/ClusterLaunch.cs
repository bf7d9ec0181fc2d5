using System.Diagnostics;
using PerfLab.Launching;

namespace PerfLab.Kubernetes;

/// <summary>What a launch needs of its launcher.</summary>
/// <param name="Place">Of each node of the launch, by its name.</param>
internal sealed record ClusterDoor(Kubectl Kubectl, ClusterPaths Paths, LaunchFolder Folder, Func<string, PodPlace> Place);

/// <summary>One launch from its jobs to their removal: a job for each node, all or none.</summary>
internal sealed class ClusterLaunch(ClusterDoor door, LaunchSpec launch, string id)
{
    private readonly IReadOnlyList<LaunchPart> parts = LaunchPart.Of(launch);
    private readonly Dictionary<string, string> seals = new(StringComparer.Ordinal);
    private readonly Stopwatch wall = new();

    private bool IsOne => launch.Nodes.Count == 0;

    private TimeSpan StartPatience => TimeSpan.FromSeconds(door.Place(parts[0].Node.Name).Cluster.StartSeconds);

    /// <summary>Called for each node when it runs: its name, and what the API server says of its pod.</summary>
    public Action<string, PodSight>? Runs { get; init; }

    /// <exception cref="OperationCanceledException">Cancelled; nothing of it is left.</exception>
    public async Task<LaunchEnd> RunAsync(CancellationToken cancellationToken)
    {
        door.Folder.Renew(parts.Select(part => part.Node.Name));
        wall.Start();
        await using var watch = new PodWatch(door.Kubectl, door.Paths.WatchPods(LaunchJob.OfLaunch(id)));
        var removal = new LaunchRemoval(door.Kubectl, door.Paths, id);
        LaunchEnd end;
        try
        {
            await CreateAsync(cancellationToken);
            end = await StartAsync(watch, cancellationToken)
                ?? (IsOne ? await FollowAsync(parts[0], watch, cancellationToken) : await SeveralAsync(watch, cancellationToken));
        }
        catch (ClusterException failure)
        {
            end = End(parts[^1], failure.Fault == ClusterFault.Refused ? EndKind.NotStarted : EndKind.EngineGone, failure.Message);
        }
        catch (OperationCanceledException)
        {
            await removal.RunAsync(watch);
            throw;
        }

        var kept = await removal.RunAsync(watch);
        return kept is null ? end : end with { How = EndKind.EngineGone, Reason = $"{end.Reason} {kept}".Trim() };
    }

    private async Task CreateAsync(CancellationToken cancellationToken)
    {
        var jobs = parts.Select(part =>
        {
            var job = LaunchJob.From(IsOne ? launch : NodePrograms.Of(launch, part.Node, ""), part, door.Place(part.Node.Name));
            seals[part.Node.Name] = PodSeal.Of(job, launch.Command.Count);
            return job;
        }).ToList();
        await Task.WhenAll(jobs.Select(job => door.Kubectl.CreateAsync("making a job", door.Paths.Jobs, job, cancellationToken)));
    }

    /// <summary>Null when all pods run; otherwise why one does not.</summary>
    private async Task<LaunchEnd?> StartAsync(PodWatch watch, CancellationToken cancellationToken)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(StartPatience);
        foreach (var part in parts)
        {
            var name = part.Node.Name;
            try
            {
                var pod = await watch.UntilAsync(
                    () => watch.Of(name) is { } seen && (seen.Runs || seen.End is not null) ? seen : null, patience.Token);
                if (pod.End is { } ended && !(IsOne && ended.How is EndKind.Exited or EndKind.OutOfMemory))
                {
                    return Spoiled(await EndedAsync(part, pod, ended, cancellationToken), name);
                }

                Runs?.Invoke(name, pod);
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                var waiting = watch.Of(name)?.Waiting ?? await NoPodAsync(part, cancellationToken);
                var reason = Invariant($"it did not run within {StartPatience.TotalSeconds:0} s: {waiting}");
                // A node that took launches before and takes none now is gone, or somebody else's: nothing that the launch could help.
                var how = door.Place(name).Machine is null ? EndKind.NotStarted : EndKind.KilledFromOutside;
                return Spoiled(End(part, how, reason), name);
            }
        }

        return null;
    }

    private LaunchEnd Spoiled(LaunchEnd end, string node) => IsOne ? end : end with { SpoiledBy = node };

    /// <summary>The job is there and has no pod: only an event says why.</summary>
    private async Task<string> NoPodAsync(LaunchPart part, CancellationToken cancellationToken)
    {
        try
        {
            var events = await door.Kubectl.GetAsync("reading events", door.Paths.EventsOf(LaunchJob.NameOf(id, part)), cancellationToken);
            return (events["items"] as JsonArray ?? []).Select(item => item?["message"]?.ToString()).LastOrDefault(text => text is not null)
                ?? "the cluster has made no pod for its job, and says nothing about it";
        }
        catch (ClusterException failure)
        {
            return $"the cluster has made no pod for its job ({failure.Message})";
        }
    }

    private async Task<LaunchEnd> SeveralAsync(PodWatch watch, CancellationToken cancellationToken)
    {
        var addresses = NodePrograms.Addresses(launch.Nodes,
            launch.Nodes.Select(node => Invariant($"{watch.Of(node.Name)!.Address}:{NodeVariables.FirstPort}")));
        var starts = parts.Select(part => new NodeStart(
            part.Node.Name, part.Node.Role, door.Folder.ResultFileOf(part.Node.Name),
            stop => ReleaseAsync(part, addresses, watch, stop), () => watch.Of(part.Node.Name)?.IsReady == true));
        return await new NodesLaunch([.. starts]).RunAsync(cancellationToken);
    }

    /// <summary>Its pod waits for the addresses: with them it begins.</summary>
    private async Task<LaunchEnd> ReleaseAsync(LaunchPart part, string addresses, PodWatch watch, CancellationToken stop)
    {
        var pod = watch.Of(part.Node.Name)!;
        if (pod.End is null)
        {
            var words = door.Paths.Annotate(pod.Name, LaunchJob.Addresses, addresses);
            await door.Kubectl.CallAsync("telling a pod the addresses of all", words, null, stop);
        }

        return await FollowAsync(part, watch, stop);
    }

    /// <summary>Until it ends, or its time is over.</summary>
    private async Task<LaunchEnd> FollowAsync(LaunchPart part, PodWatch watch, CancellationToken cancellationToken)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        deadline.CancelAfter(launch.Timeout);
        try
        {
            var pod = await watch.UntilAsync(() => watch.Of(part.Node.Name) is { End: not null } seen ? seen : null, deadline.Token);
            return await EndedAsync(part, pod, pod.End!, cancellationToken);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return await EndedAsync(part, watch.Of(part.Node.Name)!, new(EndKind.TimedOut, null, null), cancellationToken);
        }
    }

    private async Task<LaunchEnd> EndedAsync(LaunchPart part, PodSight pod, PodEnd ended, CancellationToken cancellationToken)
    {
        var seconds = wall.Elapsed.TotalSeconds;
        var frame = await FrameAsync(pod, ended, cancellationToken);
        frame.WriteTo(Path.GetDirectoryName(door.Folder.ResultFileOf(part.Node.Name))!);
        var (how, reason) = PodVerdict.Judge(ended, frame);
        var isClean = how == EndKind.Exited && ended.ExitCode == 0 && File.Exists(door.Folder.ResultFileOf(part.Node.Name));
        var end = End(part, how, reason) with
        {
            ExitCode = ended.ExitCode,
            WallSeconds = seconds,
            Tail = isClean ? "" : OutputTail.Last(frame.Tail),
        };
        frame.ReadInto(end.Evidence);
        end.Evidence["container"] = seals[part.Node.Name];
        LimitEvidence.Write(end.Evidence, launch);
        end.Evidence["node"] = pod.Machine;
        end.Evidence["qos"] = pod.QosClass;
        end.Evidence["image"] = pod.ImageId;
        return end;
    }

    private async Task<LaunchFrame> FrameAsync(PodSight pod, PodEnd ended, CancellationToken cancellationToken)
    {
        using var log = new MemoryStream();
        try
        {
            if (ended.How != EndKind.NotStarted)
            {
                var path = door.Paths.Log(pod.Name, LaunchFrame.MostLines, LaunchFrame.MostOfLog);
                await door.Kubectl.CopyAsync(
                    "reading the log of a pod", ["get", "--raw", path], null, log, LaunchFrame.MostOfLog, cancellationToken);
            }
        }
        catch (ClusterException) when (ended is not { How: EndKind.Exited, ExitCode: 0 })
        {
            // How it ended is known, and its node may be gone; its last words are a kindness.
        }

        return LaunchFrame.Read(log.GetBuffer().AsSpan(0, (int)log.Length));
    }

    private LaunchEnd End(LaunchPart part, EndKind how, string? reason) => new()
    {
        How = how,
        WallSeconds = wall.Elapsed.TotalSeconds,
        Reason = reason,
        ResultFile = door.Folder.ResultFileOf(part.Node.Name),
    };
}
