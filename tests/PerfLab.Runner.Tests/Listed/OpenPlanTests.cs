using System.Text.Json.Nodes;
using PerfLab.Core.Planning.Plans;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Listed;

/// <summary>A pull request's plan whose benchmarks are known when both arms are built: open until then, complete after it.</summary>
public sealed class OpenPlanTests(ListedLab lab) : IClassFixture<ListedLab>
{
    private readonly ListedLab _lab = lab;

    [Fact]
    public async Task a_project_that_a_suite_names_is_planned_without_its_benchmarks()
    {
        var open = await _lab.OpenAsync();
        open.Unlisted.ShouldBe([ListedLab.Name]);
        var cell = open.Cells.ShouldHaveSingleItem();
        cell.Dimensions["runtime"].ShouldStartWith("net10.0");
        cell.Arms.Select(arm => arm.Recipe.Folder).ShouldBe([_lab.Lab.At("base/bench"), _lab.Lab.At("head/bench")]);
        new Schemas.JsonSchemaFile("plan").Mistakes(File.ReadAllText(_lab.Lab.At("plan.json"))).ShouldBeEmpty();

        var (exit, _, error) = await _lab.Lab.RunAsync("measure", "plan.json");
        exit.ShouldBe(2);
        error.ShouldContain("the benchmarks of My.Bench are not listed");
    }

    [Fact]
    public async Task each_benchmark_gets_a_cell_and_one_that_only_head_has_says_so()
    {
        var open = await _lab.OpenAsync();
        _lab.Listed(open, "base", "A.Parse", "A.Write(x: 1)");
        _lab.Listed(open, "head", "A.New", "A.Parse", "A.Write(x: 1)");
        var plan = await _lab.CompletedAsync();

        plan.Cells.Select(cell => cell.Id).ShouldBe(["c001", "c002", "c003"]);
        plan.Cells.Select(cell => cell.Parameters["benchmark"]).ShouldBe(["A.Parse", "A.Write(x: 1)", "A.New"]);
        plan.Cells.Select(cell => cell.Unavailable is not null).ShouldBe([false, false, true]);
        plan.Cells[2].Unavailable.ShouldStartWith("base holds no such benchmark");
        plan.Cells[1].Arms.ShouldAllBe(arm => arm.Environment.Contains(new("PERF_LAB_PARAM_BENCHMARK", "A.Write(x: 1)")));
        plan.Screen.Concat(plan.Confirm).Select(round => round.Cell).Distinct().ShouldBe(["c001", "c002"], ignoreOrder: true);
        (plan.Unlisted, plan.BuildsOf, plan.Seed, plan.OnlyTouched).ShouldBe((null, open.Hash, open.Seed, true));
        plan.Cells.ShouldAllBe(cell => cell.BuiltAs == "c001");
        plan.Cells.SelectMany(cell => cell.Arms).Select(arm => RecipeKey.Of(arm.Recipe)).Distinct()
            .ShouldBe(open.Cells[0].Arms.Select(arm => RecipeKey.Of(arm.Recipe)), ignoreOrder: true);
        plan.Request!.PullRequest!.Head.ShouldBe(open.Request!.PullRequest!.Head);
        new Schemas.JsonSchemaFile("plan").Mistakes(File.ReadAllText(_lab.Lab.At("whole.json"))).ShouldBeEmpty();
        (await _lab.CompletedAsync()).Hash.ShouldBe(plan.Hash, "whoever completes it again has the same plan");
    }

    [Fact]
    public async Task a_warm_up_and_the_newest_sdk_are_asked_for_as_on_the_command_line()
    {
        Nightly.Only("10 seconds");
        using var asked = new ListedLab();
        (asked.Lab.Words["warmUp"], asked.Lab.Words["sdk"]) = (6, "current");
        var open = await asked.OpenAsync();
        open.Cells[0].Arms.ShouldAllBe(arm => arm.Recipe.CurrentSdk);
        asked.Listed(open, "base", "A.Parse");
        asked.Listed(open, "head", "A.Parse");
        var whole = await asked.CompletedAsync();
        whole.Cells.ShouldHaveSingleItem().Launch.WarmUpSeconds.ShouldBe(6);
        whole.Request!.WarmUpSeconds.ShouldBe(6, "the line that measures a row again has it");

        asked.Lab.Words["warmUp"] = 300;
        var (exit, _, error) = await asked.Lab.PlanRequestAsync();
        exit.ShouldBe(2, "nothing is built for it");
        error.ShouldContain("--warm-up: 300 s to warm up and");
        error.ShouldContain("are over the deadline of My.Bench, 120 s");
    }

    [Fact]
    public async Task minutes_are_kept_when_it_is_complete_and_held_to_what_both_arms_hold()
    {
        using var asked = new ListedLab();
        asked.Lab.Words["within"] = 10;
        var open = await asked.OpenAsync();
        open.Policy.Within.ShouldBe(10);
        asked.Listed(open, "base", "A.Parse");
        asked.Listed(open, "head", "A.Parse");
        var whole = await asked.CompletedAsync();
        (whole.Policy.Within, whole.Policy.Repeats, whole.Estimate.MostSeconds, whole.Shards).ShouldBe((10, 0, 600, null));

        string[] many = [.. Enumerable.Range(0, 100).Select(number => FormattableString.Invariant($"A.B{number:000}"))];
        asked.Listed(open, "base", many);
        asked.Listed(open, "head", many);
        var hundred = await asked.CompletedAsync();
        hundred.Cells.Count.ShouldBe(100, "which of them the change can touch is known only where they are measured");
        (hundred.Estimate.LeastSeconds, hundred.Estimate.MostSeconds).ShouldBe((whole.Estimate.LeastSeconds, 600));

        asked.Lab.Words["within"] = 0.1;
        var (exit, _, error) = await asked.Lab.PlanRequestAsync();
        exit.ShouldBe(2);
        error.ShouldContain("--within: 0.1 min are over before any row can have an answer: that takes about ");
        error.ShouldContain("Without --within, up to 4 machines share the rows; minutes are those of one.");
    }

    [Fact]
    public async Task a_project_is_also_named_as_the_report_names_it()
    {
        Nightly.Only("10 seconds");
        using var named = new ListedLab();
        named.Lab.Words["suite"] = null;
        named.Lab.Words["workloads"] = new JsonArray(ListedLab.Name);
        named.Lab.Words["runtimes"] = new JsonArray("net8.0");
        var open = await named.OpenAsync();
        named.Listed(open, "base", "A.Parse");
        named.Listed(open, "head", "A.Parse");
        (await named.CompletedAsync()).Cells.ShouldHaveSingleItem().Dimensions["runtime"].ShouldStartWith("net8.0");
    }

    [Fact]
    public async Task filter_and_categories_choose_as_on_the_command_line()
    {
        var open = await _lab.OpenAsync();
        (string, string[])[] held = [("A.Parse", ["text"]), ("A.Write", ["io"]), ("B.Parse", ["io"])];
        _lab.Listed(open, "base", held);
        _lab.Listed(open, "head", held);
        _lab.Lab.Words["filters"] = new JsonArray("*Parse");
        (await _lab.CompletedAsync()).Cells.Select(cell => cell.Parameters["benchmark"]).ShouldBe(["A.Parse", "B.Parse"]);
        _lab.Lab.Words["categories"] = new JsonArray("io");
        (await _lab.CompletedAsync()).Cells.Select(cell => cell.Parameters["benchmark"]).ShouldBe(["B.Parse"]);

        _lab.Lab.Words["filters"] = new JsonArray("Pars");
        _lab.Lab.Words["categories"] = new JsonArray("iO", "texd");
        var (exit, output, error) = await _lab.CompleteAsync();
        (exit, output).ShouldBe((2, ""));
        error.ShouldContain("write '*Pars*'");
        error.ShouldContain("no benchmark is in the category 'texd'. Did you mean text?");
    }

    [Fact]
    public async Task it_is_measured_with_the_builds_of_the_open_plan_also_when_fewer_machines_come()
    {
        var open = await _lab.OpenAsync();
        _lab.Listed(open, "base", "A.Parse", "A.Write");
        _lab.Listed(open, "head", "A.Parse", "A.Write");
        var plan = await _lab.CompletedAsync();
        _lab.Lab.Write("builds.json", new JsonObject
        {
            ["schema"] = "perf-lab/builds/1",
            ["plan"] = open.Hash,
            ["arms"] = new JsonArray([.. ((string[])["base", "head"]).Select(arm => new JsonObject
            {
                ["cell"] = "c001",
                ["arm"] = arm,
                ["build"] = null,
                ["unavailable"] = $"of {arm}",
                ["failure"] = null,
            })]),
        }.ToJsonString());
        BuildsFile.Read(_lab.Lab.At("builds.json"), plan).Results.Select(pair => (pair.Key.Cell, pair.Key.Arm, pair.Value.Unavailable)).ShouldBe(
            [("c001", "base", "of base"), ("c001", "head", "of head"), ("c002", "base", "of base"), ("c002", "head", "of head")], ignoreOrder: true);

        var (exit, output, error) = await _lab.Lab.RunAsync("plan", "--again", "whole.json", "--shards", "2");
        exit.ShouldBe(0, error);
        var spread = PlanFile.File.Read(output).Value!.Plan;
        spread.Hash.ShouldNotBe(plan.Hash);
        BuildsFile.Read(_lab.Lab.At("builds.json"), spread).Results.Count.ShouldBe(4);
    }

    [Fact]
    public async Task a_plan_that_is_spread_anew_keeps_the_builds_that_were_made_for_it()
    {
        using var other = new Steps.PullRequestLab();
        await other.PlanAsync();
        (await other.RunAsync("build", "plan.json", "--executor", "process")).Exit.ShouldBe(0);
        var (exit, output, error) = await other.RunAsync("plan", "--again", "plan.json", "--shards", "2");
        exit.ShouldBe(0, error);
        BuildsFile.Read(other.At("builds.json"), PlanFile.File.Read(output).Value!.Plan).Results.Count.ShouldBe(4);
    }

    [Fact]
    public async Task manifests_beside_the_project_stay_as_they_are()
    {
        Nightly.Only("10 seconds");
        using var mixed = new ListedLab(more: ", echo");
        var open = await mixed.OpenAsync();
        open.Unlisted.ShouldBe([ListedLab.Name]);
        mixed.Listed(open, "base", "A.Parse", "B.Parse");
        mixed.Listed(open, "head", "A.Parse", "B.Parse");
        (await mixed.CompletedAsync()).Cells.Select(cell => (cell.Workload, cell.BuiltAs, cell.Parameters.GetValueOrDefault("benchmark")))
            .ShouldBe([(ListedLab.Name, "c001", "A.Parse"), (ListedLab.Name, "c001", "B.Parse"), ("echo", "c002", null)]);
    }

    [Theory]
    [InlineData("../other/Bench.csproj", "lies outside of")]
    [InlineData("nowhere/Bench.csproj", "there is no such project file")]
    [NightlyData("bench/sub/My.Bench.csproj", "is the name of two workloads of this request")]
    public async Task a_project_that_can_not_be_planned_is_refused(string project, string said)
    {
        using var mixed = new ListedLab(more: ", " + project);
        mixed.Lab.Write("other/Bench.csproj", "<Project />");
        mixed.Lab.Write("repo/bench/sub/My.Bench.csproj", File.ReadAllText(mixed.Lab.At("repo/bench/My.Bench.csproj")));
        var (exit, output, error) = await mixed.Lab.PlanRequestAsync();
        (exit, output).ShouldBe((2, ""));
        error.ShouldContain(said);
    }

    [Theory]
    [InlineData("--listed base=base.json", "names each arm of the plan once")]
    [InlineData("--listed base=base.json --listed head=head.json --aa", "--aa: does not go with --request")]
    [InlineData("--listed base=base.json --listed head", "names each arm of the plan once")]
    public async Task it_is_completed_by_a_list_of_each_arm_and_nothing_else(string options, string said)
    {
        var open = await _lab.OpenAsync();
        _lab.Listed(open, "base", "A");
        _lab.Listed(open, "head", "A");
        var (exit, _, error) = await _lab.Lab.RunAsync(["plan", "--complete", "plan.json", "--request", "request.json", .. options.Split(' ')]);
        exit.ShouldBe(2);
        error.ShouldContain(said);
    }

    [Fact]
    public async Task a_complete_plan_is_not_completed_again()
    {
        var open = await _lab.OpenAsync();
        _lab.Listed(open, "base", "A");
        _lab.Listed(open, "head", "A");
        await _lab.CompletedAsync();
        var (exit, _, error) = await _lab.Lab.RunAsync(
            "plan", "--complete", "whole.json", "--request", "request.json", "--listed", "head=head.json", "--listed", "base=base.json");
        exit.ShouldBe(2);
        error.ShouldContain("is complete already");
    }
}
