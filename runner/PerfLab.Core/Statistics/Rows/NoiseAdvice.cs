using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>
/// What would give a row that is too noisy an answer: rounds, and the minutes that they take at the pace of this session.
/// </summary>
public static class NoiseAdvice
{
    /// <summary>The change that the rounds are to show: what most teams would want to be told of.</summary>
    public const double Sought = 0.05;

    internal static string Of(PairEvidence pair, double noise, Policy policy)
    {
        var change = Math.Max(Sought, 2 * policy.Margin);
        var sought = Invariant($"to see a change of {change * 100:0.#} % at this noise");
        return SmallestDetectable.Rounds(change, noise, pairs: 1, LogRatios.MostRounds, policy) is { } rounds
            ? Invariant($"{sought}, measure this row alone with about --rounds 0+{rounds} ({RoughTime.Of(rounds * SecondsPerRound(pair))}); ")
                + "a quieter machine needs fewer"
            : Invariant($"{sought}, more than {LogRatios.MostRounds} rounds would be needed: find a quieter machine");
    }

    private static double SecondsPerRound(PairEvidence pair) =>
        Median.Of([.. pair.Deciding.Select(round => round.Reference.WallSeconds + round.Arm.WallSeconds)]);
}
