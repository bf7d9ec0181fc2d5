using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Tests.Statistics;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

/// <summary>A spread plan that measures again what it flags: each shard asks itself, and that is enough.</summary>
public class RepeatedShardsTests
{
    private static readonly RunPlan Planned = Shards.Split(Plan(Asked(), Spin).Plan!, 3);

    private static PerfLab.Core.Planning.Requests.BenchmarkRequest Asked()
    {
        var request = Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("slower", [.. Enumerable.Range(0, 11).Select(size => $"{size}")]);
        return request with { Rounds = (0, 20), Policy = new() { Repeats = 1 } };
    }

    [Fact]
    public void a_shard_holds_the_repeats_of_its_own_cells()
    {
        var shards = Enumerable.Range(1, 3).Select(shard => Shards.Only(Planned, shard)).ToList();
        Planned.Repeat.ShouldNotBeNull().Count.ShouldBe(11 * 20);
        foreach (var shard in shards)
        {
            var cells = shard.Cells.Select(cell => cell.Id).ToHashSet();
            shard.Repeat.ShouldBe(Planned.Repeat.Where(round => cells.Contains(round.Cell)));
        }
    }

    [Fact]
    public void the_wait_before_a_repeat_is_one_for_each_machine_and_not_for_each_cell()
    {
        var without = Shards.Split(Planned with { Policy = new() { Repeats = 0 } }, 3);
        Shards.Together(Planned).MostSeconds.ShouldBeLessThan((2.2 * Shards.Together(without).MostSeconds) + Policy.RepeatApart);
        Shards.Within(Planned, Shards.Together(Planned).MostSeconds).ShouldBe(3);
    }

    [Fact]
    public void whatever_all_shards_together_flag_the_shard_alone_flags_too()
    {
        var random = SeededRandom.For(18, "shards");
        for (var times = 0; times < 40; times++)
        {
            var whole = Whole(random);
            var joined = Flags(JoinedShards.Of(Planned, [.. Enumerable.Range(1, 3).Select(shard => new ShardJournal($"{shard}", Shard(whole, shard), null))]));
            var alone = Enumerable.Range(1, 3).SelectMany(shard => Flags(Shard(whole, shard))).ToHashSet();
            joined.IsSubsetOf(alone).ShouldBeTrue();
        }

        static HashSet<string> Flags(SampleSet samples) => [.. Comparer.Compare(samples, new(Planned.Policy with { Repeats = 0 }, "plan")).Cells
            .Where(row => row.Verdict is Verdict.Regressed or Verdict.Improved).Select(row => row.Cell)];
    }

    private static SampleSet Shard(SampleSet whole, int number) => whole with
    {
        Header = whole.Header with { Shard = number, Cells = [.. whole.Header.Cells.Where(cell => Planned.Shards![number - 1].Contains(cell.Id))] },
        Launches = [.. whole.Launches.Where(launch => Planned.Shards![number - 1].Contains(launch.Cell))],
    };

    /// <summary>Changes of 0 to 3 times the noise: many rows lie where the size of the family decides.</summary>
    private static SampleSet Whole(SeededRandom random)
    {
        var builder = new SampleSetBuilder();
        foreach (var cell in Planned.Cells)
        {
            var change = 0.03 * random.NextDouble();
            builder.Cell(cell.Id, [.. cell.Metrics]).With(_ => cell.ToCell(arm => $"sha256:{arm}", _ => null, null))
                .Rounds(Stage.Confirm, [.. Enumerable.Range(0, 20).Select(_ => change + (0.02 * random.NextNormal()))]);
        }

        var built = builder.Build();
        return built with { Header = built.Header with { Plan = Planned.Hash, Policy = Planned.Policy } };
    }
}
