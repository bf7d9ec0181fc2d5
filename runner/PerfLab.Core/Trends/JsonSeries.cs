namespace PerfLab.Core.Trends;

/// <summary>
/// Otava's JSON (a list of runs with their metrics), or the data.js of github-action-benchmark (an object with the entries of each suite).
/// </summary>
public static class JsonSeries
{
    /// <summary>What data.js begins with: it is a script for a page.</summary>
    private const string Assignment = "window.BENCHMARK_DATA =";

    /// <param name="name">Of the file, without its extension.</param>
    /// <param name="text">The file.</param>
    public static ForeignReading Read(string name, string text)
    {
        var begin = text.TrimStart();
        var json = begin.StartsWith(Assignment, StringComparison.Ordinal) ? begin[Assignment.Length..].TrimEnd().TrimEnd(';') : begin;
        try
        {
            using var document = JsonDocument.Parse(json);
            return document.RootElement.ValueKind == JsonValueKind.Array ? OfOtava(name, document.RootElement)
                : document.RootElement.TryGetProperty("entries", out var entries) ? OfAction(entries)
                : ForeignReading.Refused("is neither a list of runs (Otava) nor an object with `entries` (github-action-benchmark)");
        }
        catch (JsonException broken)
        {
            return ForeignReading.Refused(Invariant($"is cut or no JSON: line {(broken.LineNumber ?? 0) + 1} of the data"));
        }
        catch (Exception unlike) when (unlike is InvalidOperationException or KeyNotFoundException or FormatException or ArgumentException)
        {
            return ForeignReading.Refused($"has not the form of Otava's or github-action-benchmark's files: {unlike.Message}");
        }
    }

    /// <summary>Runs of another branch are another series.</summary>
    private static ForeignReading OfOtava(string name, JsonElement runs)
    {
        var values = from run in runs.EnumerateArray()
                     let attributes = run.TryGetProperty("attributes", out var found) ? found : default
                     let time = DateTimeOffset.FromUnixTimeSeconds(run.GetProperty("timestamp").GetInt64())
                     from metric in run.GetProperty("metrics").EnumerateArray()
                     let branch = Text(attributes, "branch")
                     select (Name: $"{name}{(branch is null ? "" : $" ({branch})")}, {metric.GetProperty("name").GetString()}",
                         Unit: (string?)null, Point: new ForeignPoint(time, Text(attributes, "commit"), Value(metric)));
        return Of("otava", values);
    }

    private static ForeignReading OfAction(JsonElement entries)
    {
        var values = from suite in entries.EnumerateObject()
                     from entry in suite.Value.EnumerateArray()
                     let time = DateTimeOffset.FromUnixTimeMilliseconds(entry.GetProperty("date").GetInt64())
                     let commit = entry.GetProperty("commit").GetProperty("id").GetString()
                     from bench in entry.GetProperty("benches").EnumerateArray()
                     select (Name: $"{suite.Name}, {bench.GetProperty("name").GetString()}", Unit: Text(bench, "unit"),
                         Point: new ForeignPoint(time, commit, Value(bench)));
        return Of("github-action-benchmark", values);
    }

    /// <summary>A value in another unit is not on the same scale.</summary>
    private static ForeignReading Of(string tool, IEnumerable<(string Name, string? Unit, ForeignPoint Point)> values) =>
        ForeignReading.Of([.. values.GroupBy(value => (value.Name, value.Unit)).Select(series => new ForeignSeries
        {
            Tool = tool,
            Name = series.Key.Name,
            Unit = series.Key.Unit,
            Points = ForeignSeries.InOrder([.. series.Select(value => value.Point)]),
        })]);

    private static string? Text(JsonElement holder, string name) =>
        holder.ValueKind == JsonValueKind.Object && holder.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String
            ? value.GetString() : null;

    /// <summary>JavaScript writes NaN as null.</summary>
    private static double? Value(JsonElement holder) => holder.GetProperty("value") is { ValueKind: not JsonValueKind.Null } value
        && value.GetDouble() is var number && double.IsFinite(number) ? number : null;
}
