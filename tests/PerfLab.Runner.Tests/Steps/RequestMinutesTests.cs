using System.Text.Json.Nodes;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.GitHub;
using static System.FormattableString;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>`/benchmark --within 10m`: one machine measures for so many minutes, within the budget of perf-lab.yaml.</summary>
public sealed class RequestMinutesTests
{
    /// <summary>Eight cells of about 26 s of screen each, on up to so many machines.</summary>
    private static PullRequestLab Lab(double? within, string budget = "minutes: 120", string count = "", string github = "")
    {
        var lab = new PullRequestLab(PullRequestLab.Configuration
            .Replace("\"1\", \"2\"", string.Join(", ", Enumerable.Range(1, 8).Select(size => $"\"{size}\"")), StringComparison.Ordinal)
            .Replace("kind: azure, price", $"kind: hosted, {count} price", StringComparison.Ordinal)
            .Replace("budget: { minutes: 120 }", Invariant($"{github}budget: {{ {budget} }}"), StringComparison.Ordinal));
        lab.Words["within"] = within is { } minutes ? JsonValue.Create(minutes) : null;
        return lab;
    }

    [Fact]
    public async Task the_plan_measures_until_it_is_decided_and_once()
    {
        using var lab = Lab(10);
        var plan = await lab.PlanAsync();
        (plan.Policy.Within, plan.Policy.Repeats, plan.Policy.ScreenRounds, plan.Policy.ConfirmRounds).ShouldBe((10, 0, 8, 20));
        plan.Estimate.MostSeconds.ShouldBe(600);
        plan.Problems().ShouldBeEmpty();

        using var fixedRounds = Lab(null);
        var other = await fixedRounds.PlanAsync();
        (other.Policy.Within, other.Policy.Repeats).ShouldBe((0, 1), "the lab's own two sessions are for fixed rounds");
    }

    [Fact]
    public async Task several_machines_have_no_share_in_the_minutes()
    {
        using var lab = Lab(7, "minutes: 7", "count: 4,");
        (await lab.PlanAsync()).Shards.ShouldBeNull();
        using var fixedRounds = Lab(null, "minutes: 7", "count: 4,");
        (await fixedRounds.PlanAsync()).Shards!.Count.ShouldBe(2);
        using var longer = Lab(8, "minutes: 7", "count: 4,");
        (await longer.PlanRequestAsync()).Error.ShouldContain("this may take 8 minutes and about 0.08 in machine time; a request may");
    }

    [Theory]
    [InlineData(11, "minutes: 10", "budget: this may take 11 minutes and about 0.11 in machine time; a request may take 10 minutes. Ask")]
    [InlineData(10.5, "minutes: 10", "this may take 11 minutes and about 0.11 in machine time; a request may take 10 minutes. Ask")]
    [InlineData(11, "minutes: 10", "a request may take 10 minutes. Ask for --within 10m or less.")]
    [InlineData(11, "minutes: 120, cost: 0.10", "a request may take 120 minutes and cost 0.10. Ask for --within 10m or less.")]
    [InlineData(11, "minutes: 120, cost: 0.05", "a request may take 120 minutes and cost 0.05. Ask for --within 5m or less.")]
    public async Task minutes_over_the_budget_are_refused_with_those_that_it_has(double within, string budget, string why)
    {
        using var lab = Lab(within, budget);
        var (exit, output, error) = await lab.PlanRequestAsync();
        (exit, output).ShouldBe((2, ""));
        error.ShouldContain(why, customMessage: error);
    }

    [Fact]
    public async Task minutes_that_no_job_has_are_refused_whatever_the_budget_says()
    {
        using var longer = Lab(346, "minutes: 600");
        (await longer.PlanRequestAsync()).Error.ShouldContain("budget: this may take 346 minutes and about 3.46 in machine time; "
            + "a request may take 345 minutes (GitHub ends its job after 360). Ask for --within 345m or less.");
        using var longest = Lab(345, "minutes: 600");
        (await longest.PlanAsync()).Policy.Within.ShouldBe(345);
        using var least = Lab(346, "minutes: 345");
        (await least.PlanRequestAsync()).Error.ShouldContain("a request may take 345 minutes. Ask for");
    }

    [Fact]
    public void when_github_ends_a_job_is_the_same_on_both_sides() =>
        Repository.Read(".github/perf-lab/src/process/job-results.ts").ShouldContain(Invariant($"'measure': {RequestBudget.JobEnds} "));

    [Fact]
    public async Task a_plan_of_fixed_rounds_may_be_longer_than_a_job_because_most_of_it_may_be_left_out()
    {
        using var lab = Lab(null, "minutes: 6000");
        lab.Words["rounds"] = "8+999";
        (await lab.PlanAsync()).Estimate.MostSeconds.ShouldBeGreaterThan(60 * RequestBudget.JobEnds);
    }

    [Theory]
    [InlineData(0.1, "minutes: 120", "", "0.1 min are over before any row can have an answer: that takes about 3 min. Ask for 4m or more")]
    [InlineData(2, "minutes: 3", "", "that takes about 3 min. Ask for fewer rows: a request may take 3 minutes.")]
    [InlineData(2, "minutes: 3", "count: 4,", "3 minutes. Without --within, up to 4 machines share the rows; minutes are those of one.")]
    public async Task minutes_in_which_no_row_can_have_an_answer_are_refused_with_those_that_would_do(
        double within, string budget, string count, string why)
    {
        using var lab = Lab(within, budget, count);
        var (exit, output, error) = await lab.PlanRequestAsync();
        (exit, output).ShouldBe((2, ""));
        error.ShouldContain(why, customMessage: error);
    }

    [Theory]
    [InlineData(10, "minutes: 30", true)]
    [InlineData(30, "minutes: 30", false)]
    [InlineData(300, "minutes: 600", true)]
    [InlineData(345, "minutes: 600", false)] // the job would end before
    public async Task what_moves_is_explained_where_the_minutes_leave_room_for_it(double within, string budget, bool explains)
    {
        using var lab = Lab(within, budget, github: "explain: true, ");
        var plan = await lab.PlanAsync();
        (plan.Explain, plan.Policy.Within).ShouldBe((explains, within));
        (plan.Estimate.MostSeconds > 60 * within).ShouldBe(explains, "it comes after the minutes of measuring");
    }

    [Fact]
    public async Task sessions_that_the_gate_would_have_refused_are_refused_here_too()
    {
        using var lab = Lab(10);
        lab.Words["sessions"] = 2;
        var (exit, _, error) = await lab.PlanRequestAsync();
        exit.ShouldBe(2);
        error.ShouldContain("does not go with repeats");
    }
}
