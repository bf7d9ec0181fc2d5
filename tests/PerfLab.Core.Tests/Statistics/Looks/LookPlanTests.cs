using PerfLab.Calibration;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Looks;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics.Looks;

public sealed class LookPlanTests
{
    /// <summary>No ties and no zeros.</summary>
    private static double[] Up(int count) => [.. Enumerable.Range(1, count).Select(size => 0.01 + (0.0001 * size))];

    private static LookPlan Plan(int rounds) => LookPlan.Of(new() { StopEarly = true, ConfirmRounds = rounds })!;

    [Theory]
    [InlineData(20, 0.01, 2.688)]
    [InlineData(28, 0.01, 2.783)]
    [InlineData(30, 0.05, 2.29)]
    [InlineData(30, 0.001, 3.28)]
    public void the_boundary_is_pococks_constant_rounded_up_to_the_tables_next_place(int rounds, double error, double constant) =>
        Plan(rounds).Boundary(error / 2).ShouldBe(Math.Ceiling(constant * 20) / 20, 1e-9);

    [Fact]
    public void the_shipped_tables_are_those_that_a_shorter_simulation_finds_too()
    {
        foreach (var (rounds, tail) in LookTables.All)
        {
            var again = LookSimulation.Tail(rounds, 200_000, new(Size.Full, Seed: 1));
            foreach (var place in Enumerable.Range(0, 40))
            {
                tail[place].ShouldBe(again[place], 0.006, $"place {place} of {string.Join(' ', rounds)}");
            }
        }
    }

    [Fact]
    public void a_chance_never_grows_with_z_and_is_never_above_what_the_looks_have_together()
    {
        foreach (var plan in LookPlan.All)
        {
            var chances = Enumerable.Range(0, 600).Select(step => plan.Chance(0.5 + (0.01 * step))).ToList();
            chances.Zip(chances.Skip(1)).ShouldAllBe(pair => pair.Second <= pair.First);
            plan.Chance(6).ShouldBe(0, 1e-12, "nobody sees that by chance");
        }
    }

    [Fact]
    public void before_the_first_look_there_is_no_p() => Plan(20).PValue(Up(7), 0).ShouldBe(1);

    [Fact]
    public void both_directions_cost_twice_and_the_wrong_one_shows_nothing()
    {
        var one = Plan(20).PValue(Up(12), 1);
        one.ShouldBeLessThan(0.005);
        Plan(20).PValue(Up(12), 0).ShouldBe(2 * one);
        Plan(20).PValue(Up(12), -1).ShouldBe(1);
    }

    [Fact]
    public void the_clearest_look_counts_also_when_later_ones_are_less_clear()
    {
        double[] fading = [.. Up(12), -0.02, -0.021, -0.022, -0.023];
        Plan(20).PValue(fading, 0).ShouldBe(Plan(20).PValue(Up(12), 0));
    }

    [Fact]
    public void with_ties_every_look_may_spend_an_equal_share()
    {
        double[] tied = [.. Up(11), 0.0101];
        Plan(20).PValue(tied, 1).ShouldBe(4 * SignedRank.Test(tied).Above);
    }

    [Fact]
    public void rounds_that_were_lost_make_one_look_more()
    {
        var differences = Up(13);
        Plan(20).PValue(differences, 1).ShouldBe(4 * SignedRank.Test(differences).Above);
    }

    [Fact]
    public void what_is_spent_grows_from_look_to_look_and_never_beyond_the_error()
    {
        var spent = Plan(20).Rounds.Select(rounds => Plan(20).Spent(0.005, rounds)).ToList();
        spent.ShouldBe(spent.Order());
        spent[0].ShouldBe(0, "eight rounds can't reach it");
        spent[1].ShouldBeGreaterThan(0);
        spent[^1].ShouldBeLessThanOrEqualTo(0.005);
    }

    [Fact]
    public void the_interval_of_a_look_is_wider_than_one_that_was_planned_alone()
    {
        Plan(20).Coverage(12, 0.95).ShouldBeGreaterThan(0.95);
        Plan(20).Coverage(12, 0.95).ShouldBeLessThan(0.995);
    }

    [Fact]
    public void other_rounds_are_refused_with_those_that_have_looks()
    {
        var policy = new Policy { StopEarly = true, ConfirmRounds = 25 };
        PolicyRules.Problems(policy, 1).ShouldHaveSingleItem().ToString().ShouldContain("Ask for 20, 28 or 30, for example --rounds 0+20");
        LookPlan.Of(policy).ShouldBeNull();
        PolicyRules.Problems(policy with { ConfirmRounds = 28 }, 1).ShouldBeEmpty();
    }
}
