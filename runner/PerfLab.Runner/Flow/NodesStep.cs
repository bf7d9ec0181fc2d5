using System.Collections.Concurrent;
using PerfLab.Building;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Machine.Facts;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Flow;

/// <summary>
/// `measure --nodes N --executor kubernetes`: the shards of a plan, as many at once as there are nodes for them, each in a session of its
/// own. A node that is done takes the next shard. A launch of several programs has as many nodes.
/// </summary>
/// <param name="lab">The wiring; its terminal is written to by several threads.</param>
/// <param name="first">The launcher of the first node.</param>
/// <param name="another">Makes that of any other node, with the same builds.</param>
/// <param name="asked">The policy that somebody asked for.</param>
/// <param name="budget">How long the first launcher waits for a node.</param>
internal sealed class NodesStep(Lab lab, ILauncher first, Func<ILauncher> another, HygienePolicy? asked, WaitBudget budget)
{
    private readonly ConcurrentQueue<int> _shards = new();
    private readonly Lock _guard = new();
    private readonly ProgressLine _line = new(lab.Terminal);
    private int _asked, _found, _undecided;
    private string _why = "";
    private NoPlaceException? _lost;

    /// <summary>Measures every shard that is not complete yet.</summary>
    /// <param name="plan">With shards, at least as many as nodes.</param>
    /// <param name="built">Of all of them.</param>
    /// <param name="nodes">At most so many; fewer where the cluster has fewer, and it is said.</param>
    /// <param name="folder">Gets a folder for each shard: shard-1, shard-2 and so on.</param>
    /// <returns>The journals, in the order of the shards.</returns>
    /// <exception cref="NoPlaceException">There is no node at all, or the last one was lost.</exception>
    public async Task<IReadOnlyList<string>> RunAsync(
        RunPlan plan, ArmBuilds built, int nodes, string folder, CancellationToken cancellationToken)
    {
        await using var machine = await new MeasureStep(lab, first, asked, budget).ReadyAsync(plan, built, cancellationToken);
        Enumerable.Range(1, plan.Shards!.Count).ToList().ForEach(_shards.Enqueue);
        _asked = _undecided = nodes;
        var work = new Work(plan, built, folder, machine);
        using var over = new CancellationTokenSource();
        await Parallel.ForEachAsync(
            Enumerable.Range(1, nodes),
            new ParallelOptions { MaxDegreeOfParallelism = nodes, CancellationToken = cancellationToken },
            async (node, stop) =>
            {
                var launcher = node == 1 ? first : another();
                try
                {
                    if (node == 1 || await FindAsync(launcher, plan, over.Token, stop))
                    {
                        Decide(null);
                        await MeasureAsync(node, launcher, work, stop);
                        if (_shards.IsEmpty)
                        {
                            await over.CancelAsync(); // who still looks for a node has nothing to do there
                        }
                    }
                }
                finally
                {
                    if (node > 1)
                    {
                        await launcher.DisposeAsync();
                    }
                }
            });
        return !_shards.IsEmpty && _lost is not null ? throw _lost
            : [.. Enumerable.Range(1, plan.Shards.Count).Select(shard => Path.Combine(work.FolderOf(shard), "samples.ndjson"))];
    }

    /// <summary>False: there is no node for this launcher, and the others do its work.</summary>
    private async Task<bool> FindAsync(ILauncher launcher, RunPlan plan, CancellationToken over, CancellationToken stop)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(over, stop);
        try
        {
            await launcher.PlaceAsync(plan, either.Token);
            return true;
        }
        catch (NoPlaceException none)
        {
            Decide(none.CameBack);
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested && !stop.IsCancellationRequested)
        {
            Decide("all shards were taken before there was a node");
        }

        return false;
    }

    /// <summary>Says how many nodes there are once all have been looked for: fewer are no failure.</summary>
    /// <param name="why">There is no node for this one; null: there is.</param>
    private void Decide(string? why)
    {
        lock (_guard)
        {
            (_found, _why) = why is null ? (_found + 1, _why) : (_found, why);
            if (--_undecided == 0 && _found < _asked)
            {
                lab.Terminal.Say(Invariant($"{_found} of {_asked} nodes, there is no more: {_why}"));
            }
        }
    }

    private async Task MeasureAsync(int node, ILauncher launcher, Work work, CancellationToken stop)
    {
        while (_shards.TryDequeue(out var shard))
        {
            try
            {
                using var session = SessionFolder.Open(work.FolderOf(shard));
                var progress = new NamedProgress(_line, Invariant($"node {node}, shard {shard}"));
                await new MeasureStep(lab, launcher, asked) { Shard = shard, Progress = progress }
                    .MeasureAsync(Shards.Only(work.Plan, shard), work.Built, session, work.Machine, stop);
            }
            catch (NoPlaceException lost)
            {
                // Its node is gone, and there is no other: what it measured stays, and another node goes on with the shard.
                _lost = lost;
                _shards.Enqueue(shard);
                lab.Terminal.Say(Invariant($"node {node} is gone: {lost.CameBack}; shard {shard} is left to the others"));
                return;
            }
        }
    }

    private sealed record Work(RunPlan Plan, ArmBuilds Built, string Folder, ReadyMachine Machine)
    {
        public string FolderOf(int shard) => Path.Combine(Folder, Invariant($"shard-{shard}"));
    }
}
