using PerfLab.Core.Evidence;
using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>
/// How the launches of one arm of a cell ended, in all stages and attempts, void ones too: repeating a round must not hide that it failed.
/// </summary>
public sealed class LaunchCounts(string arm, IReadOnlyList<Launch> launches)
{
    private const int MostReasons = 3;
    private const int MostSettings = 9;

    public int All => launches.Count;

    /// <summary>Launches that the arm itself lost; being killed from outside is not the arm's doing.</summary>
    public int Failures => launches.Count(launch => launch.Outcome is not (Outcome.Measured or Outcome.KilledFromOutside));

    /// <summary>What to tell the reader, or null when every launch was measured.</summary>
    public string? Warning
    {
        get
        {
            var lost = launches.Where(launch => launch.Outcome != Outcome.Measured).ToArray();
            if (lost.Length == 0)
            {
                return null;
            }

            var kinds = lost.GroupBy(Kind, StringComparer.Ordinal)
                .OrderByDescending(kind => kind.Count())
                .ThenBy(kind => kind.Key, StringComparer.Ordinal)
                .ToArray();
            if (kinds.Length == 1 && lost.Length == All)
            {
                return Invariant($"arm {arm}: none of {All} launches gave a value: {kinds[0].Key}");
            }

            var shown = string.Join("; ", kinds.Take(MostReasons).Select(kind => Invariant($"{kind.Count()} {kind.Key}")));
            var more = kinds.Length > MostReasons ? Invariant($"; {kinds.Skip(MostReasons).Sum(kind => kind.Count())} otherwise") : "";
            return Invariant($"arm {arm}: {lost.Length} of {All} launches gave no value: {shown}{more}");
        }
    }

    /// <summary>What only indirect evidence speaks for, or null: the runtime of a measured launch could not say itself how it ran.</summary>
    public string? IndirectEvidence
    {
        get
        {
            var settings = launches.Where(launch => launch.Outcome == Outcome.Measured).SelectMany(launch => IndirectSettings(launch.Evidence))
                .Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal).Take(MostSettings).ToList();
            var told = new List<string>();
            if (settings.Remove(LaunchProof.RuntimeVersion))
            {
                told.Add("the evidence for its runtime's version is indirect: neither the result nor an event of the runtime names it");
            }

            if (settings.Count > 0)
            {
                told.Add($"the evidence for {string.Join(", ", settings)} is indirect: nothing in this runtime reports it");
            }

            if (NotLoaded() is { Count: > 0 } packages)
            {
                told.Add($"no launch loaded an assembly of {string.Join(", ", packages)}: what is compared does not use it");
            }

            return told.Count == 0 ? null : $"arm {arm}: {string.Join("; ", told)}";
        }
    }

    /// <summary>For how long a quota of processor time stopped its measured launches, or null where none did or nobody says.</summary>
    public string? Throttled
    {
        get
        {
            double[] stops = [.. launches.Where(launch => launch.Outcome == Outcome.Measured)
                .Select(launch => (launch.Evidence["outside"] as JsonObject)?["throttledSeconds"] is JsonValue value
                    && value.TryGetValue<double>(out var seconds) && double.IsFinite(seconds) ? seconds : 0)
                .Where(seconds => seconds > 0)];
            return stops.Length == 0 ? null
                : Invariant($"arm {arm}: a quota of processor time stopped {stops.Length} of {Counted.Of(All, "launch")}, ")
                    + Invariant($"for {stops.Sum():0.###} s in all");
        }
    }

    /// <summary>Packages that the arm names and its measured launches did not need.</summary>
    private List<string> NotLoaded()
    {
        var said = launches.Where(launch => launch.Outcome == Outcome.Measured)
            .Select(launch => launch.Evidence["packages"]).OfType<JsonObject>().SelectMany(packages => packages)
            .ToLookup(package => package.Key, package => package.Value is JsonObject one && one["is"] is not null, StringComparer.Ordinal);
        return [.. said.Where(package => IsName(package.Key) && !package.Contains(true)).Select(package => package.Key).Take(MostSettings)];
    }

    private static bool IsName(string text) => text.Length is > 0 and <= 100
        && text.All(character => char.IsAsciiLetterOrDigit(character) || character is '_' or '.' or '-');

    // The journal may come from elsewhere: only what looks like the name of a setting is repeated.
    private static IEnumerable<string> IndirectSettings(JsonObject evidence) =>
        evidence["proof"] is JsonObject proof && proof["indirect"] is JsonArray settings
            ? settings.OfType<JsonValue>().Select(value => value.TryGetValue<string>(out var text) ? text : "")
                .Where(name => name.Length is > 0 and < 40 && name.All(character => char.IsAsciiLetterOrDigit(character) || character == '_'))
            : [];

    private static string Kind(Launch launch) => launch.Outcome switch
    {
        Outcome.Failed => launch.ExitCode is { } code ? Invariant($"failed with exit code {code}") : "failed",
        Outcome.TimedOut => "timed-out",
        Outcome.OutOfMemory => "out-of-memory",
        Outcome.KilledFromOutside => "killed-from-outside",
        _ => launch.Reason is { } reason ? $"refused: {reason}" : "refused",
    };
}
