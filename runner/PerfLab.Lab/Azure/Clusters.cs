namespace PerfLab.Lab.Azure;

/// <summary>
/// Power and lease of an AKS cluster. Its operations take minutes, exclude each other, and are known by what the cluster says of itself:
/// reading an operation's own status needs a right outside of the cluster, which the lab's role doesn't have and need not have.
/// </summary>
public sealed class Clusters(AzureAccess access, TimeProvider clock, PowerLimits limits, Action<string> say) : IPower
{
    private readonly PatientCalls calls = new(clock, limits, say);
    private readonly ClusterCalls azure = new(access, clock);
    private readonly ResourceTags tagging = new(access.Open(), new PatientCalls(clock, limits, say));

    private sealed record Operation(AzureResource Cluster, string Verb, string Meanwhile, Func<MachineView, bool> IsDone);

    public async Task<MachineView> ReadAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        (await calls.AskAsync(ct => azure.ReadAsync(resource, ct), deadline, cancellationToken))!;

    public Task<bool> MergeTagsAsync(AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        WhileOnAsync(resource, () => tagging.MergeAsync(resource, tags, deadline, cancellationToken), deadline, cancellationToken);

    public Task<bool> RemoveTagsAsync(AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        WhileOnAsync(resource, () => tagging.RemoveAsync(resource, tags, deadline, cancellationToken), deadline, cancellationToken);

    public Task<MachineView> StartAsync(AzureResource resource, string? customData, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        OperateAsync(new Operation(resource, "start", "Starting", view => view is { Power: PowerState.Running, Provisioning: "Succeeded" }), deadline, cancellationToken);

    public Task<MachineView> StopAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        OperateAsync(new Operation(resource, "stop", "Stopping", view => view.IsOff), deadline, cancellationToken);

    /// <summary>Whether a stopped cluster takes tags is nowhere written; everything else but a start it refuses.</summary>
    private async Task<bool> WhileOnAsync(AzureResource cluster, Func<Task> patch, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        for (var isSecond = false; ; isSecond = true)
        {
            try
            {
                await patch();
                return true;
            }
            catch (AzureException refused) when (refused.Failure.Kind is FailureKind.Refused or FailureKind.Busy)
            {
                if ((await ReadAsync(cluster, deadline, cancellationToken)).IsOff)
                {
                    say($"{refused.Failure.Message}; the tags of {cluster.Name} follow when it runs");
                    return false;
                }

                // Refused while it was off, and before the reading somebody's start came: once more.
                if (isSecond)
                {
                    throw;
                }
            }
        }
    }

    private async Task<MachineView> OperateAsync(Operation operation, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        // Azure refuses a second operation while one is under way; the same one, started by whoever, is as good as ours.
        var view = await WatchAsync(operation, before => IsSettled(before) || before.Provisioning == operation.Meanwhile, deadline, cancellationToken);
        if (operation.IsDone(view))
        {
            return view;
        }

        try
        {
            var status = view.Provisioning == operation.Meanwhile ? null
                : await calls.AskAsync(ct => azure.BeginAsync(operation.Cluster, operation.Verb, ct), deadline, cancellationToken, async ct => HasBegun(operation, await ReadAsync(operation.Cluster, deadline, ct)));
            return await FollowAsync(operation, view, status, deadline, cancellationToken);
        }
        catch (AzureException failed) when (failed.Failure.Kind is FailureKind.Refused)
        {
            // "… Power State(Stopped), stopping cannot be performed": somebody else was quicker.
            var now = await ReadAsync(operation.Cluster, deadline, cancellationToken);
            if (!operation.IsDone(now))
            {
                throw;
            }

            return now;
        }
    }

    private static bool HasBegun(Operation operation, MachineView view) => view.Provisioning == operation.Meanwhile || operation.IsDone(view);

    /// <summary>Looks at the cluster until it's done; when it has failed, asks the operation why, in case that may be read.</summary>
    private async Task<MachineView> FollowAsync(Operation operation, MachineView before, Uri? status, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        await Task.Delay(limits.ClusterPause, clock, cancellationToken);
        var readings = 0;
        var view = await WatchAsync(operation, now => operation.IsDone(now) || (IsSettled(now) && ((IsFailed(now) && !IsFailed(before)) || ++readings > limits.ViewReadings)), deadline, cancellationToken);
        if (operation.IsDone(view))
        {
            return view;
        }

        var reason = status is null ? null : await azure.ReasonAsync(status, cancellationToken);
        throw reason ?? new AzureException(new(FailureKind.Refused,
            $"after the {operation.Verb} the cluster is {view.Power.ToString().ToLowerInvariant()}, provisioning {view.Provisioning}"));
    }

    private async Task<MachineView> WatchAsync(Operation operation, Func<MachineView, bool> until, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        while (true)
        {
            var view = await ReadAsync(operation.Cluster, deadline, cancellationToken);
            if (until(view))
            {
                return view;
            }

            if (clock.GetUtcNow() + limits.ClusterPause > deadline)
            {
                throw new AzureException(new(FailureKind.Busy, $"the {operation.Verb} has to wait: the cluster is {view.Power.ToString().ToLowerInvariant()}, provisioning {view.Provisioning}"));
            }

            await Task.Delay(limits.ClusterPause, clock, cancellationToken);
        }
    }

    private static bool IsSettled(MachineView view) => view.Provisioning is "Succeeded" || IsFailed(view);

    private static bool IsFailed(MachineView view) => view.Provisioning is "Failed" or "Canceled";
}
