using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

public sealed class ScreeningTests
{
    [Fact]
    public void only_pairs_with_a_small_p_go_to_the_confirm_stage()
    {
        var decisions = Screening.Decide(
            new SampleSetBuilder()
                .Cell("c001", "base", "head", "other").Rounds(Stage.Screen, SampleSetBuilder.Shifted(0.05, 8))
                .Arm(Stage.Screen, SampleSetBuilder.Shifted(0, 8), "other")
                .Cell("c002").With(cell => cell with { Unavailable = "no such runtime" })
                .Cell("c003").Rounds(Stage.Screen, SampleSetBuilder.Shifted(0.05, 5))
                .Cell("c004").Rounds(Stage.Screen, [0.001, 0.002, 0.003, 0.0015, 0.0025, 0.0035, 0.0012, 0.0022])
                .Build(),
            new());

        decisions.ShouldBe(
        [
            new("c001", "head", true, "p 0.0078"),
            new("c001", "other", false, decisions[1].Reason),
            new("c002", "head", false, "unavailable"),
            new("c003", "head", false, "5 of 6 screen rounds"),
            new("c004", "head", false, "equivalent"),
        ]);
        decisions[1].Reason.ShouldStartWith("p 0.");
    }

    [Fact]
    public void without_a_screen_every_pair_that_can_be_measured_is_kept()
    {
        var samples = new SampleSetBuilder().Cell("c001").Cell("c002").With(cell => cell with { Unavailable = "no such runtime" }).Build();

        Screening.Decide(samples, new() { ScreenRounds = 0 }).Select(decision => decision.Kept).ShouldBe([true, false]);
    }

    [Fact]
    public void a_screen_with_a_value_that_can_not_be_compared_keeps_nothing()
    {
        var samples = new SampleSetBuilder().Cell("c001").Rounds(Stage.Screen, SampleSetBuilder.Shifted(0.05, 8))
            .Measured(Stage.Screen, 8, "base", 100).Measured(Stage.Screen, 8, "head", 0).Build();

        Screening.Decide(samples, new()).ShouldHaveSingleItem().Kept.ShouldBeFalse();
    }
}
