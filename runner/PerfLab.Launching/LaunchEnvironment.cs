using System.Security.Cryptography;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching;

/// <summary>The complete environment of a launch (workloads/README.md, "The contract"): the same names in the same order for every arm.</summary>
public static class LaunchEnvironment
{
    public static IReadOnlyList<KeyValuePair<string, string>> For(PlannedCell cell, PlannedArm arm, string nonce, int pad) =>
    [
        new("PATH", "/usr/local/bin:/usr/bin:/bin"),
        new("HOME", "/tmp"),
        new("LANG", "C.UTF-8"),
        new("PERF_LAB_NONCE", nonce),
        new("PERF_LAB_MODE", cell.Mode),
        new("PERF_LAB_WARM_UP", Seconds(cell.Launch.WarmUpSeconds)),
        new("PERF_LAB_WARM_UP_BOUND", Seconds(cell.WarmUpBoundSeconds)),
        new("PERF_LAB_MEASURE", Seconds(cell.Launch.MeasureSeconds)),
        new(EnvironmentPad.Variable, new string('x', pad)),
        .. NodeVariables.Names(cell).Select(name => KeyValuePair.Create(name, "")), // their values come with each node
        .. arm.Environment,
    ];

    /// <summary>128 random bits that a result must repeat: a result that was prepared before the launch can't.</summary>
    public static string NewNonce() => Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(16));

    private static string Seconds(double seconds) => seconds.ToString(CultureInfo.InvariantCulture);
}
