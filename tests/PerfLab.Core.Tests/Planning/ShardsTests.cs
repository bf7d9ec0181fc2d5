using PerfLab.Core.Planning.Plans;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

public class ShardsTests
{
    private static readonly PerfLab.Core.Model.Workload Long =
        Spin with { Name = "long-spin", Folder = "/workloads/long-spin", Launch = new(10, 20, 60) };

    /// <summary>Three runtimes of a short workload and of a long one: cells of about 5.6 and 30.6 s a launch.</summary>
    private static RunPlan Six() => Plan(Pgo("net8.0", "net9.0", "net10.0"), Spin, Long).Plan.ShouldNotBeNull();

    private static PerfLab.Core.Planning.Requests.BenchmarkRequest Pgo(params string[] runtimes) =>
        Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("runtime", runtimes) with { Rounds = (6, 13) };

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(6)]
    public void every_cell_is_in_one_shard_with_all_its_rounds_and_the_order_of_the_whole_plan(int count)
    {
        var plan = Shards.Split(Six(), count);
        plan.Shards.ShouldNotBeNull().Count.ShouldBe(count);
        plan.Problems().ShouldBeEmpty();
        plan.Hash.ShouldNotBe(Six().Hash, "who measures what is part of what was planned");

        var shards = Enumerable.Range(1, count).Select(number => Shards.Only(plan, number)).ToList();
        shards.ShouldAllBe(shard => shard.Hash == plan.Hash);
        shards.SelectMany(shard => shard.Cells).Select(cell => cell.Id).ShouldBe(plan.Cells.Select(cell => cell.Id), ignoreOrder: true);
        foreach (var shard in shards)
        {
            var cells = shard.Cells.Select(cell => cell.Id).ToHashSet();
            shard.Screen.ShouldBe(plan.Screen.Where(round => cells.Contains(round.Cell)));
            shard.Confirm.ShouldBe(plan.Confirm.Where(round => cells.Contains(round.Cell)));
        }
    }

    [Fact]
    public void shards_take_about_the_same_time_and_together_what_the_whole_takes()
    {
        var plan = Shards.Split(Six(), 3);
        var seconds = Enumerable.Range(1, 3).Select(number => Shards.Only(plan, number).Estimate.MostSeconds).ToList();
        seconds.Sum().ShouldBe(plan.Estimate.MostSeconds, tolerance: 0.5);
        (seconds.Max() / seconds.Min()).ShouldBeLessThan(1.05, "a long cell and a short one each");
        Shards.Together(plan).MostSeconds.ShouldBe(seconds.Max());
        Shards.Together(Six()).MostSeconds.ShouldBe(plan.Estimate.MostSeconds);
    }

    [Fact]
    public void one_shard_is_the_plan_itself_and_a_cell_is_never_split()
    {
        var plan = Six();
        Shards.Split(plan, 1).ShouldBeSameAs(plan);
        Should.Throw<ArgumentOutOfRangeException>(() => Shards.Split(plan, 7));
        Should.Throw<ArgumentOutOfRangeException>(() => Shards.Split(plan, 0));
    }

    [Fact]
    public void a_plan_that_is_split_can_be_split_anew_or_put_on_one_machine_again()
    {
        var (plan, two) = (Six(), Shards.Split(Six(), 2));
        two.Estimate.LongestShard.ShouldBe(new(Shards.Together(two).LeastSeconds, Shards.Together(two).MostSeconds));
        Shards.Split(two, 3).Hash.ShouldBe(Shards.Split(plan, 3).Hash);
        Shards.Split(two, 1).Hash.ShouldBe(plan.Hash);
    }

    [Fact]
    public void one_cell_is_one_shard()
    {
        var one = Plan(Pgo("net10.0"), Spin).Plan.ShouldNotBeNull();
        (Shards.Most(one), Shards.Within(one, 3600)).ShouldBe((1, 1));
        Should.Throw<ArgumentOutOfRangeException>(() => Shards.Split(one, 2));
    }

    [Fact]
    public void within_is_the_fewest_shards_that_keep_the_time()
    {
        var plan = Six();
        foreach (var count in new[] { 1, 2, 3 })
        {
            var longest = Shards.Together(Shards.Split(plan, count)).MostSeconds;
            Shards.Within(plan, longest).ShouldBe(count);
        }

        Shards.Within(plan, 1).ShouldBeNull("a cell alone takes longer");
    }

    [Fact]
    public void what_can_not_be_measured_is_in_a_shard_too_and_makes_none_longer()
    {
        var workload = Spin with { Build = Spin.Build with { Runtimes = ["net7.0", "net9.0", "net10.0"] } };
        var plan = Plan(Pgo("net7.0", "net9.0", "net10.0"), workload).Plan.ShouldNotBeNull();
        plan.Cells.Count(cell => cell.Unavailable is not null).ShouldBe(1);
        var split = Shards.Split(plan, 2);
        split.Shards!.SelectMany(shard => shard).Count().ShouldBe(3);
        Should.Throw<ArgumentOutOfRangeException>(() => Shards.Split(plan, 3));
        Shards.Only(split, 1).Estimate.MostSeconds.ShouldBe(Shards.Only(split, 2).Estimate.MostSeconds);
    }

    [Fact]
    public void a_plan_with_a_cell_in_two_shards_or_in_none_is_refused_even_with_its_own_hash()
    {
        var plan = Shards.Split(Six(), 2);
        foreach (var shards in new IReadOnlyList<IReadOnlyList<string>>[]
        {
            [[.. plan.Shards![0], plan.Shards[1][0]], plan.Shards[1]],
            [plan.Shards[0], [.. plan.Shards[1].Skip(1)]],
            [plan.Shards[0], [.. plan.Shards[1].Skip(1), "c999"]],
        })
        {
            var wrong = plan with { Shards = shards };
            wrong = wrong with { Hash = PlanFile.Hash(wrong) };
            wrong.Problems().ShouldHaveSingleItem().Where.ShouldBe("shards");
        }
    }
}
