using PerfLab.Core.Model;

namespace PerfLab.Reports.Html;

/// <summary>What proves that the launches of a row ran as claimed: the evidence of one launch of each arm.</summary>
internal static class HtmlEvidence
{
    private const int MostLines = 160;

    /// <summary>Shown as pictures.</summary>
    private static readonly string[] Drawn = ["windows", "histograms"];

    public static void Write(HtmlWriter writer, ReportRow row, SampleSet? samples)
    {
        var launches = samples?.Launches.Where(launch => launch.Cell == row.Figures.Cell && launch.Outcome == Outcome.Measured).ToList();
        if (launches is not { Count: > 0 })
        {
            return;
        }

        writer.Open("details").Text("summary", "Evidence: how its launches ran");
        foreach (var arm in new[] { row.Figures.Reference, row.Figures.Arm }.OfType<string>().Distinct(StringComparer.Ordinal))
        {
            if (launches.Find(launch => launch.Arm == arm) is { } first)
            {
                writer.Name("p", $"{arm}, its first measured launch:", ("class", "dim"));
                Facts(writer, [.. first.Evidence.Where(fact => !Drawn.Contains(fact.Key, StringComparer.Ordinal))
                    .SelectMany(fact => Flat(fact.Key, fact.Value, 0))]);
            }
        }

        writer.Close();
    }

    /// <summary>Names and values as a list.</summary>
    public static void Facts(HtmlWriter writer, IReadOnlyList<(string Name, string Value)> facts)
    {
        if (facts.Count == 0)
        {
            writer.Text("p", "It kept none.");
            return;
        }

        writer.Open("dl");
        foreach (var (name, value) in facts.Take(MostLines))
        {
            writer.Name("dt", name).Name("dd", value);
        }

        writer.Close();
        if (facts.Count > MostLines)
        {
            writer.Text("p", Invariant($"and {facts.Count - MostLines} more, in samples.ndjson"));
        }
    }

    /// <summary>"gcConfiguration.GCHeapCount" and its value. A journal may come from anywhere: what is deeper than four members is one
    /// text.</summary>
    public static IEnumerable<(string Name, string Value)> Flat(string name, JsonNode? node, int depth) => node switch
    {
        JsonObject members when depth < 4 => members.SelectMany(member => Flat($"{name}.{member.Key}", member.Value, depth + 1)),
        JsonArray items when depth < 4 && items.Count <= 12 && items.All(item => item is JsonValue) =>
            [(name, string.Join(", ", items.Select(item => item!.ToString())))],
        JsonArray items when depth < 4 => items.Take(40).SelectMany((item, index) => Flat(Invariant($"{name}[{index}]"), item, depth + 1)),
        null => [(name, "none")],
        _ => [(name, node.ToString())],
    };
}
