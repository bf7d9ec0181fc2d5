using PerfLab.Calibration.Years;
using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Trends;

/// <summary>Quarters of weekly runs whose truth is known; results/quarters.md has two hundred of each kind.</summary>
public sealed class QuartersTests
{
    private static readonly IReadOnlyList<ulong> Seeds = [.. Enumerable.Range(1, 12).Select(seed => (ulong)seed)];

    [Fact]
    public void where_nothing_changes_nothing_is_filed_nor_due() =>
        Seeds.Select(seed => Year.Replay(Quarters.Of(seed, null))).ShouldAllBe(quarter =>
            Quarters.IsTheTruth(quarter) && quarter.Last.Changes.All(change => change.Status != ChangeStatus.Confirmed));

    [Fact]
    public void steps_that_stay_and_steps_that_come_back_are_filed_and_nothing_else()
    {
        var quarters = Seeds.Select(seed => Year.Replay(Quarters.Of(seed, 0.05))).ToList();
        quarters.Sum(quarter => quarter.FalseIssues).ShouldBe(0);
        quarters.Count(Quarters.IsTheTruth).ShouldBeGreaterThanOrEqualTo(10);
        quarters.ShouldAllBe(quarter => quarter.Outcomes.Count == 3);
    }
}
