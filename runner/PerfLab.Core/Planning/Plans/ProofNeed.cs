using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Planning.Plans;

/// <summary>What a proof launch of an arm has to show: one traced launch before the measured ones, of which nothing counts.</summary>
public enum ProofKind { None, Jit, JitAndGc }

/// <summary>
/// Which arms need a proof launch, because their measured launches can't prove everything: before .NET 9 the runtime tells its settings only to a
/// trace from the start, and under server GC only GC events show whether its heaps adapt (docs/decisions/0007-evidence.md).
/// </summary>
public static class ProofNeed
{
    private const int FirstThatTellsAfterwards = 9;

    public static ProofKind Of(PlannedArm arm) =>
        !HasKnobs(arm) ? ProofKind.None
        : arm.Environment.Any(pair => pair is { Key: "DOTNET_gcServer", Value: "1" }) ? ProofKind.JitAndGc
        : RuntimeMajor(arm) is null or >= FirstThatTellsAfterwards ? ProofKind.None
        : ProofKind.Jit;

    /// <summary>How many proof launches a plan makes at most: arms that turn out not to build, or to be identical, need none.</summary>
    public static int Count(RunPlan plan) => plan.Cells.Where(cell => cell.Unavailable is null).Sum(Count);

    internal static int Count(PlannedCell cell) => cell.Arms.Count(arm => Of(arm) != ProofKind.None);

    /// <summary>The lab sets the runtime up, so it can ask for proof.</summary>
    public static bool HasKnobs(PlannedArm arm) => KnobSetting.IsIn(arm.Environment);

    /// <summary>Major version of the planned runtime, null when the workload brings its own.</summary>
    public static int? RuntimeMajor(PlannedArm arm) =>
        arm.Recipe.RuntimePatch is { } patch && Version.TryParse(patch, out var version) ? version.Major : null;
}
