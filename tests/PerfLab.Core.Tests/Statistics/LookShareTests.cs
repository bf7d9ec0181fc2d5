using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Looks;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>Whoever edits and looks thirty times, and nothing helps, is told once in hundreds of times that something did.</summary>
public sealed class LookShareTests
{
    private const double Error = 0.01;
    private const int Runs = 100, Edits = 30, Rounds = 20;

    [Fact]
    public void all_shares_together_are_less_than_the_whole()
    {
        Enumerable.Range(1, 10_000).Sum(LookShare.Of).ShouldBeInRange(0.999, 1);
        LookShare.Of(1).ShouldBe(0.5);
        Should.Throw<ArgumentOutOfRangeException>(() => LookShare.Of(0));
    }

    /// <summary>Plays the paired differences of a session of one row; the test over them is the real one.</summary>
    [Fact]
    public void thirty_edits_of_which_none_helps_are_called_better_in_one_of_a_hundred_runs_at_most()
    {
        var random = new Random(7);
        var (shared, apart) = (0, 0);
        for (var run = 0; run < Runs; run++)
        {
            var (isShared, isApart) = (false, false);
            for (var look = 1; look <= Edits; look++)
            {
                var differences = Enumerable.Range(0, Rounds).Select(_ => random.NextDouble() - 0.5).ToArray();
                var (p, isBetter) = (SignedRank.Test(differences).TwoSided, new WalshAverages(differences).Centre < 0);
                isShared |= isBetter && p <= Error * LookShare.Of(look);
                isApart |= isBetter && p <= Error;
            }

            shared += isShared ? 1 : 0;
            apart += isApart ? 1 : 0;
        }

        shared.ShouldBeLessThanOrEqualTo(1);
        apart.ShouldBeGreaterThan(5, "an error each: about one run in seven");
    }
}
