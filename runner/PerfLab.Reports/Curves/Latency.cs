using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Curves;

/// <summary>One distribution of one arm, all of its launches together: percentiles of launches can't be averaged, counts can be
/// added.</summary>
/// <param name="Name">What the arm is called. Untrusted.</param>
/// <param name="Launches">Whose counts are in it.</param>
/// <param name="Counts">Lowest value of a bucket in the unit, and how many values fell into it; rising.</param>
public sealed record LatencyLine(string Name, int Launches, IReadOnlyList<(double Value, double Count)> Counts)
{
    public double Total { get; } = Counts.Sum(bucket => bucket.Count);

    /// <summary>The lowest value of the bucket in which a share (0 to 1) of all values is reached.</summary>
    public double Percentile(double share)
    {
        var left = share * Total;
        foreach (var (value, count) in Counts)
        {
            left -= count;
            if (left <= 0)
            {
                return value;
            }
        }

        return Counts[^1].Value;
    }
}

/// <summary>A histogram that a workload kept, for the arms of one cell.</summary>
public sealed record Latency
{
    private const int MostBuckets = 200, MostNames = 16;

    /// <summary>What a program counts in a bucket can't be more than this.</summary>
    private const double MostCount = 1e15;

    /// <summary>Buckets lie at billionths of the unit.</summary>
    private const double Billionth = 1e-9;

    /// <summary>As the workload calls it, "latency". Untrusted.</summary>
    public required string Name { get; init; }

    /// <summary>Untrusted.</summary>
    public required string Unit { get; init; }
    public required IReadOnlyList<LatencyLine> Lines { get; init; }

    /// <summary>Of a cell's measured launches; what could not be true is left out: it is a workload's word.</summary>
    public static IReadOnlyList<Latency> Of(Cell cell, IEnumerable<Launch> launches)
    {
        var kept = launches.Where(launch => launch.Outcome == Outcome.Measured)
            .SelectMany(launch => Read(launch.Evidence).Select(one => (launch.Arm, one.Name, one.Unit, one.Counts))).ToList();
        return [.. kept.GroupBy(one => (one.Name, one.Unit)).Take(MostNames).Select(same => new Latency
        {
            Name = same.Key.Name,
            Unit = same.Key.Unit,
            Lines = [.. cell.Arms.Select(arm => (Arm: arm, Launches: same.Where(one => one.Arm == arm.Id).ToList()))
                .Where(arm => arm.Launches.Count > 0)
                .Select(arm => new LatencyLine(ArmName.InWords(cell, arm.Arm) is { Length: > 0 } name ? name : arm.Arm.Id,
                arm.Launches.Count,
                    [.. arm.Launches.SelectMany(one => one.Counts).GroupBy(bucket => bucket.Value)
                        .Select(bucket => (bucket.Key, bucket.Sum(one => one.Count))).OrderBy(bucket => bucket.Key)]))],
        })];
    }

    private static IEnumerable<(string Name, string Unit, List<(double Value, double Count)> Counts)> Read(JsonObject evidence)
    {
        foreach (var (name, node) in (evidence["histograms"] as JsonObject)?.Take(MostNames) ?? [])
        {
            if (node is JsonObject histogram && histogram["unit"] is JsonValue unit && unit.TryGetValue<string>(out var text)
                && histogram["counts"] is JsonArray { Count: > 0 and <= MostBuckets } counts)
            {
                List<(double Value, double Count)?> buckets = [.. counts.Select(Bucket)];
                if (buckets.TrueForAll(bucket => bucket is not null))
                {
                    yield return (name, text, buckets.ConvertAll(bucket => bucket!.Value));
                }
            }
        }
    }

    private static (double Value, double Count)? Bucket(JsonNode? node) =>
        node is JsonArray { Count: 2 } pair && Number(pair[0]) is { } place && Number(pair[1]) is { } count && count <= MostCount
            ? (Math.Max(1, place) * Billionth, count) : null;

    private static double? Number(JsonNode? node) => JsonNumber.Of(node) is >= 0 and var number ? number : null;
}
