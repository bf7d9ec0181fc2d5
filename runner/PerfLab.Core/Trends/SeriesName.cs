using System.Security.Cryptography;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using PerfLab.Core.Model;

namespace PerfLab.Core.Trends;

/// <summary>
/// What makes points of different sessions one series: the same program with the same values, the same metric, on the same make of machine.
/// Commits are no part of it: they are what the series goes through.
/// </summary>
public sealed partial record SeriesName
{
    /// <summary>The reference arm of a session that belongs to a trend has this id: a pinned old build.</summary>
    public const string AnchorArm = "anchor";

    /// <summary>The arm that will be the anchor; measured beside the old one for some sessions, so that the series can go on.</summary>
    public const string NextAnchorArm = "next-anchor";

    private const string Source = "source";

    /// <summary>Dimensions that begin no new series: the commit, which it goes through, and where the code lies in memory.</summary>
    private static readonly string[] Passing = [Source, Planning.WorkloadDimensions.Layout];

    public required string Workload { get; init; }

    /// <summary>Every dimension and parameter of the arm, without its commit; a runtime without its patch ("net10.0").</summary>
    public required IReadOnlyDictionary<string, string> Values { get; init; }

    /// <summary>Own dimensions of the reference, where they are more than a commit; empty against an anchor.</summary>
    public required IReadOnlyDictionary<string, string> Against { get; init; }
    public required string Metric { get; init; }
    public required string Unit { get; init; }
    public required Better Better { get; init; }

    /// <summary>Fingerprint of the machine (<see cref="MachineFingerprint"/>).</summary>
    public required string Machine { get; init; }
    public required string Cpu { get; init; }
    public required string Executor { get; init; }

    /// <summary>Whether the points are of the anchor to come.</summary>
    public bool IsNextAnchor { get; init; }

    /// <summary>How its rounds were paired: in turns is another measurement, with a noise of its own.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public Pairing Pairing { get; init; }

    /// <summary>The name as text, the same for the same series: ASCII whatever the names hold.</summary>
    [JsonIgnore]
    public string Key => JsonSerializer.Serialize(this, Json.Options);

    /// <summary>64 hexadecimal digits for a <see cref="Key"/>.</summary>
    public static string HashOf(string key) => Convert.ToHexStringLower(SHA256.HashData(Encoding.ASCII.GetBytes(key)));

    [JsonIgnore]
    public string Hash => HashOf(Key);

    public static SeriesName Of(Cell cell, Arm arm, Metric metric, SessionMachine machine)
    {
        var isTrend = cell.Reference.Id == AnchorArm;
        return new()
        {
            Workload = cell.Workload,
            Values = Sorted(cell.ValuesOf(arm)),
            Against = Sorted(isTrend ? new Dictionary<string, string>(StringComparer.Ordinal) : cell.Reference.Dimensions),
            Metric = metric.Name,
            Unit = metric.Unit,
            Better = metric.Better,
            Machine = machine.Fingerprint,
            Cpu = machine.Cpu,
            Executor = machine.Executor,
            IsNextAnchor = isTrend && arm.Id == NextAnchorArm,
            Pairing = cell.Pairing,
        };
    }

    /// <exception cref="JsonException">It is not what <see cref="Key"/> gave.</exception>
    public static SeriesName Read(string key) => JsonSerializer.Deserialize<SeriesName>(key, Json.Options)!;

    /// <summary>The commit of an arm; without one, its build: what was measured, as far as it can be named. Null when nobody
    /// said.</summary>
    public static string? CommitOf(Arm arm) => arm.Dimensions.GetValueOrDefault(Source) ?? arm.Build;

    private static SortedDictionary<string, string> Sorted(IReadOnlyDictionary<string, string> values) => new(
        values.Where(pair => !Passing.Contains(pair.Key, StringComparer.Ordinal))
            .ToDictionary(pair => pair.Key, pair => pair.Key == "runtime" ? Release(pair.Value) : pair.Value, StringComparer.Ordinal),
        StringComparer.Ordinal);

    /// <summary>A new patch of a runtime is no new series: the anchor runs on it, too.</summary>
    private static string Release(string runtime) => Patch().Replace(runtime, "");

    [GeneratedRegex(@"(?<=^net[0-9]{1,2}\.[0-9]{1,2})\.[0-9]{1,4}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Patch();
}

/// <summary>Where a session ran, as far as a series depends on it.</summary>
public sealed record SessionMachine(string Fingerprint, string Cpu, string Executor);

internal static class Json
{
    public static JsonSerializerOptions Options { get; } = new(JsonSerializerDefaults.Web) { Converters = { new Files.WordConverter() } };
}
