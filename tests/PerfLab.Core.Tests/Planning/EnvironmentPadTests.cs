using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Core.Tests.Planning;

public class EnvironmentPadTests
{
    private static readonly PlannedRound Round = new("c001", 3, ["head", "base"]);

    [Fact]
    public void the_same_seed_gives_the_same_length_whatever_the_order_of_the_arms() =>
        EnvironmentPad.Draw(7, Stage.Confirm, Round with { Order = ["base", "head"] }, 0).ShouldBe(EnvironmentPad.Draw(7, Stage.Confirm, Round, 0));

    [Fact]
    public void seeds_stages_cells_rounds_and_attempts_draw_for_themselves()
    {
        int[] draws =
        [
            EnvironmentPad.Draw(7, Stage.Confirm, Round, 0), EnvironmentPad.Draw(8, Stage.Confirm, Round, 0), EnvironmentPad.Draw(7, Stage.Screen, Round, 0),
            EnvironmentPad.Draw(7, Stage.Confirm, Round with { Cell = "c002" }, 0), EnvironmentPad.Draw(7, Stage.Confirm, Round with { Round = 4 }, 0),
            EnvironmentPad.Draw(7, Stage.Confirm, Round, 1),
        ];
        draws.ShouldBeUnique();
    }

    [Fact]
    public void every_length_from_0_to_4095_is_drawn_and_no_other()
    {
        var draws = Enumerable.Range(0, 100_000).Select(round => EnvironmentPad.Draw(7, Stage.Screen, Round with { Round = round }, 0)).ToHashSet();
        draws.Count.ShouldBe(4096);
        (draws.Min(), draws.Max()).ShouldBe((0, 4095));
    }
}
