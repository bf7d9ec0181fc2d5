using System.Text.Json.Nodes;

namespace PerfLab.Runner.Tests.Steps;

public sealed class RequestPlanTests : IDisposable
{
    private readonly PullRequestLab _lab = new();

    [Fact]
    public async Task base_and_head_are_the_two_commits_and_nothing_else()
    {
        var plan = await _lab.PlanAsync();
        plan.Cells.Count.ShouldBe(2);
        foreach (var cell in plan.Cells)
        {
            cell.Arms.Select(arm => arm.Id).ShouldBe(["base", "head"]);
            cell.Arms.Select(arm => arm.Dimensions["source"]).ShouldBe([PullRequestLab.Base[..12], PullRequestLab.Head[..12]]);
            cell.Arms.Select(arm => arm.Recipe.Folder).ShouldBe([_lab.At("base/workloads/echo"), _lab.At("head/workloads/echo")]);
        }

        (plan.Policy.ScreenRounds, plan.Policy.ConfirmRounds, plan.Seed).ShouldBe((8, 20, 7UL));
    }

    [Fact]
    public async Task the_plan_keeps_what_was_asked_for_and_by_whom_and_what_it_may_cost()
    {
        _lab.Words["machine"] = "agent";
        var plan = await _lab.PlanAsync();
        plan.Request!.Targets.ShouldBe(["pr"]);
        plan.Request.Arms.Select(arm => arm.Id).ShouldBe(["base", "head"]);
        plan.Request.Set.ShouldBeEmpty("the suite's values are the suite's");
        var origin = plan.Request.PullRequest!;
        (origin.Repository, origin.Number, origin.CommentId).ShouldBe(((string?)_lab.Request["repository"], (int)_lab.Request["pullRequest"]!, (long)_lab.Request["commentId"]!));
        (origin.Base, origin.Head, origin.Machine).ShouldBe(((string?)_lab.Request["base"], (string?)_lab.Request["head"], "agent"));
        (plan.Estimate.Cost!.Machine, plan.Estimate.Cost.PricePerHour).ShouldBe(("agent", 0.6));
        plan.Estimate.Cost.Most.ShouldBe(0.6 * plan.Estimate.MostSeconds / 3600, 0.0001);
        new Schemas.JsonSchemaFile("plan").Mistakes(File.ReadAllText(_lab.At("plan.json"))).ShouldBeEmpty();
    }

    [Fact]
    public async Task a_framework_with_a_source_property_takes_the_checkout_and_leaves_the_workload_alone()
    {
        _lab.Write("repo/workloads/client/workload.yaml", """
            schema: perf-lab/workload/1
            name: client
            summary: for tests
            build: { kind: dotnet, project: Client.csproj, runtimes: [net10.0] }
            command: ["./Client"]
            frameworks:
              ours: { property: OursVersion, source-property: OursSource, versions: ["1.0.0"], default: "1.0.0" }
            metrics:
              throughput: { unit: call/s, better: higher, primary: true }
            launch: { warm-up: 0s, measure: 1s, timeout: 10s }
            resources: { cpus: 1, memory: 64MiB, pids: 16, network: none }
            result: perf-lab

            """);
        _lab.Words["suite"] = null;
        _lab.Words["workloads"] = new JsonArray("client");
        var arms = (await _lab.PlanAsync()).Cells[0].Arms;
        arms.Select(arm => arm.Recipe.Folder).ShouldAllBe(folder => folder == _lab.At("repo/workloads/client"));
        arms.Select(arm => arm.Recipe.Source).ShouldBe([_lab.At("base"), _lab.At("head")]);
        arms.Select(arm => arm.Recipe.Properties["OursSource"]).ShouldBe([_lab.At("base"), _lab.At("head")]);
    }

    [Fact]
    public async Task a_filter_leaves_the_benchmarks_that_it_names_and_one_that_names_none_is_refused()
    {
        _lab.Write("repo/workloads/parsing/workload.yaml", """
            schema: perf-lab/workload/1
            name: parsing
            summary: for tests
            build: { kind: dotnet, project: My.Benchmarks.csproj, runtimes: [net10.0] }
            parameters:
              benchmark: { default: My.Parsing.Dates, values: [My.Parsing.Dates, My.Parsing.Numbers, My.Writing.Dates] }
            launch: { warm-up: 1s, measure: 1s, timeout: 120s }
            result: benchmarkdotnet

            """);
        _lab.Words["suite"] = null;
        _lab.Words["workloads"] = new JsonArray("parsing");
        _lab.Words["filters"] = new JsonArray("*Parsing*", "*.Numbers");

        (await _lab.PlanAsync()).Cells.Select(cell => cell.Parameters["benchmark"]).ShouldBe(["My.Parsing.Dates", "My.Parsing.Numbers"], ignoreOrder: true);

        _lab.Words["filters"] = new JsonArray("Parsing.*");
        var (exit, _, error) = await _lab.PlanRequestAsync();
        (exit, error).ShouldSatisfyAllConditions(one => one.exit.ShouldBe(2), one => one.error.ShouldContain("write '*Parsing.*'"));
    }

    [Fact]
    public async Task every_wrong_name_comes_back_at_once_with_the_nearest_valid_one()
    {
        _lab.Words["suite"] = null;
        _lab.Words["workloads"] = new JsonArray("ecko", "echo");
        _lab.Words["machine"] = "agend";
        var (exit, output, error) = await _lab.PlanRequestAsync();
        exit.ShouldBe(2);
        output.ShouldBeEmpty();
        error.ShouldContain("ecko");
        error.ShouldContain("Did you mean echo?");
        error.ShouldContain("Did you mean agent?");
    }

    [Fact]
    public async Task a_plan_over_budget_names_its_cost_and_the_largest_suite_that_fits()
    {
        using var lab = new PullRequestLab(PullRequestLab.Configuration.Replace("minutes: 120", "minutes: 2", StringComparison.Ordinal));
        var (exit, _, error) = await lab.PlanRequestAsync();
        exit.ShouldBe(2);
        error.ShouldContain("this may take 3 minutes and about 0.03 in machine time; a request may take 2 minutes.");
        error.ShouldContain("Try /benchmark tiny: 2 minutes.");
    }

    [Theory]
    [InlineData(120, true, 2)]
    [InlineData(9, false, 2)] // sessions before the why: they say whether it is true
    [InlineData(6, true, 1)]
    [InlineData(3, false, 1)]
    public async Task what_moves_is_explained_where_the_lab_wants_it_and_the_budget_allows(int minutes, bool explains, int sessions)
    {
        using var lab = new PullRequestLab(PullRequestLab.Configuration.Replace("budget: { minutes: 120 }",
            FormattableString.Invariant($"explain: true, budget: {{ minutes: {minutes} }}"), StringComparison.Ordinal));

        var plan = await lab.PlanAsync();

        (plan.Explain, plan.Policy.Repeats + 1).ShouldBe((explains, sessions), FormattableString.Invariant($"{plan.Estimate.MostSeconds} s"));
        plan.Estimate.MostSeconds.ShouldBeLessThanOrEqualTo(60 * minutes);
    }

    [Fact]
    public async Task without_a_budget_in_the_file_a_request_may_measure_for_two_hours()
    {
        using var lab = new PullRequestLab(PullRequestLab.Configuration.Replace(", budget: { minutes: 120 }", "", StringComparison.Ordinal));
        lab.Words["rounds"] = "999+999";
        var (exit, _, error) = await lab.PlanRequestAsync();
        exit.ShouldBe(2);
        error.ShouldContain("a request may take 120 minutes.");
    }

    [Fact]
    public async Task a_workload_that_is_built_by_a_dockerfile_is_built_from_each_commit()
    {
        _lab.Write("repo/workloads/boxed/workload.yaml", PullRequestLab.Manifest
            .Replace("name: echo", "name: boxed", StringComparison.Ordinal)
            .Replace("kind: none", "kind: docker, dockerfile: Dockerfile", StringComparison.Ordinal));
        _lab.Write("repo/workloads/boxed/Dockerfile", "FROM scratch\n");
        _lab.Words["suite"] = null;
        _lab.Words["workloads"] = new JsonArray("boxed");
        var plan = await _lab.PlanAsync();
        plan.Cells.ShouldHaveSingleItem().Arms.Select(arm => arm.Recipe.Folder).ShouldBe([_lab.At("base/workloads/boxed"), _lab.At("head/workloads/boxed")]);
    }

    [Fact]
    public async Task a_wrong_configuration_on_the_default_branch_names_line_and_field()
    {
        using var lab = new PullRequestLab(PullRequestLab.Configuration.Replace("price-per-hour", "price-per-our", StringComparison.Ordinal));
        var (exit, _, error) = await lab.PlanRequestAsync();
        exit.ShouldBe(2);
        error.ShouldContain("perf-lab.yaml, line 6");
        error.ShouldContain("price-per-our");
    }

    [Theory]
    [InlineData("plan", "--request", "request.json")]
    [InlineData("plan", "--checkouts", ".")]
    [InlineData("plan", "echo", "--request", "request.json", "--checkouts", ".")]
    [InlineData("plan", "--pgo", "on", "--request", "request.json", "--checkouts", ".")]
    public async Task the_request_and_the_folder_of_its_commits_go_together_and_with_nothing_else(params string[] arguments)
    {
        _lab.Write("request.json", _lab.Request.ToJsonString());
        (await _lab.RunAsync(arguments)).Exit.ShouldBe(2);
    }

    public void Dispose() => _lab.Dispose();
}
