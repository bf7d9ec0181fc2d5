using System.Text.Json;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

/// <summary>Benchmarks of BenchmarkDotNet are cells like any other.</summary>
public sealed class BenchmarkCellsTests
{
    private static readonly string[] Names = ["My.Parsing.Numbers(count: 10, text: \"a,b\")", "My.Parsing.Dates"];

    [Fact]
    public void each_benchmark_is_a_cell_for_each_runtime_and_one_build_serves_them_all()
    {
        var plan = Plan(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("benchmark", "*").With("runtime", "net8.0", "net10.0"), Benchmarks(Names)).Plan.ShouldNotBeNull();

        plan.Cells.Select(cell => (cell.Dimensions["runtime"], cell.Parameters["benchmark"])).ShouldBe(
            [("net8.0.33", Names[0]), ("net8.0.33", Names[1]), ("net10.0.14", Names[0]), ("net10.0.14", Names[1])]);
        plan.Cells.ShouldAllBe(cell => cell.Result == ResultFormat.BenchmarkDotNet && cell.Metrics.Count == 5);
        plan.Cells.SelectMany(cell => cell.Arms).Select(arm => RecipeKey.Of(arm.Recipe)).Distinct().Count().ShouldBe(2);
        plan.Cells[0].Arms[0].Recipe.IsBenchmarkDotNet.ShouldBeTrue();
        plan.Cells[0].Arms[0].Environment.ShouldContain(new KeyValuePair<string, string>("PERF_LAB_PARAM_BENCHMARK", Names[0]));
    }

    [Fact]
    public void the_pilots_are_in_the_estimate()
    {
        double Seconds(Workload workload) => Plan(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("benchmark", "*") with { Rounds = (0, 13) }, workload).Plan!.Estimate.LeastSeconds;
        var benchmarks = Benchmarks(Names);

        (Seconds(benchmarks) / Seconds(benchmarks with { Result = ResultFormat.PerfLab })).ShouldBe(27 / 26d, 1e-3);
    }

    [Fact]
    public void a_benchmark_that_one_arm_lacks_is_a_row_that_says_so()
    {
        var workload = Benchmarks(Names);
        var missing = new Dictionary<string, string> { [Names[1]] = "base holds no such benchmark" };
        var plan = Plan(
            Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("benchmark", "*"),
            workload with { Parameters = [workload.Parameters[0] with { Missing = missing }] }).Plan.ShouldNotBeNull();

        plan.Cells.Select(cell => cell.Unavailable).ShouldBe([null, "base holds no such benchmark"]);
        plan.Screen.Concat(plan.Confirm).ShouldAllBe(round => round.Cell == plan.Cells[0].Id);
    }

    [Fact]
    public void nothing_is_planned_for_an_arm_that_has_no_build()
    {
        var workload = Benchmarks(Names) with { NotBuilt = new Dictionary<(string, string?), string> { [("base", "8.0.33")] = "base can't be built: no SDK" } };
        var plan = Plan(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("benchmark", "*").With("runtime", "net8.0", "net10.0"), workload).Plan.ShouldNotBeNull();

        plan.Cells.Select(cell => (cell.Dimensions["runtime"], cell.Unavailable)).Distinct().ShouldBe(
            [("net8.0.33", "base can't be built: no SDK"), ("net10.0.14", null)]);
        plan.Screen.Concat(plan.Confirm).Select(round => round.Cell).ShouldBeSubsetOf(plan.Cells.Where(cell => cell.Unavailable is null).Select(cell => cell.Id));
    }

    [Fact]
    public void the_current_sdk_is_a_part_of_every_recipe_and_of_no_other_plan()
    {
        var request = Request(Arm("base", "pgo=off"), Arm("head", "pgo=on"));
        Plan(request with { CurrentSdk = true }, Benchmarks(Names)).Plan!.Cells.SelectMany(cell => cell.Arms).ShouldAllBe(arm => arm.Recipe.CurrentSdk);
        Plan(request with { CurrentSdk = true }, Script).Plan?.Cells.SelectMany(cell => cell.Arms).ShouldAllBe(arm => !arm.Recipe.CurrentSdk);
        JsonSerializer.Serialize(Plan(request, Benchmarks(Names)).Plan!.Cells[0].Arms[0].Recipe).ShouldNotContain("CurrentSdk");
    }

    [Fact]
    public void the_hash_of_a_plan_without_benchmarks_did_not_change() =>
        JsonSerializer.Serialize(Plan(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")), Spin).Plan!.Cells[0].Arms[0].Recipe).ShouldNotContain("IsBenchmarkDotNet");
}
