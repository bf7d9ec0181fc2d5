using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

public sealed class LookShareTests
{
    [Fact]
    public void all_shares_together_are_less_than_the_whole()
    {
        Enumerable.Range(1, 10_000).Sum(LookShare.Of).ShouldBeInRange(0.999, 1);
        LookShare.Of(1).ShouldBe(0.5);
        Should.Throw<ArgumentOutOfRangeException>(() => LookShare.Of(0));
    }
}
