using System.Runtime.InteropServices;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>What the end of the screen says of one (cell, arm) pair.</summary>
/// <param name="PValue">Two-sided exact p of the screen.</param>
/// <param name="Direction">Sign of the screen's rank-sum: the direction in which the confirm stage tests.</param>
/// <param name="Equivalent">The equivalence stop: the 99 % interval lies inside the margin, so a small p is about a change that does not
/// matter.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct ScreenDecision(bool Kept, double PValue, int Direction, bool Equivalent);

/// <summary>The rules between the stages: who goes on to the confirm stage, and how it is tested there.</summary>
public static class StageRule
{
    /// <summary>Coverage of the interval that must lie inside the margin for the equivalence stop.</summary>
    public const double EquivalenceCoverage = 0.99;

    /// <summary>Fewer complete rounds of the screen give no verdict: below six there is no 95 % interval.</summary>
    public const int LeastScreenRounds = 6;

    /// <summary>Fewer complete rounds of the confirm stage give no verdict: thirteen are what 60 kept pairs need.</summary>
    public const int LeastConfirmRounds = 13;

    /// <summary>What an interval of the confirm stage must cover by itself, to cover what the policy says wherever it ended.</summary>
    public static double Coverage(Policy policy) => policy.Within > 0 ? GoingOnRule.Coverage(policy) : policy.Interval;

    /// <summary>
    /// Decides from the log ratios of a pair's complete screen rounds. The equivalence stop acts here only: taken later, and leaving the
    /// family, it raised the error from 1 % to 3.84 %.
    /// </summary>
    public static ScreenDecision AfterScreen(ReadOnlySpan<double> logRatios, Policy policy)
    {
        var test = SignedRank.Test(logRatios);
        var small = test.TwoSided <= policy.KeepP && logRatios.Length >= LeastScreenRounds;
        var equivalent = small
            && new WalshAverages(logRatios).Interval(EquivalenceCoverage) is { } interval
            && PracticalMargin.Of(policy).Contains(interval);
        return new(small && !equivalent, test.TwoSided, test.Direction, equivalent);
    }

    /// <summary>
    /// The p-value of a kept pair: one-sided in the direction of the screen's rank-sum, two-sided without a direction (no screen rounds,
    /// or a rank-sum of zero). 1 when there are too few complete rounds: a pair that was kept stays in the family whatever happens to it.
    /// </summary>
    public static double ConfirmPValue(ReadOnlySpan<double> logRatios, int screenDirection)
    {
        if (logRatios.Length < LeastConfirmRounds)
        {
            return 1;
        }

        var test = SignedRank.Test(logRatios);
        return screenDirection switch { > 0 => test.Above, < 0 => test.Below, _ => test.TwoSided };
    }

    /// <summary>
    /// The same of a session with minutes, in which a pair may have gone on beyond the planned rounds. One that ended for showing nothing
    /// has 1, or what its planned rounds say where they were over by then: a look that only ends for nothing costs nothing, but tests
    /// nothing either.
    /// </summary>
    /// <param name="end">Why it ended, and whether its planned rounds were not over then.</param>
    public static double ConfirmPValue(
        ReadOnlySpan<double> planned, ReadOnlySpan<double> fresh, int screenDirection, (EndReason? Why, bool IsEarly) end)
    {
        var forNothing = end.Why is EndReason.Unchanged or EndReason.Futile;
        return planned.Length < LeastConfirmRounds || (forNothing && end.IsEarly) ? 1
            : StagedTest.PValue(planned, forNothing ? [] : fresh, screenDirection);
    }
}

/// <summary>What is said of a (cell, arm) pair. The words in files are kebab-case: "identical-build", "too-noisy".</summary>
public enum Verdict { Regressed, Improved, Unchanged, Undecided, IdenticalBuild, TooNoisy, Failed, Unavailable, DoesNotHold, NotSteady, Untouched }
