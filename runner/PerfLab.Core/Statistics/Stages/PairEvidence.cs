using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>Everything that a session holds about one arm of a cell against the cell's reference arm.</summary>
public sealed class PairEvidence
{
    public PairEvidence(Cell cell, Arm arm, CellLaunches launches)
    {
        Cell = cell;
        Arm = arm;
        Screen = launches.Rounds(Stage.Screen).Pairs(cell.Reference.Id, arm.Id);
        Confirm = launches.Rounds(Stage.Confirm).Pairs(cell.Reference.Id, arm.Id);
        Repeats = launches.Rounds(Stage.Repeat).Pairs(cell.Reference.Id, arm.Id);
        RepeatsBegun = launches.RoundsBegun(arm.Id, Stage.Repeat);
        Disturbed = launches.Rounds(launches.Has(arm.Id, Stage.Confirm) ? Stage.Confirm : Stage.Screen).Disturbed(cell.Reference.Id, arm.Id);
        ArmLaunches = launches.Of(arm.Id);
        ReferenceLaunches = launches.Of(cell.Reference.Id);
        Touch = launches.TouchOf(arm.Id);
        End = launches.EndOf(arm.Id);
        Kept = launches.Has(arm.Id, Stage.Confirm);
    }

    public Cell Cell { get; }
    public Arm Arm { get; }
    public IReadOnlyList<RoundPair> Screen { get; }
    public IReadOnlyList<RoundPair> Confirm { get; }

    /// <summary>Complete rounds of all repeats, numbered through.</summary>
    public IReadOnlyList<RoundPair> Repeats { get; }

    /// <summary>Rounds of repeats in which the arm was launched, whatever became of it.</summary>
    public IReadOnlyCollection<int> RepeatsBegun { get; }
    public LaunchCounts ArmLaunches { get; }
    public LaunchCounts ReferenceLaunches { get; }

    /// <summary>Whether the difference of the builds can touch it; null where nobody looked.</summary>
    public TouchedPair? Touch { get; }

    /// <summary>The arm has launches of the confirm stage, whatever became of them.</summary>
    public bool Kept { get; }

    /// <summary>The stage whose rounds give the figures.</summary>
    public Stage Stage => Kept ? Stage.Confirm : Stage.Screen;

    public IReadOnlyList<RoundPair> Deciding => Kept ? Confirm : Screen;

    /// <summary>Rounds of the deciding stage that were struck at every repeat because the machine was not quiet.</summary>
    public int Disturbed { get; }

    /// <summary>There would have been enough rounds on a quiet machine.</summary>
    public bool LostToNoise => Deciding.Count < LeastRounds && Deciding.Count + Disturbed >= LeastRounds;

    /// <summary>
    /// Nothing was built for it and nothing failed: somebody's results, and where they are too few the lab has lost none.
    /// </summary>
    public bool IsFromElsewhere => Arm.Build is null && Cell.Reference.Build is null && Deciding.Count > 0 && ArmLaunches.Failures
        + ReferenceLaunches.Failures == 0;

    /// <summary>Whether both arms were at rest in the rounds that give the figures, and in every repeat.</summary>
    public PairRest Rest => field ??= PairRest.Of(this);

    /// <summary>Why it was not measured on, in a session with minutes; else null.</summary>
    public PairEnd? End { get; }

    /// <summary>Fewer complete rounds than this give no verdict.</summary>
    public int LeastRounds => Kept && End is null or { Why: EndReason.Decided or EndReason.Measured }
        ? StageRule.LeastConfirmRounds : StageRule.LeastScreenRounds;

    /// <summary>What the interval of the deciding rounds must cover by itself, to cover what the policy says wherever it ended.</summary>
    public double Coverage(Policy policy) => Kept ? StageRule.Coverage(policy) : policy.Interval;

    /// <summary>
    /// The verdict of a pair that was not to be measured: unavailable, the same build under the same values of every dimension, or builds of
    /// which nothing that it runs differs.
    /// Null for every other pair. An A/A pair is identical too, but has launches.
    /// </summary>
    public Verdict? NotMeasured
    {
        get
        {
            if (Cell.Unavailable is not null)
            {
                return Verdict.Unavailable;
            }

            return ArmLaunches.All > 0 ? null : IsIdentical ? Verdict.IdenticalBuild
                : Touch is { Untouched: true } && DifferInBuildOnly(Arm.Dimensions, Cell.Reference.Dimensions) ? Verdict.Untouched : null;
        }
    }

    /// <summary>One-sided exact p for "the arm fails more often than the reference".</summary>
    public double FailsMoreOften => Binomial.FailsMoreOften(
        ArmLaunches.Failures, ArmLaunches.All, ReferenceLaunches.Failures, ReferenceLaunches.All);

    private bool IsIdentical => AreIdentical((Arm.Build, Arm.Dimensions), (Cell.Reference.Build, Cell.Reference.Dimensions));

    // They decide what is built and reach no launch: where the bits are the same, it does not matter what commit they came from.
    private static readonly string[] BuiltIn = ["framework", "source", "package"];

    /// <summary>The same build under the same values of every dimension that a launch can see: there is nothing to measure.</summary>
    public static bool AreIdentical(
        (string? Build, IReadOnlyDictionary<string, string> Dimensions) arm, (string? Build, IReadOnlyDictionary<string, string> Dimensions) reference) =>
        arm.Build is not null && arm.Build == reference.Build && DifferInBuildOnly(arm.Dimensions, reference.Dimensions);

    /// <summary>Whether a launch sees the same value of every dimension in both.</summary>
    public static bool DifferInBuildOnly(IReadOnlyDictionary<string, string> arm, IReadOnlyDictionary<string, string> reference) =>
        arm.Keys.Union(reference.Keys, StringComparer.Ordinal).Except(BuiltIn, StringComparer.Ordinal)
            .All(name => arm.GetValueOrDefault(name) == reference.GetValueOrDefault(name));
}
