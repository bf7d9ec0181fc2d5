using System.Globalization;
using PerfLab.Core.Planning.Plans;
using static System.FormattableString;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>How many machines a request of a pull request is spread over: the fewest that keep its minutes, of those that perf-lab.yaml allows.</summary>
public sealed class SpreadRequestTests
{
    /// <summary>Eight cells of about 90 s with every round on up to so many machines, in at most so many minutes.</summary>
    private static PullRequestLab Lab(string count, string budget, int confirm = 1) => new(PullRequestLab.Configuration
        .Replace("set: { size: [\"1\", \"2\"] }", "set: { size: [\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\"] }", StringComparison.Ordinal)
        .Replace("kind: azure, price", $"kind: hosted, {count} price", StringComparison.Ordinal)
        .Replace("budget: { minutes: 120 }", Invariant($"confirm: {confirm}, budget: {{ {budget} }}"), StringComparison.Ordinal));

    [Theory]
    [InlineData("count: 4,", "minutes: 120", 1)]
    [InlineData("count: 4,", "minutes: 7", 2)]
    [InlineData("count: 4,", "minutes: 4", 4)]
    [InlineData("count: 8,", "minutes: 2", 8)]
    [InlineData("", "minutes: 120", 1)]
    public async Task the_fewest_machines_that_keep_the_minutes(string count, string budget, int machines)
    {
        using var lab = Lab(count, budget);
        var plan = await lab.PlanAsync();
        (plan.Shards?.Count ?? 1).ShouldBe(machines);
        plan.Problems().ShouldBeEmpty();
        var longest = plan.Estimate.LongestShard?.MostSeconds ?? plan.Estimate.MostSeconds;
        longest.ShouldBeLessThanOrEqualTo(60 * double.Parse(budget["minutes: ".Length..], CultureInfo.InvariantCulture));
        (plan.Estimate.LongestShard is null).ShouldBe(machines == 1);
    }

    [Fact]
    public async Task what_no_number_of_machines_can_do_is_refused_with_that_number()
    {
        using var lab = Lab("count: 3,", "minutes: 4");
        var (exit, _, error) = await lab.PlanRequestAsync();
        exit.ShouldBe(2);
        error.ShouldContain("this may take 5 minutes on 3 machines and about 0.12 in machine time; a request may take 4 minutes.");
        error.ShouldContain("Try /benchmark tiny: 2 minutes.");
    }

    [Fact]
    public async Task a_limit_of_money_holds_however_many_machines_there_are()
    {
        using var lab = Lab("count: 8,", "minutes: 120, cost: 0.10");
        var (exit, _, error) = await lab.PlanRequestAsync();
        exit.ShouldBe(2);
        error.ShouldContain("about 0.12 in machine time; a request may take 120 minutes and cost 0.10.");
        using var richer = Lab("count: 8,", "minutes: 120, cost: 0.13");
        (await richer.PlanRequestAsync()).Exit.ShouldBe(0);
    }

    [Fact]
    public async Task what_is_flagged_is_measured_again_on_each_machine_where_the_budget_allows()
    {
        using var lab = Lab("count: 8,", "minutes: 9", confirm: 2);
        var plan = await lab.PlanAsync();
        plan.Policy.Repeats.ShouldBe(1);
        plan.Shards!.Count.ShouldBeGreaterThan(1);
        using var poorer = Lab("count: 8,", "minutes: 2", confirm: 2);
        (await poorer.PlanAsync()).Policy.Repeats.ShouldBe(0, "three minutes pass before it could begin");
    }

    [Theory]
    [InlineData("count: 0,", "count")]
    [InlineData("count: 9,", "count")]
    [InlineData("count: two,", "count")]
    public async Task a_number_of_machines_that_can_not_be_is_named_with_its_line(string count, string member)
    {
        using var lab = Lab(count, "minutes: 120");
        var (exit, _, error) = await lab.PlanRequestAsync();
        exit.ShouldBe(2);
        error.ShouldContain($"line 6, machines.agent.{member}");
    }

    [Fact]
    public async Task a_machine_that_stands_ready_has_no_number()
    {
        using var lab = new PullRequestLab(PullRequestLab.Configuration.Replace("kind: azure,", "kind: metal, count: 2,", StringComparison.Ordinal));
        (await lab.PlanRequestAsync()).Error.ShouldContain("machines.agent.count: a machine that stands ready is one; take it out");
    }

    [Theory]
    [InlineData("2", 2)]
    [InlineData("1", 1)]
    public async Task when_fewer_machines_come_the_plan_is_spread_anew_over_those(string shards, int count)
    {
        using var lab = Lab("count: 8,", "minutes: 2");
        var plan = await lab.PlanAsync();
        plan.Shards!.Count.ShouldBe(8);
        var (exit, output, error) = await lab.RunAsync("plan", "--again", "plan.json", "--shards", shards);
        exit.ShouldBe(0, error);
        var fewer = PlanFile.File.Read(output).Value.ShouldNotBeNull().Plan;
        (fewer.Shards?.Count ?? 1).ShouldBe(count);
        fewer.Cells.Select(cell => cell.Id).ShouldBe(plan.Cells.Select(cell => cell.Id));
        (fewer.Estimate.MostSeconds, fewer.Seed).ShouldBe((plan.Estimate.MostSeconds, plan.Seed));
        fewer.Hash.ShouldNotBe(plan.Hash);
    }

    [Theory]
    [InlineData("needs --shards")]
    [InlineData("9 is not between 1 and 8, the number of cells", "--shards", "9")]
    [InlineData("--seed: does not go with --again", "--shards", "2", "--seed", "1")]
    [InlineData("target: does not go with --again", "--shards", "2", "echo")]
    public async Task a_plan_that_is_there_takes_how_it_is_spread_and_nothing_else(string why, params string[] more)
    {
        using var lab = Lab("count: 8,", "minutes: 2");
        await lab.PlanAsync();
        var (exit, _, error) = await lab.RunAsync(["plan", "--again", "plan.json", .. more]);
        exit.ShouldBe(2);
        error.ShouldContain(why);
    }
}
