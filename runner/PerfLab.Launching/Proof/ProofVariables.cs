using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching.Proof;

/// <summary>
/// What every launch of an arm with knobs is told to leave behind. The names are the same for every arm; both files cost nothing that was
/// found (results/evidence-overhead.md): the JIT writes a line for each method, the rundown is asked for after the measured time.
/// </summary>
internal static class ProofVariables
{
    /// <summary>The JIT's list of what it compiled.</summary>
    public const string JitListFile = "jit.txt";

    /// <summary>The runtime's settings, asked for by the kit.</summary>
    public const string SettingsFile = "settings.nettrace";

    private const int FirstWithJitListFile = 8;

    /// <summary>Variable -> file beside the result.</summary>
    public static IReadOnlyList<KeyValuePair<string, string>> Files(PlannedArm arm) =>
        ProofNeed.HasKnobs(arm) ? [new("DOTNET_JitStdOutFile", JitListFile), new("PERF_LAB_SETTINGS", SettingsFile)] : [];

    /// <summary>Variables with values of their own. .NET 7 knows the list but not the file, and would print it.</summary>
    public static IReadOnlyList<KeyValuePair<string, string>> Variables(PlannedArm arm) =>
        ProofNeed.HasKnobs(arm) ? [new("DOTNET_JitDisasmSummary", ProofNeed.RuntimeMajor(arm) is < FirstWithJitListFile ? "0" : "1")] : [];

    /// <summary>Whether a launch of this arm can't count without the JIT's list.</summary>
    public static bool MustLeaveJitList(PlannedArm arm) => ProofNeed.HasKnobs(arm) && arm.Recipe.Kind == BuildKind.Dotnet && ProofNeed.RuntimeMajor(arm) is >= FirstWithJitListFile;
}
