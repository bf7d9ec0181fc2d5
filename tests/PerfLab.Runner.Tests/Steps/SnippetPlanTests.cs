using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Reports;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>A block of C# below a `/benchmark`, from request.json to the plan. Nothing is built.</summary>
public sealed class SnippetPlanTests : IDisposable
{
    private const string Text = """
        using BenchmarkDotNet.Attributes;
        public class Mine { [Benchmark] public int A() => 1; [Benchmark] public int B() => 2; }

        """;

    private readonly PullRequestLab _lab = new(Configuration);

    public SnippetPlanTests()
    {
        Project("parse", "Parse.csproj", "Theirs.Dates");
        _lab.Request["snippet"] = new JsonObject { ["comment"] = 7, ["text"] = Text };
    }

    [Fact]
    public async Task it_is_built_in_the_project_of_the_suite_and_no_benchmark_is_named_before_that()
    {
        var plan = await _lab.PlanAsync();
        plan.Unlisted.ShouldBe(["parse"]);
        var cell = plan.Cells.ShouldHaveSingleItem();
        cell.Workload.ShouldBe("parse");
        cell.Arms.Select(arm => arm.Recipe.Snippet).ShouldBe([Text, Text]);
        cell.Arms.Select(arm => (arm.Id, arm.Recipe.Folder))
            .ShouldBe([("base", _lab.At("base/workloads/parse")), ("head", _lab.At("head/workloads/parse"))]);
        cell.Dimensions["runtime"].ShouldStartWith("net10.0");
        PlanFile.File.Read(PlanFile.File.Write(new(plan))).Value.ShouldNotBeNull().Plan.Hash.ShouldBe(plan.Hash);
        File.ReadAllText(_lab.At("plan.json")).ShouldNotContain("Theirs.Dates");
    }

    [Fact]
    public async Task the_benchmarks_that_its_builds_list_are_measured_and_nothing_else_is()
    {
        var open = await ListedAsync("Mine.A", "Mine.B(x: 1)");
        var plan = await _lab.CompletedAsync();
        plan.Cells.Select(cell => (cell.Workload, cell.BuiltAs, cell.Parameters[BenchmarkCases.Parameter]))
            .ShouldBe([("parse", "c001", "Mine.A"), ("parse", "c001", "Mine.B(x: 1)")]);
        (plan.Unlisted, plan.BuildsOf).ShouldBe((null, open.Hash));
        plan.Cells.SelectMany(cell => cell.Arms).Select(arm => RecipeKey.Of(arm.Recipe)).Distinct()
            .ShouldBe(open.Cells[0].Arms.Select(arm => RecipeKey.Of(arm.Recipe)));
    }

    [Fact]
    public async Task in_a_project_that_a_suite_names_its_benchmarks_are_listed_alike()
    {
        using var listed = new Listed.ListedLab(more: ", echo");
        listed.Lab.Request["snippet"] = _lab.Request["snippet"]!.DeepClone();
        var open = await listed.OpenAsync();
        open.Cells.ShouldHaveSingleItem().Arms.ShouldAllBe(arm => arm.Recipe.Snippet == Text);
        listed.Listed(open, "base", "Mine.A", "Mine.Old");
        listed.Listed(open, "head", "Mine.A");
        (await listed.CompletedAsync()).Cells.Select(cell => (cell.Workload, cell.Parameters[BenchmarkCases.Parameter], cell.Unavailable is null))
            .ShouldBe([(Listed.ListedLab.Name, "Mine.A", true), (Listed.ListedLab.Name, "Mine.Old", false)]);
    }

    [Fact]
    public async Task one_without_a_benchmark_is_told_so()
    {
        await ListedAsync();
        var (exit, output, error) = await _lab.CompleteAsync();
        (exit, output).ShouldBe((2, ""));
        error.ShouldContain("snippet: it holds none: no public class has a method with [Benchmark].");
        error.ShouldContain("A block of C# that is only an example begins with ```text.");
    }

    [Fact]
    public async Task without_one_the_plan_has_the_benchmarks_of_the_manifest_and_no_text()
    {
        _lab.Request["snippet"] = null;
        _lab.Words["suite"] = "bench";
        var plan = await _lab.PlanAsync();
        plan.Cells.ShouldHaveSingleItem().Parameters[BenchmarkCases.Parameter].ShouldBe("Theirs.Dates");
        plan.Cells[0].Arms[0].Recipe.Snippet.ShouldBeNull();
    }

    [Fact]
    public async Task what_a_filter_leaves_of_it_is_measured()
    {
        _lab.Words["filters"] = new JsonArray("*.B");
        await ListedAsync("Mine.A", "Mine.B");
        (await _lab.CompletedAsync()).Cells.ShouldHaveSingleItem().Parameters[BenchmarkCases.Parameter].ShouldBe("Mine.B");
    }

    [Fact]
    public async Task another_text_is_another_recipe_and_another_plan()
    {
        var plan = await _lab.PlanAsync();
        _lab.Request["snippet"]!["text"] = Text + "// more\n";
        var other = await _lab.PlanAsync();
        other.Hash.ShouldNotBe(plan.Hash);
        RecipeKey.Of(other.Cells[0].Arms[0].Recipe).ShouldNotBe(RecipeKey.Of(plan.Cells[0].Arms[0].Recipe));
    }

    [Fact]
    public async Task its_project_is_the_only_one_of_what_is_named()
    {
        Project("write", "Write.csproj", "Theirs.Numbers");
        Project("basic", "Basic.vbproj", "Theirs.Old");
        await ShouldSay("both", "several projects could hold it: parse, write. Name one with --workload.");
        await ShouldSay("none", "none of what is named is a project of BenchmarkDotNet. ");
        await ShouldSay("none", "Name one with --workload: basic, echo, parse, write.");
        await ShouldSay("vb", "basic is no C# project: Basic.vbproj.");
        _lab.Words["suite"] = null;
        _lab.Words["workloads"] = new JsonArray("write");
        (await _lab.PlanAsync()).Cells.Select(cell => cell.Workload).Distinct().ShouldBe(["write"]);
    }

    [Fact]
    public async Task one_that_takes_too_long_names_no_suite_in_its_place()
    {
        _lab.Words["rounds"] = "999+999";
        _lab.Words["sessions"] = 10;
        var (exit, _, error) = await _lab.PlanRequestAsync();
        exit.ShouldBe(2);
        error.ShouldContain("a request may take 120 minutes");
        error.ShouldContain("Name fewer workloads, runtimes or rounds.");
        error.ShouldNotContain("Try /benchmark");
    }

    [Fact]
    public async Task a_row_is_measured_again_with_the_file_that_a_person_saved()
    {
        await ListedAsync("Mine.A");
        var plan = await _lab.CompletedAsync();
        var cell = plan.Cells[0].ToCell(_ => null, _ => null, null);
        var line = ReproduceLine.For(cell, "head", plan.Policy, new PlanFacts(null) { IsSnippet = true }).ShouldNotBeNull();
        line.ShouldStartWith("./perf-lab run parse --filter Mine.A --base source=a1b2c3d4e5f6 --head source=d4e5f6a7b8c9 ");
        line.ShouldContain(" --benchmarks snippet.cs");
        ReproduceLine.For(cell, "head", plan.Policy, new PlanFacts(null)).ShouldNotBeNull().ShouldNotContain("--benchmarks");
    }

    private async Task<RunPlan> ListedAsync(params string[] names)
    {
        var open = await _lab.PlanAsync();
        foreach (var arm in (string[])["base", "head"])
        {
            _lab.Listed(open, (arm, "parse"), [.. names.Select(name => (name, (string[])[]))]);
        }

        return open;
    }

    private async Task ShouldSay(string suite, string sentence)
    {
        _lab.Words["suite"] = suite;
        var (exit, _, error) = await _lab.PlanRequestAsync();
        exit.ShouldBe(2, error);
        error.ShouldContain(sentence);
    }

    private void Project(string name, string project, string benchmark)
    {
        _lab.Write($"repo/workloads/{name}/{project}", "<Project />");
        _lab.Write($"repo/workloads/{name}/workload.yaml", $$"""
            schema: perf-lab/workload/1
            name: {{name}}
            summary: for tests
            build: { kind: dotnet, project: {{project}}, runtimes: [net10.0] }
            parameters: { benchmark: { default: {{benchmark}}, values: [{{benchmark}}] } }
            launch: { warm-up: 0s, measure: 1s, timeout: 10s }
            result: benchmarkdotnet

            """);
    }

    private const string Configuration = """
        schema: perf-lab/config/1
        suites:
          pr: { workloads: [echo, parse], set: { runtime: [net10.0], benchmark: [Theirs.Dates] } }
          bench: { workloads: [parse], set: { runtime: [net10.0] } }
          both: { workloads: [parse, write] }
          none: { workloads: [echo] }
          vb: { workloads: [basic] }
        machines:
          agent: { kind: azure, price-per-hour: 0.6 }
        github: { suite: pr, machine: agent, budget: { minutes: 120 } }

        """;

    public void Dispose() => _lab.Dispose();
}
