using System.Text.RegularExpressions;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>
/// Who may do what in the fake: the rights that docs/internals/security-tables.md says, which a test of infra/ holds against the program's roles. So a call
/// for which `pulumi up` gives no right is refused here as Azure refuses it.
/// </summary>
internal static partial class FakeRights
{
    private static readonly Dictionary<string, HashSet<string>> Roles = RoleRow().Matches(Repository.Read("docs/internals/security-tables.md"))
        .ToDictionary(row => row.Groups["role"].Value, row => Right().Matches(row.Groups["rights"].Value).Select(right => right.Groups["right"].Value).ToHashSet(StringComparer.OrdinalIgnoreCase));

    private static readonly HashSet<string> OfTheWorkflows =
        new(Roles["power"].Concat(Roles["instances"]).Concat(Roles["cluster-power"]), StringComparer.OrdinalIgnoreCase);

    /// <summary>Callers whose name is not the watchdog's are `lab-power`; Azure itself asks nobody.</summary>
    public static bool Allows(string caller, string action) =>
        caller is "daily shutdown" || (caller == "watchdog" ? Roles["self-delete"] : OfTheWorkflows).Contains(action);

    /// <summary>The action that Azure checks for a call, as its reference names them; null for what needs none.</summary>
    public static string? ActionOf(FakeCall call)
    {
        var parts = call.Path.Split('?')[0].Split('/', StringSplitOptions.RemoveEmptyEntries);
        if (call.Verb is "poll")
        {
            return null;
        }

        var at = Array.FindLastIndex(parts, part => part.Equals("providers", StringComparison.OrdinalIgnoreCase));
        var (kind, below) = ($"{parts[at + 1]}/{parts[at + 2]}", parts.Length > at + 4 ? parts[at + 4] : null);
        return call.Verb is "tags" ? "Microsoft.Resources/tags/write" : call.Method switch
        {
            "GET" => kind + "/read",
            "DELETE" => kind + "/delete",
            "POST" => $"{kind}/{below}/action",
            _ => kind + "/write",
        };
    }

    [GeneratedRegex(@"^\| `(?<role>[a-z-]+)` \| (?<rights>`Microsoft[^|]*) \|$", RegexOptions.Multiline | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex RoleRow();

    [GeneratedRegex("`(?<right>Microsoft[^`]+)`", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Right();
}
