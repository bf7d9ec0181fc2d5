using System.Diagnostics;

namespace PerfLab.Launching;

/// <summary>One node, not yet started.</summary>
/// <param name="Run">Starts it, and gives how it ended; cancelled: it is gone.</param>
/// <param name="IsReady">Whether it says that others may talk to it.</param>
internal sealed record NodeStart(
    string Name, string Role, string ResultFile, Func<CancellationToken, Task<LaunchEnd>> Run, Func<bool> IsReady);

/// <summary>
/// One launch of several nodes: role after role is started once the one before is ready, the launch is over when the last role's nodes
/// have ended, and then all others end, too. Every node ends by itself; what goes wrong with one takes the others away with it.
/// </summary>
internal sealed class NodesLaunch(IReadOnlyList<NodeStart> nodes)
{
    /// <summary>After the last role's nodes have ended: time for the others to notice, and to write what they saw.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(5);

    private readonly string lastRole = nodes[^1].Role;
    private readonly List<(NodeStart Node, Task<LaunchEnd> End)> running = [];

    private NodeStart Reporter => nodes.First(node => node.Role == lastRole);

    /// <exception cref="OperationCanceledException">Cancelled; all nodes are gone.</exception>
    public async Task<LaunchEnd> RunAsync(CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var started = Stopwatch.GetTimestamp();
        Spoiled? spoiled;
        try
        {
            spoiled = await StartAsync(stop.Token) ?? await UntilReportedAsync(stop.Token) ?? await UntilAllEndedAsync(stop.Token);
        }
        finally
        {
            // One for all: whatever happened, nothing of this launch is left when it is told.
            await stop.CancelAsync();
            await Task.WhenAll(running.Select(one => one.End)).ContinueWith(_ => { }, CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        }

        cancellationToken.ThrowIfCancellationRequested();
        return End(spoiled, Stopwatch.GetElapsedTime(started).TotalSeconds);
    }

    private async Task<Spoiled?> StartAsync(CancellationToken stop)
    {
        foreach (var role in nodes.Select(node => node.Role).Distinct(StringComparer.Ordinal))
        {
            running.AddRange(nodes.Where(node => node.Role == role).Select(node => (node, node.Run(stop))));
            while (role != lastRole && !running.TrueForAll(one => one.Node.IsReady()))
            {
                if (running.Find(one => one.End.IsCompleted) is { Node: { } node, End: { } ended })
                {
                    var end = await ended;
                    return end.How switch
                    {
                        EndKind.TimedOut => new(node, end, EndKind.NodeFailed,
                            Invariant($"it was not ready within {end.WallSeconds:0} s ({NodeVariables.Ready})")),
                        EndKind.Exited when end.ExitCode == 0 => new(node, end, EndKind.NodeFailed, "it ended before it was ready"),
                        _ => new(node, end, end.How, "it ended before it was ready"),
                    };
                }

                await Task.Delay(Look, stop);
            }
        }

        return null;
    }

    /// <summary>Until the last role's nodes have ended well, or any node badly.</summary>
    private async Task<Spoiled?> UntilReportedAsync(CancellationToken stop)
    {
        while (true)
        {
            if (await BadEndAsync() is { } bad)
            {
                return bad;
            }

            if (running.TrueForAll(one => one.Node.Role != lastRole || one.End.IsCompleted))
            {
                return null;
            }

            await Task.WhenAny(running.Select(one => one.End).Where(end => !end.IsCompleted)).WaitAsync(stop);
        }
    }

    private async Task<Spoiled?> UntilAllEndedAsync(CancellationToken stop)
    {
        var all = Task.WhenAll(running.Select(one => one.End));
        await Task.WhenAny(all, Task.Delay(Patience, stop));
        return await BadEndAsync() ?? (running.Find(one => !one.End.IsCompleted) is { Node: { } node }
            ? new(node, null, EndKind.NodeFailed,
                Invariant($"it was still running {Patience.TotalSeconds:0} s after {Reporter.Name} had ended"))
            : null);
    }

    private async Task<Spoiled?> BadEndAsync()
    {
        foreach (var (node, ended) in running.Where(one => one.End.IsCompleted))
        {
            var end = await ended;
            if (end is not { How: EndKind.Exited, ExitCode: 0 })
            {
                return new(node, end, end.How, null);
            }
        }

        return null;
    }

    private LaunchEnd End(Spoiled? spoiled, double wallSeconds)
    {
        var ends = running.Where(one => one.End.IsCompletedSuccessfully).Select(one => new NodeEnd(one.Node.Name, one.End.Result)).ToList();
        var evidence = NodeEvidence.Of(ends);
        if (spoiled is null)
        {
            return ends.Find(end => end.Name == Reporter.Name)!.End with { WallSeconds = wallSeconds, Evidence = evidence, Nodes = ends };
        }

        return new()
        {
            How = spoiled.How,
            ExitCode = spoiled.End?.ExitCode,
            WallSeconds = wallSeconds,
            Tail = spoiled.End?.Tail ?? "",
            Reason = string.Join(": ", new[] { spoiled.Reason, spoiled.End?.Reason }.OfType<string>()) is { Length: > 0 } reason
                ? reason : null,
            ResultFile = Reporter.ResultFile,
            Evidence = evidence,
            Nodes = ends,
            SpoiledBy = spoiled.Node.Name,
        };
    }

    /// <param name="End">Null where it had to be ended.</param>
    /// <param name="Reason">What its end does not say by itself.</param>
    private sealed record Spoiled(NodeStart Node, LaunchEnd? End, EndKind How, string? Reason);
}
