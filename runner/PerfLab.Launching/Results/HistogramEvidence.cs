namespace PerfLab.Launching.Results;

/// <summary>
/// Keeps the histograms of a result with its evidence, thinned: a picture shows no more than some forty bars, and the journal is written
/// for every launch.
/// </summary>
internal static class HistogramEvidence
{
    /// <summary>Buckets of one histogram that are kept: 20 a decade, and wider ones when the values span more than four decades.</summary>
    public const int Most = 80;
    private const int PerDecade = 20;

    /// <summary>2^53, as for every whole number in a file; a workload may claim more.</summary>
    private const double MostCount = 1L << 53;

    public static void Add(WorkloadResult result)
    {
        // What a program calls so by itself is none of ours.
        result.Evidence.Remove("histograms");
        var kept = new JsonObject();
        foreach (var (name, histogram) in result.Histograms.Where(named => named.Value.Counts.Count > 0))
        {
            kept[name] = new JsonObject
            {
                ["unit"] = histogram.Unit,
                ["counts"] = new JsonArray([.. Thinned(histogram.Counts).Select(bucket => (JsonNode)new JsonArray(bucket.Place,
                    bucket.Count))]),
            };
        }

        if (kept.Count > 0)
        {
            result.Evidence["histograms"] = kept;
        }
    }

    /// <summary>Neighbours become one bucket, under the lowest of their values.</summary>
    internal static IReadOnlyList<(long Place, long Count)> Thinned(IReadOnlyList<Bucket> counts)
    {
        for (var perDecade = (double)PerDecade; ; perDecade /= 2)
        {
            List<(long Place, long Count)> thinned =
                [.. counts.GroupBy(bucket => Math.Floor(perDecade * Math.Log10(Math.Max(1, bucket.Place))))
                .Select(together => (together.Min(bucket => bucket.Place), (long)Math.Min(MostCount, together.Sum(bucket =>
                (double)bucket.Count))))];
            if (thinned.Count <= Most)
            {
                return thinned;
            }
        }
    }
}
