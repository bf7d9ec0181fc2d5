using PerfLab.Core.Model;

namespace PerfLab.Launching.Results;

/// <summary>windows: by metric name, the values of the measuring windows in order.</summary>
internal sealed class WindowChecker(IReadOnlyList<Metric> metrics, List<string> problems)
{
    private const int Most = 100_000;

    public Dictionary<string, IReadOnlyList<double>> Windows(Dictionary<string, JsonElement> members)
    {
        var windows = new Dictionary<string, IReadOnlyList<double>>(StringComparer.Ordinal);
        foreach (var series in Members.Of(members, "windows", problems))
        {
            var name = $"windows.{Quote.Of(series.Name)}";
            if (metrics.All(metric => !string.Equals(metric.Name, series.Name, StringComparison.Ordinal)))
            {
                problems.Add($"{name} is of no metric that the manifest declares for this mode");
            }
            else if (series.Value.ValueKind != JsonValueKind.Array || series.Value.GetArrayLength() > Most)
            {
                problems.Add($"{name} is {ResultChecker.Describe(series.Value)}, expected a list of at most {Most} numbers");
            }
            else if (series.Value.EnumerateArray().Any(value => value.ValueKind != JsonValueKind.Number || value.GetDouble() < 0))
            {
                problems.Add($"{name} holds something else than numbers from 0 on");
            }
            else
            {
                windows[series.Name] = [.. series.Value.EnumerateArray().Select(value => value.GetDouble())];
            }
        }

        return windows;
    }
}

/// <summary>histograms: by name, log-linear counts with their unit and number of significant digits.</summary>
internal sealed class HistogramChecker(List<string> problems)
{
    private const int MostHistograms = 16;
    private const int LongestName = 64;

    public JsonObject Histograms(Dictionary<string, JsonElement> members)
    {
        var histograms = Members.Of(members, "histograms", problems);
        if (histograms.Count > MostHistograms)
        {
            problems.Add($"histograms has {histograms.Count} members, expected at most {MostHistograms}");
            return [];
        }

        var before = problems.Count;
        histograms.ForEach(Check);
        return problems.Count == before && histograms.Count > 0 ? JsonObject.Create(members["histograms"].Clone())! : [];
    }

    private void Check(JsonProperty histogram)
    {
        var name = $"histograms.{Quote.Of(histogram.Name)}";
        var value = histogram.Value;
        if (histogram.Name.Length is 0 or > LongestName || histogram.Name.Any(c => !char.IsAsciiLetterLower(c) && !char.IsAsciiDigit(c) && c != '-'))
        {
            problems.Add($"{name}: expected a name of a-z, 0-9 and -");
        }

        if (value.ValueKind != JsonValueKind.Object || value.EnumerateObject().Count() != 3
            || !value.TryGetProperty("unit", out var unit) || !value.TryGetProperty("digits", out var digits) || !value.TryGetProperty("counts", out var counts))
        {
            problems.Add($"{name} is {ResultChecker.Describe(value)}, expected an object with unit, digits and counts alone");
            return;
        }

        if (unit.ValueKind != JsonValueKind.String || unit.GetString()!.Length is 0 or > 16)
        {
            problems.Add($"{name}.unit is {ResultChecker.Describe(unit)}, expected a unit");
        }

        if (digits.ValueKind != JsonValueKind.Number || !digits.TryGetInt32(out var count) || count is < 1 or > 5)
        {
            problems.Add($"{name}.digits is {ResultChecker.Describe(digits)}, expected a whole number from 1 to 5");
        }

        if (counts.ValueKind != JsonValueKind.Array || !AreRising(counts))
        {
            problems.Add($"{name}.counts is not a list of [bucket, count] with rising buckets from 0 on and counts from 1 on");
        }
    }

    private static bool AreRising(JsonElement counts)
    {
        var last = -1L;
        foreach (var pair in counts.EnumerateArray())
        {
            if (pair.ValueKind != JsonValueKind.Array || pair.GetArrayLength() != 2
                || !IsWhole(pair[0], out var bucket) || !IsWhole(pair[1], out var count) || bucket <= last || count < 1)
            {
                return false;
            }

            last = bucket;
        }

        return true;
    }

    // Up to 2^53: what a reader in any language takes for the same number.
    private static bool IsWhole(JsonElement element, out long value)
    {
        value = 0;
        return element.ValueKind == JsonValueKind.Number && element.TryGetInt64(out value) && value is >= 0 and <= 1L << 53;
    }
}

internal static class Members
{
    /// <summary>The members of an optional object; a problem and none when it is something else.</summary>
    public static List<JsonProperty> Of(Dictionary<string, JsonElement> members, string name, List<string> problems)
    {
        if (!members.TryGetValue(name, out var value))
        {
            return [];
        }

        if (value.ValueKind == JsonValueKind.Object)
        {
            return [.. value.EnumerateObject()];
        }

        problems.Add($"{name} is {ResultChecker.Describe(value)}, expected an object");
        return [];
    }
}
