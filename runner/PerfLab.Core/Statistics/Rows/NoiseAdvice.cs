using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>
/// What would give a row that is too noisy an answer: where its noise comes from, and either the rounds that average it out, with the
/// minutes that they take at the pace of this session, or what would help instead.
/// </summary>
public static class NoiseAdvice
{
    /// <summary>The change that the rounds are to show: what most teams would want to be told of.</summary>
    public const double Sought = 0.05;

    /// <summary>Nobody waits longer for one row; then something else must become quieter first.</summary>
    public const double MostSeconds = 3600;

    internal static IEnumerable<string> Of(PairEvidence pair, (double Noise, NoiseSources? Sources) row, Policy policy)
    {
        if (row.Sources?.InWords(row.Noise) is { } line)
        {
            yield return line;
        }

        var change = Math.Max(Sought, 2 * policy.Margin);
        var sought = Invariant($"to see a change of {change * 100:0.#} % at this noise");
        var rounds = SmallestDetectable.Rounds(change, row.Noise, pairs: 1, LogRatios.MostRounds, policy);
        var seconds = rounds * SecondsPerRound(pair);
        var instead = Instead(row.Sources, pair.Cell.Turns);
        yield return rounds is null ? Invariant($"{sought}, more than {LogRatios.MostRounds} rounds would be needed: {instead}")
            : seconds > MostSeconds ? Invariant($"{sought}, it would take {rounds} rounds ({RoughTime.Of(seconds.Value)}): {instead}")
            : policy.Within > 0
                ? Invariant($"{sought}, measure this row alone with --within {Math.Ceiling(seconds!.Value / 60):0}m or more; ") + instead
            : Invariant($"{sought}, measure this row alone with about --rounds 0+{rounds} ({RoughTime.Of(seconds!.Value)}); ")
                + instead;
    }

    /// <summary>What makes the largest part of the noise smaller.</summary>
    private static string Instead(NoiseSources? sources, TurnPlan? turns) =>
        sources is { Watched: > 0 } && 2 * sources.Disturbed >= sources.Watched ? "a machine to itself would help (--wait 30m waits for a quiet one)"
        : sources is { Between: { } between, Within: { } within } && within > between
            ? turns is not null ? $"more slices would help (--pairing turns:{More(turns)}): most of the noise is inside them"
                : "longer launches would help (`launch.measure` in workload.yaml): most of the noise is inside them"
        : "a quieter machine would help (--wait 30m waits for one)";

    private static TurnPlan More(TurnPlan turns) => turns with { Slices = Math.Min(TurnPlan.MostSlices, 4 * turns.Slices) };

    private static double SecondsPerRound(PairEvidence pair) =>
        Median.Of([.. pair.Deciding.Select(round => pair.Cell.Turns is null ? round.Reference.WallSeconds + round.Arm.WallSeconds
            // In turns both are there all the time.
            : Math.Max(round.Reference.WallSeconds, round.Arm.WallSeconds))]);
}
