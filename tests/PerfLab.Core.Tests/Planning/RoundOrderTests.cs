using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

public class RoundOrderTests
{
    private static readonly RunPlan Example = Plan(
        Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("documents", "100", "1000").With("runtime", "net8.0", "net9.0", "net10.0"), Json).Plan!;

    [Fact]
    public void base_and_head_launches_come_in_random_order_within_a_round()
    {
        var rounds = RoundOrder.Draw(7, Stage.Confirm, 500, Example.Cells);
        var baseFirst = rounds.Count(round => round.Order[0] == "base");
        // 3,000 fair draws: outside 1,400 … 1,600 in fewer than 3 of 10,000 seeds; this seed is fixed.
        baseFirst.ShouldBeInRange(1400, 1600);
    }

    [Fact]
    public void the_order_is_neither_alternating_nor_balanced()
    {
        var order = RoundOrder.Draw(7, Stage.Confirm, 40, [Example.Cells[0]]).Select(round => round.Order[0]).ToList();
        order.Zip(order.Skip(1)).Count(pair => pair.First == pair.Second).ShouldBeInRange(8, 32);
    }

    [Fact]
    public void every_cell_is_visited_once_before_any_is_visited_again()
    {
        foreach (var round in Example.Confirm.GroupBy(round => round.Round))
        {
            round.Select(one => one.Cell).ShouldBe(Example.Cells.Select(cell => cell.Id), ignoreOrder: true);
        }

        Example.Confirm.Take(6).Select(round => round.Cell).ShouldNotBe(Example.Confirm.Skip(6).Take(6).Select(round => round.Cell));
    }

    [Fact]
    public void stages_and_repeats_draw_for_themselves()
    {
        var round = Example.Confirm[0];
        var draws = Enumerable.Range(0, 64).Select(attempt => string.Join(' ', RoundOrder.Arms(7, Stage.Confirm, round, attempt))).ToList();
        draws.Distinct().Count().ShouldBe(2);
        RoundOrder.Arms(7, Stage.Confirm, round, 3).ShouldBe(RoundOrder.Arms(7, Stage.Confirm, round, 3));
    }
}
