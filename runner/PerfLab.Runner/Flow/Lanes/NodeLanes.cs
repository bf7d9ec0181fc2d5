using System.Collections.Concurrent;
using PerfLab.Building;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Machine.Facts;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Flow.Lanes;

/// <summary>
/// `measure --lanes N --executor kubernetes`: the shards of a plan, as many at once as there are nodes for them, each on nodes of its own;
/// whoever is done takes the next one. Lanes share no machine there, so nobody has to show that they do not disturb each other.
/// </summary>
/// <param name="lab">The wiring; its terminal is written to by several threads.</param>
/// <param name="first">The launcher of the first lane.</param>
/// <param name="another">Makes that of any other lane, with the same builds.</param>
/// <param name="asked">The policy that somebody asked for.</param>
/// <param name="patience">How long the first lane waits for a node.</param>
internal sealed class NodeLanes(Lab lab, ILauncher first, Func<ILauncher> another, HygienePolicy? asked, Patience patience)
{
    private readonly ConcurrentQueue<int> _shards = new();
    private readonly Lock _guard = new();
    private int _lanes, _found, _undecided;
    private string _why = "";
    private NoPlaceException? _lost;

    /// <summary>Measures every shard that is not complete yet.</summary>
    /// <param name="plan">With shards, at least as many as lanes.</param>
    /// <param name="built">Of all of them.</param>
    /// <param name="lanes">At most so many; fewer where there are fewer nodes, and it is said.</param>
    /// <param name="folder">Gets a folder for each shard: shard-1, shard-2 and so on.</param>
    /// <returns>The journals, in the order of the shards.</returns>
    /// <exception cref="NoPlaceException">There is no node for any lane, or the last one was lost.</exception>
    public async Task<IReadOnlyList<string>> RunAsync(
        RunPlan plan, ArmBuilds built, int lanes, string folder, CancellationToken cancellationToken)
    {
        await using var machine = await new MeasureStep(lab, first, asked, patience).ReadyAsync(plan, built, cancellationToken);
        Enumerable.Range(1, plan.Shards!.Count).ToList().ForEach(_shards.Enqueue);
        _lanes = _undecided = lanes;
        var work = new ShardWork(lab, plan, built, folder, asked, machine);
        var line = new ProgressLine(lab.Terminal);
        using var over = new CancellationTokenSource();
        await Parallel.ForEachAsync(
            Enumerable.Range(1, lanes),
            new ParallelOptions { MaxDegreeOfParallelism = lanes, CancellationToken = cancellationToken },
            async (number, stop) =>
            {
                var launcher = number == 1 ? first : another();
                try
                {
                    if (number == 1 || await FindAsync(launcher, plan, over.Token, stop))
                    {
                        Decide(null);
                        var lane = new Lane(number, lanes, null, line);
                        await MeasureAsync(lane, launcher, work, stop);
                        if (_shards.IsEmpty)
                        {
                            await over.CancelAsync(); // who still looks for a node has nothing to do there
                        }
                    }
                }
                finally
                {
                    if (number > 1)
                    {
                        await launcher.DisposeAsync();
                    }
                }
            });
        return !_shards.IsEmpty && _lost is not null ? throw _lost
            : work.Journals;
    }

    /// <summary>False: there is no node for this lane, and the others do its work.</summary>
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

    /// <summary>Says how many lanes there are once it is known of all: fewer are no failure.</summary>
    /// <param name="why">There is no node for this one; null: there is.</param>
    private void Decide(string? why)
    {
        lock (_guard)
        {
            (_found, _why) = why is null ? (_found + 1, _why) : (_found, why);
            if (--_undecided == 0 && _found < _lanes)
            {
                lab.Terminal.Say(Invariant($"{_found} of {_lanes} lanes, there is no node for more: {_why}"));
            }
        }
    }

    private async Task MeasureAsync(Lane lane, ILauncher launcher, ShardWork work, CancellationToken stop)
    {
        while (_shards.TryDequeue(out var shard))
        {
            try
            {
                await work.MeasureAsync(shard, lane, launcher, stop);
            }
            catch (NoPlaceException lost)
            {
                // Its node is gone, and there is no other: what it measured stays, and another lane goes on with the shard.
                _lost = lost;
                _shards.Enqueue(shard);
                lab.Terminal.Say(Invariant($"lane {lane.Number} ends: {lost.CameBack}; shard {shard} is left to the others"));
                return;
            }
        }
    }
}
