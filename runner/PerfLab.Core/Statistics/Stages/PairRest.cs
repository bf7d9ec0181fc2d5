using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>An arm whose launches were not at rest while they were measured, and how that is known.</summary>
public sealed record RestlessArm(string Arm, ArmRest Rest);

/// <summary>Whether the launches of a pair were at rest while they were measured, arm by arm.</summary>
/// <param name="Restless">The arms that were not; empty for a pair that is steady, and where nobody can tell.</param>
public sealed record PairRest(IReadOnlyList<RestlessArm> Restless)
{
    public bool IsSteady => Restless.Count == 0;

    /// <summary>In the rounds that give the figures, and where these were, in the repeats.</summary>
    public static PairRest Of(PairEvidence pair) =>
        OfRounds(pair, pair.Deciding) is { IsSteady: false } restless ? restless : OfRounds(pair, pair.Repeats);

    /// <summary>Of one arm alone.</summary>
    public static PairRest Of(Cell cell, string arm, IReadOnlyList<Launch> launches) => OfArms(cell, [(arm, launches)]);

    private static PairRest OfRounds(PairEvidence pair, IReadOnlyList<RoundPair> rounds) => OfArms(pair.Cell,
    [
        (pair.Cell.Reference.Id, [.. rounds.Select(round => round.Reference)]),
        (pair.Arm.Id, [.. rounds.Select(round => round.Arm)]),
    ]);

    // Who asked for the start-up is not told that it was one.
    private static PairRest OfArms(Cell cell, IReadOnlyList<(string Arm, IReadOnlyList<Launch> Launches)> arms) => new(
        cell.IsCold ? [] : [.. arms.Select(arm => new RestlessArm(arm.Arm, ArmRest.Of(arm.Launches))).Where(arm => !arm.Rest.IsSteady)]);
}
