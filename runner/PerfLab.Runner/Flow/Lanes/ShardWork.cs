using PerfLab.Building;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Sharded;
using PerfLab.Launching;
using PerfLab.Machine.Facts;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow.Lanes;

/// <summary>What lanes share: the plan whose shards they measure, each into a session of its own.</summary>
/// <param name="Plan">With shards.</param>
/// <param name="Built">Of all of them.</param>
/// <param name="Folder">Gets a folder for each shard: shard-1, shard-2 and so on.</param>
/// <param name="Asked">The policy that somebody asked for; null leaves it to the machine.</param>
internal sealed record ShardWork(Lab Lab, RunPlan Plan, ArmBuilds Built, string Folder, HygienePolicy? Asked, ReadyMachine Machine)
{
    /// <summary>Where the journals are, in the order of the shards.</summary>
    public IReadOnlyList<string> Journals =>
        [.. Enumerable.Range(1, Plan.Shards!.Count).Select(shard => Path.Combine(FolderOf(shard), "samples.ndjson"))];

    /// <summary>Measures one shard, or goes on with it.</summary>
    public async Task MeasureAsync(int shard, Lane lane, ILauncher launcher, CancellationToken cancellationToken)
    {
        using var session = SessionFolder.Open(FolderOf(shard));
        await new MeasureStep(Lab, launcher, Asked) { Shard = shard, Lane = lane }
            .MeasureAsync(Shards.Only(Plan, shard), Built, session, Machine, cancellationToken);
    }

    private string FolderOf(int shard) => Path.Combine(Folder, Invariant($"shard-{shard}"));
}
