using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

/// <summary>`cpus=` and `memory=` are dimensions of every workload: an arm that names one has it, another has the workload's own.</summary>
public sealed class LimitDimensionsTests
{
    [Fact]
    public void an_arm_has_the_limits_that_it_names_and_the_workloads_own_else()
    {
        var cell = Planned(Request(Arm("base", "pgo=on"), Arm("head", "pgo=on", "cpus=1", "memory=1024MiB"))).Cells.Single();
        cell.ResourcesOf(cell.Arms[0]).ShouldBe(Json.Resources);
        cell.ResourcesOf(cell.Arms[1]).ShouldBe(new Resources(1, 1L << 30, 512));
        cell.Arms[1].Dimensions["memory"].ShouldBe("1GiB");
        cell.Arms[0].Environment.ShouldBe(cell.Arms[1].Environment, "a limit is nothing that the program is told");
        cell.Arms[0].Recipe.ShouldBeEquivalentTo(cell.Arms[1].Recipe, "nor anything that is built in");
    }

    [Fact]
    public void values_to_measure_make_cells_of_their_own_whose_arms_all_have_them()
    {
        var cells = Planned(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("cpus", "1", "2").With("memory", "256MiB")).Cells;
        cells.Select(cell => cell.Dimensions["cpus"]).ShouldBe(["1", "2"]);
        cells.ShouldAllBe(cell => cell.Dimensions["memory"] == "256MiB");
        cells[0].Arms.ShouldAllBe(arm => cells[0].ResourcesOf(arm) == new Resources(1, 256 << 20, 512));
    }

    [Fact]
    public void without_being_asked_the_plan_is_what_it_was()
    {
        var plan = Planned(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")));
        PlanFile.File.Write(new(plan)).ShouldNotContain("limits");
        plan.Cells[0].Dimensions.Keys.ShouldNotContain("cpus");
    }

    [Fact]
    public void the_plan_keeps_them_through_its_file()
    {
        var plan = Planned(Request(Arm("base", "cpus=1"), Arm("head", "cpus=2")));
        var reading = PlanFile.File.Read(PlanFile.File.Write(new(plan)));
        reading.Problems.ShouldBeEmpty();
        var read = reading.Value!.Plan;
        read.Cells[0].Arms.Select(arm => arm.Limits).ShouldBe([new AskedLimits(1, null), new AskedLimits(2, null)]);
    }

    [Theory]
    [InlineData("cpus", "0", "'0' is not a number of cores. A whole number from 1: cpus=1")]
    [InlineData("cpus", "-1", "'-1' is not a number of cores.")]
    [InlineData("cpus", "1.5", "'1.5' is not a number of cores.")]
    [InlineData("cpus", "0-1", "'0-1' is not a number of cores.")]
    [InlineData("cpus", "99999999999", "'99999999999' is not a number of cores.")]
    [InlineData("cpus", "*", "'*' is not a number of cores.")]
    [InlineData("memory", "0MiB", "'0MiB' is not a size such as 512MiB or 2GiB. A whole number of MiB or GiB: memory=256MiB")]
    [InlineData("memory", "256", "'256' is not a size such as 512MiB or 2GiB.")]
    [InlineData("memory", "256MB", "'256MB' is not a size such as 512MiB or 2GiB.")]
    [InlineData("memory", "1.5GiB", "'1.5GiB' is not a size such as 512MiB or 2GiB.")]
    [InlineData("memory", "256MiB\n", "is not a size such as 512MiB or 2GiB.")]
    [InlineData("memory", "5MiB", "5MiB is less than a container can have. At least 6MiB.")]
    public void what_is_no_limit_is_refused(string dimension, string value, string expected) =>
        Plan(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With(dimension, value), Json)
            .Problems.ShouldHaveSingleItem().ToString().ShouldContain(expected);

    [Fact]
    public void server_gc_does_not_go_with_one_core_whoever_says_so()
    {
        Plan(Request(Arm("base", "cpus=1"), Arm("head", "cpus=1", "gc=server")), Json)
            .Problems.ShouldHaveSingleItem().ToString().ShouldContain("gc=server does not go with one CPU");
        var one = Json with { Resources = Json.Resources with { Cpus = 1 } };
        Plan(Request(Arm("base", "cpus=2"), Arm("head", "cpus=2", "gc=server")), one).Problems.ShouldBeEmpty();
    }

    [Fact]
    public void a_parameter_of_that_name_goes_first()
    {
        var own = Json with { Parameters = [new() { Name = "cpus", Default = "7", Type = ParameterType.Integer }] };
        var cell = Plan(Request(Arm("base", "cpus=0"), Arm("head", "cpus=9")), own).Plan!.Cells.Single();
        cell.Arms.ShouldAllBe(arm => arm.Limits == null);
        cell.Arms[1].Environment.ShouldContain(pair => pair.Key == "PERF_LAB_PARAM_CPUS" && pair.Value == "9");
    }

    [Fact]
    public void arms_on_different_cores_take_no_turns()
    {
        var request = Request(Arm("base", "cpus=1"), Arm("head", "cpus=2")) with { Turns = TurnPlan.Default };
        Plan(request, Json).Problems.ShouldHaveSingleItem().ToString()
            .ShouldContain("arms that take turns share their cores, and these have different cpus");
        Plan(Request(Arm("base", "memory=1GiB"), Arm("head", "memory=2GiB")) with { Turns = TurnPlan.Default }, Json).Problems.ShouldBeEmpty();
    }

    private static RunPlan Planned(PerfLab.Core.Planning.Requests.BenchmarkRequest request)
    {
        var result = Plan(request, Json);
        result.Problems.ShouldBeEmpty();
        return result.Plan!;
    }
}
