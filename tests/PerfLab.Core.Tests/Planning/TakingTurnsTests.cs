using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

/// <summary>What can be measured in turns is planned so; what can't is refused before anything runs, with the reason.</summary>
public sealed class TakingTurnsTests
{
    private static readonly BenchmarkRequest TwoArms = Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")) with { Turns = TurnPlan.Default };

    [Fact]
    public void every_cell_of_a_plan_says_how_its_arms_take_turns_and_the_journal_has_it_from_there()
    {
        var plan = Plan(TwoArms.With("documents", "100", "1000"), Json).Plan!;
        plan.Cells.ShouldAllBe(cell => cell.Turns == new TurnPlan(30, 0.05));
        plan.Cells[0].ToCell(_ => null, _ => null, null).Pairing.ShouldBe(Pairing.Turns);
        plan.Hash.ShouldNotBe(Plan(TwoArms.With("documents", "100", "1000") with { Turns = null }, Json).Plan!.Hash);
        PlanFile.File.Read(PlanFile.File.Write(new(plan))).Value!.Plan.Cells[0].Turns.ShouldBe(TurnPlan.Default);
    }

    [Fact]
    public void without_being_asked_nothing_takes_turns_and_the_plan_is_what_it_was()
    {
        var plan = Plan(TwoArms with { Turns = null }, Json).Plan!;
        plan.Cells.ShouldAllBe(cell => cell.Turns == null);
        PlanFile.File.Write(new(plan)).ShouldNotContain("turns");
    }

    [Fact]
    public void benchmarks_take_turns_as_well() =>
        Plan(TwoArms.With("benchmark", "A.B"), Benchmarks("A.B")).Plan!.Cells.Single().Turns.ShouldNotBeNull();

    public static TheoryData<string, Workload> Refused => new()
    {
        { "script can't be measured in turns: only what is built with the kit says when a slice is done.", Script },
        { "a launch of several nodes can't be frozen at one moment", Json with { Layouts = [new("1+1", [new("sut", 1), new("client", 1)])] } },
        { "in mode steady the load comes by a schedule, which goes on while the program is frozen", Json with { Modes = [Json.Modes[0] with { IsOpenLoop = true }] } },
        { "mode faithful is a published protocol, which has no slices", Json with { Modes = [new("faithful", Json.Modes[0].Metrics)] } },
        { "it is measured from its first unit of work on, and slices begin at rest", Json with { Launch = new(0, 1, 60) } },
        { "its deadline of 3 s leaves no time for 30x50ms", Json with { Launch = new(2, 0.5, 3) } },
    };

    [Theory]
    [MemberData(nameof(Refused))]
    public void what_can_not_take_turns_is_refused_with_the_reason(string reason, Workload workload)
    {
        var result = Plan(workload.Name == "script" ? Request(Bare("base"), Bare("head")) with { Turns = TurnPlan.Default, IsAa = true } : TwoArms, workload);
        result.Plan.ShouldBeNull();
        var problem = result.Problems.ShouldHaveSingleItem();
        problem.Where.ShouldBe("--pairing");
        problem.What.ShouldContain(reason);
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public void asked_for_turns_wherever_they_can_be_had_it_is_launched_one_after_the_other_and_says_why(string reason, Workload workload)
    {
        var request = workload.Name == "script" ? Request(Bare("base"), Bare("head")) with { IsAa = true } : TwoArms;
        var cell = Plan(request with { Turns = TurnPlan.WhereItCan }, workload).Plan!.Cells.ShouldHaveSingleItem();
        cell.Turns.ShouldBeNull();
        reason.ShouldContain(cell.NoTurns!);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void what_a_journal_launched_is_compared_so_only_where_the_plan_left_it_open(bool isOpen)
    {
        var turns = TurnPlan.Default with { OrLaunches = isOpen };
        var planned = Plan(TwoArms with { Turns = turns }, Json).Plan!.Cells.ShouldHaveSingleItem();
        var journalled = PlannedCells.WithBuilds(planned, null, null) with { Turns = null, NoTurns = "head says no slices" };

        var cell = PlannedCells.WithBuilds(planned, journalled, null);

        (cell.Turns, cell.NoTurns).ShouldBe(isOpen ? (null, "head says no slices") : (turns, null));
    }

    [Fact]
    public void one_arm_is_launched_without_a_word_where_nobody_asked_for_turns()
    {
        var cell = Plan(Request(Bare("head")) with { Turns = TurnPlan.WhereItCan }, Json).Plan!.Cells.ShouldHaveSingleItem();
        (cell.Turns, cell.NoTurns).ShouldBe((null, null));
    }

    [Fact]
    public void a_cold_start_and_one_arm_are_refused_too()
    {
        Plan(TwoArms.With("age", "cold"), Json).Problems.Single().What.ShouldContain("it is measured from its first unit of work on");
        Plan(Request(Bare("head")) with { Turns = TurnPlan.Default }, Json).Problems.Single().What.ShouldContain("one arm has nobody to take turns with");
    }

    [Theory]
    [InlineData("30x50ms", 30, 0.05)]
    [InlineData("5x5ms", 5, 0.005)]
    [InlineData("500x5000ms", 500, 5)]
    public void slices_are_read_as_they_are_written(string text, int slices, double seconds)
    {
        TurnPlan.Parse(text).ShouldBe(new TurnPlan(slices, seconds));
        new TurnPlan(slices, seconds).ToString().ShouldBe(text);
    }

    [Theory]
    [InlineData("0x50ms")]
    [InlineData("4x50ms")]
    [InlineData("501x50ms")]
    [InlineData("30x0ms")]
    [InlineData("30x60000ms")]
    [InlineData("30x1m")]
    [InlineData("30x50")]
    [InlineData("-30x50ms")]
    [InlineData("3e1x50ms")]
    [InlineData("30x50ms ")]
    [InlineData("99999999999x50ms")]
    [InlineData("")]
    public void slices_of_nothing_of_a_minute_and_of_other_words_are_none(string text) => TurnPlan.Parse(text).ShouldBeNull();

    [Fact]
    public void each_set_of_slices_has_every_arm_once_in_an_order_of_its_own()
    {
        var round = new PlannedRound("c001", 3, ["base", "head"]);
        var order = TurnOrder.Draw(7, Stage.Confirm, round, 0, 1000, 2);
        order.ShouldAllBe(set => set.Order().SequenceEqual(new[] { 0, 1 }));
        // 1,000 fair draws: outside 430 … 570 in fewer than 1 of 100,000 seeds; this seed is fixed.
        order.Count(set => set[0] == 0).ShouldBeInRange(430, 570);
        order.Zip(order.Skip(1)).Count(pair => pair.First[0] == pair.Second[0]).ShouldBeInRange(430, 570);
        TurnOrder.Draw(7, Stage.Confirm, round, 0, 1000, 2).Select(set => set[0]).ShouldBe(order.Select(set => set[0]));
        TurnOrder.Draw(7, Stage.Confirm, round, 1, 1000, 2).Select(set => set[0]).ShouldNotBe(order.Select(set => set[0]));
    }
}
