using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

public class EstimateTests
{
    private static readonly PerfLab.Core.Model.Workload Old = Spin with { Build = Spin.Build with { Runtimes = ["netcoreapp3.1", "net8.0", "net9.0", "net10.0"] } };

    /// <summary>Two arms: `Launch = new(2, 3, 60)`, so a launch is expected to take 5.6 s.</summary>
    private static RunPlan Planned(BenchmarkRequest request, params PerfLab.Core.Model.Workload[] workloads) => Plan(request, workloads).Plan.ShouldNotBeNull();

    private static BenchmarkRequest Pgo(params string[] runtimes) => Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("runtime", runtimes) with { Rounds = (6, 13) };

    [Fact]
    public void an_estimate_holds_every_launch_of_the_screen_and_at_most_every_one_of_the_confirm_stage()
    {
        var estimate = Planned(Pgo("net10.0"), Old).Estimate;
        (estimate.LeastLaunches, estimate.MostLaunches).ShouldBe((12, 38));
        // A check of the machine for every two minutes is on top: less than half a percent.
        estimate.LeastSeconds.ShouldBeInRange(12 * 5.6, 12 * 5.6 * 1.005);
        estimate.MostSeconds.ShouldBeInRange(38 * 5.6, 38 * 5.6 * 1.005);
    }

    [Theory]
    [InlineData(null, 10)] // 2 s at least, 10 s more at most
    [InlineData(20.0, 10)]
    [InlineData(50.0, 3.5)] // half of what the deadline of 60 s leaves after 50 s and 3 s of measuring
    public void what_it_may_take_beyond_that_until_all_is_at_rest_is_known(double? warmUp, double more)
    {
        var plan = Planned(Pgo("net10.0") with { WarmUpSeconds = warmUp }, Old);
        plan.UntilRestSeconds.ShouldBe(38 * more, 1e-9);
        plan.Estimate.MostSeconds.ShouldBeInRange(38 * (3.6 + (warmUp ?? 2)), 38 * (3.6 + (warmUp ?? 2)) * 1.005);
    }

    [Theory]
    [InlineData(null, "1", 4.5, 24.5)] // 2 s and 27 more at most, and a program that is flat is at rest after 4.5 s
    [InlineData(6.0, "1", 6, 25.5)] // half of what the deadline of 60 s leaves after 6 s and 3 s of measuring
    [InlineData(null, "2", 2, 10)]
    public void one_core_takes_longer_to_come_to_rest(double? warmUp, string cores, double expected, double more)
    {
        var plan = Planned(Pgo("net10.0").With("cpus", cores) with { WarmUpSeconds = warmUp }, Old);
        plan.UntilRestSeconds.ShouldBe(38 * more, 1e-9);
        plan.Estimate.MostSeconds.ShouldBeInRange(38 * (3.6 + expected), 38 * (3.6 + expected) * 1.005);
    }

    [Fact]
    public void arms_of_different_cores_have_one_bound_and_times_of_their_own()
    {
        var plan = Planned(Request(Arm("base", "cpus=1"), Arm("head", "cpus=2")).With("runtime", "net10.0") with { Rounds = (0, 13) }, Old);
        plan.Cells.Single().WarmUpBoundSeconds.ShouldBe(29);
        plan.Estimate.MostSeconds.ShouldBeInRange(13 * (8.1 + 5.6), 13 * (8.1 + 5.6) * 1.005);
    }

    [Fact]
    public void a_warm_up_of_what_is_to_be_cold_is_refused() =>
        Plan(Pgo("net10.0").With("age", "cold") with { WarmUpSeconds = 3 }, Old).Problems.ShouldHaveSingleItem().ToString()
            .ShouldBe("--warm-up: goes without --age cold, which warms up nothing. Leave one of them out.");

    [Fact]
    public void nothing_is_added_for_what_is_measured_from_its_start() =>
        Planned(Pgo("net10.0"), Old with { Launch = new(0, 3, 60) }).UntilRestSeconds.ShouldBe(0);

    [Theory]
    [InlineData("net8.0", "gc=workstation", 2)]
    [InlineData("net9.0", "gc=workstation", 0)]
    [InlineData("net10.0", "gc=workstation", 0)]
    [InlineData("net10.0", "gc=server", 2)]
    [InlineData("net8.0", "gc=server", 2)]
    public void every_arm_that_its_own_launches_can_not_prove_costs_one_launch_more(string runtime, string gc, int proofs)
    {
        var plan = Planned(Pgo(runtime).With("gc", gc[3..]), Old);
        ProofNeed.Count(plan).ShouldBe(proofs);
        plan.Estimate.LeastLaunches.ShouldBe(12, "they are not measured");
        plan.Estimate.LeastSeconds.ShouldBeInRange((12 + proofs) * 5.6, (12 + proofs) * 5.6 * 1.005);
    }

    [Fact]
    public void a_cell_that_can_not_be_measured_costs_nothing_and_a_workload_without_knobs_proves_nothing()
    {
        var mixed = Planned(Pgo("netcoreapp3.1", "net10.0"), Old);
        mixed.Cells.Count(cell => cell.Unavailable is not null).ShouldBe(1);
        // One arm of .NET 3.1 is left, with its proof.
        (mixed.Estimate.LeastLaunches, ProofNeed.Count(mixed)).ShouldBe((18, 1));
        ProofNeed.Count(Planned(Request(Bare("head")), Script)).ShouldBe(0);
    }

    [Fact]
    public void without_a_screen_least_and_most_are_the_same()
    {
        var estimate = Planned(Pgo("net8.0") with { Rounds = (0, 13) }, Old).Estimate;
        estimate.LeastSeconds.ShouldBe(estimate.MostSeconds);
        estimate.LeastLaunches.ShouldBe(26);
    }
}
