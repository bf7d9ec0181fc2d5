using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Reports.Text;

/// <summary>
/// What an arm is called by its values: those in which it differs from the other arms of its cell, without knobs that only follow from them.
/// PGO is said all the same, as in the names of cells: between .NET 3.1 and 10 it is half of the answer.
/// </summary>
internal static class ArmName
{
    /// <summary>"framework=akka@1.5.30", "pgo=on,runtime=net10.0.14"; empty for base against base. Untrusted.</summary>
    public static string Of(Cell cell, Arm arm) => string.Join(',', Values(cell, arm).Select(pair => $"{pair.Key}={pair.Value}"));

    /// <summary>The same for reading on: "framework akka@1.5.30", "pgo on, runtime net10.0.14".</summary>
    public static string InWords(Cell cell, Arm arm) => string.Join(", ", Values(cell, arm).Select(pair => $"{pair.Key} {pair.Value}"));

    private static IEnumerable<KeyValuePair<string, string>> Values(Cell cell, Arm arm)
    {
        var following = FollowingKnobs.Of([.. cell.Arms.Select(cell.ValuesOf)]);
        return arm.Dimensions.Where(pair => pair.Key == RuntimeKnobs.Pgo || !following.Contains(pair.Key)).OrderBy(pair => pair.Key, StringComparer.Ordinal);
    }
}
