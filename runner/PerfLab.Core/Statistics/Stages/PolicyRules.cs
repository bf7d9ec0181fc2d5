using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>Which settings can work, and the number that would where they can't.</summary>
public static class PolicyRules
{
    /// <summary>
    /// Plans of up to <see cref="Policy.FewPairs"/> pairs go straight to the confirm stage: a screen saves nothing there. For plans whose
    /// rounds the user did not choose himself.
    /// </summary>
    public static Policy ForPairs(Policy policy, int pairs) =>
        pairs <= Policy.FewPairs ? policy with { ScreenRounds = 0 } : policy;

    /// <summary>
    /// Rounds that show which way a row goes, and are too few for any verdict. Whoever types "--rounds 5" wants that; a lab that is
    /// configured so would never flag anything.
    /// </summary>
    public static bool ShowDirectionOnly(Policy policy) =>
        policy.Within == 0 && ShowDirectionOnly((policy.ScreenRounds, policy.ConfirmRounds));

    /// <summary>The same of rounds as they were typed.</summary>
    public static bool ShowDirectionOnly((int Screen, int Confirm) rounds) => rounds is (0, > 0 and < StageRule.LeastConfirmRounds);

    /// <summary>
    /// Every reason why <paramref name="policy"/> can't work for a plan of <paramref name="pairs"/> (cell, arm) pairs, each with the number
    /// that would; empty when it can. A session that compares nothing (0 pairs) can't go wrong in its rounds.
    /// </summary>
    /// <param name="policy">Of the plan.</param>
    /// <param name="pairs">That are compared.</param>
    /// <param name="wantsDirection">Too few rounds for a verdict are what was asked for.</param>
    public static IReadOnlyList<Problem> Problems(Policy policy, int pairs, bool wantsDirection = false)
    {
        var problems = Ranges(policy).Concat(policy.Problems()).ToList();
        if (problems.Count == 0 && pairs > 0 && !(wantsDirection && ShowDirectionOnly(policy)))
        {
            problems.AddRange(ScreenProblems(policy));
            problems.AddRange(ConfirmProblems(policy, pairs));
        }

        return problems;
    }

    /// <summary>Why the minutes are too few for what is to be measured, or null.</summary>
    /// <param name="leastSeconds">Of the fewest rounds that give an answer, of all pairs.</param>
    public static Problem? TooFewMinutes(Policy policy, double leastSeconds) =>
        policy.Within > 0 && 60 * policy.Within < leastSeconds
            ? new("--within", Invariant($"{policy.Within:0.##} min are over before any row can have an answer: ")
                + $"that takes about {RoughTime.Of(leastSeconds)}.",
                Invariant($"Ask for {Math.Ceiling(leastSeconds / 60):0}m or more, or for fewer rows."))
            : null;

    /// <summary>Fewest rounds whose smallest two-sided p, 2 / 2^n, is at most <paramref name="level"/>: 5 for 0.10.</summary>
    public static int RoundsToReach(double level) => Fewest(rounds => 2 * Math.Pow(0.5, rounds) <= level);

    /// <summary>
    /// Fewest confirm rounds in which one of <paramref name="kept"/> pairs can pass Holm: 7, 9, 11, 12, 13 for 1, 4, 16, 39, 60 pairs at a
    /// family error of 0.01. Without a screen the test is two-sided and needs one round more.
    /// </summary>
    public static int ConfirmRoundsNeeded(int kept, double familyError, bool screened = true) =>
        Fewest(rounds => kept * (screened ? 1 : 2) * Math.Pow(0.5, rounds) <= familyError);

    /// <summary>
    /// The level that the screen attains: the largest two-sided p of n untied rounds that is at most keep-p; 0.0781 at 8 rounds and 0.10.
    /// </summary>
    public static double AttainedKeepLevel(Policy policy)
    {
        var attained = 0.0;
        for (var sum = 0; 2 * SignedRankNull.AtMost(policy.ScreenRounds, sum) <= policy.KeepP; sum++)
        {
            attained = 2 * SignedRankNull.AtMost(policy.ScreenRounds, sum);
        }

        return attained;
    }

    private static IEnumerable<Problem> Ranges(Policy policy)
    {
        (string Name, double Value, double Below, string Range)[] fractions =
        [
            ("keep-p", policy.KeepP, 1, "above 0 and below 1; the default is 0.1"),
            ("family-error", policy.FamilyError, 1, "above 0 and below 1; the default is 0.01"),
            ("interval", policy.Interval, 1, "above 0 and below 1; the default is 0.95"),
            ("too-noisy", policy.TooNoisy, double.PositiveInfinity, "above 0; the default is 0.05"),
        ];
        foreach (var (name, value, below, range) in fractions)
        {
            if (!(value > 0 && value < below))
            {
                yield return new(name, Invariant($"{value} is out of range."), $"It must be {range}.");
            }
        }

        if (!(policy.Margin >= 0 && double.IsFinite(policy.Margin)))
        {
            yield return new("margin", Invariant($"{policy.Margin} is out of range."), "It must be 0 or more; the default is 0.01.");
        }

        if (policy.ScreenRounds < 0 || policy.ConfirmRounds < 0)
        {
            yield return new(
                "rounds", Invariant($"{policy.ScreenRounds}+{policy.ConfirmRounds} has a negative number."), "The default is 8+20.");
        }

        if (Math.Max(policy.ScreenRounds, policy.ConfirmRounds) > LogRatios.MostRounds)
        {
            yield return new(
                "rounds", Invariant($"{policy.ScreenRounds}+{policy.ConfirmRounds} are more than can be compared."), Invariant($"At most {LogRatios.MostRounds} each; the default is 8+20."));
        }
    }

    private static IEnumerable<Problem> ScreenProblems(Policy policy)
    {
        if (policy.ScreenRounds == 0)
        {
            yield break;
        }

        var reach = RoundsToReach(policy.KeepP);
        var least = Math.Max(StageRule.LeastScreenRounds, Math.Max(reach, RoundsToReach(1 - policy.Interval)));
        var advice = Invariant($"Ask for at least {least}, or 0 to go straight to the confirm stage.");
        if (policy.ScreenRounds < reach)
        {
            yield return new(
                "screen-rounds",
                Invariant($"{policy.ScreenRounds} rounds reach no p up to keep-p {policy.KeepP}: ")
                    + Invariant($"{reach} would, and {least} give a verdict."),
                advice);
        }
        else if (policy.ScreenRounds < least)
        {
            yield return new(
                "screen-rounds",
                Invariant($"{policy.ScreenRounds} rounds give no verdict for a pair that is not kept: {least} would."),
                advice);
        }
    }

    private static IEnumerable<Problem> ConfirmProblems(Policy policy, int pairs)
    {
        var screened = policy.ScreenRounds > 0;
        var kept = screened ? Math.Max(1, (int)Math.Round(pairs * AttainedKeepLevel(policy))) : pairs;
        var holm = ConfirmRoundsNeeded(kept, policy.FamilyError, screened);
        var least = Math.Max(StageRule.LeastConfirmRounds, Math.Max(holm, RoundsToReach(1 - policy.Interval)));
        if (policy.ConfirmRounds < least)
        {
            yield return new(
                "confirm-rounds",
                Invariant($"{policy.ConfirmRounds} rounds can't give a verdict: of {pairs} pairs about {kept} are tested, ")
                    + Invariant($"which takes {holm} rounds at a family error of {policy.FamilyError}, ")
                    + Invariant($"and no confirm stage decides with fewer than {StageRule.LeastConfirmRounds}."),
                Invariant($"Ask for at least {least}."));
        }
    }

    private static int Fewest(Func<int, bool> isEnough) => Enumerable.Range(1, 1100).First(isEnough);
}
