using PerfLab.Core.Model;

namespace PerfLab.Launching.Results;

/// <summary>Holds a parsed result against what was agreed; collects every problem.</summary>
internal sealed class ResultChecker(ExpectedResult expected)
{
    private const string Schema = "perf-lab/result/1";
    private const int MostEvidence = 64 << 10;

    // A megabyte of unknown fields must not become a megabyte of sentences in the journal.
    private const int MostProblems = 10;

    // No unit makes such values; their ratios would still be numbers, and rule every figure.
    private const double Largest = 1e18;
    private const double Smallest = 1e-18;

    private static readonly string[] Known = ["schema", "nonce", "measuredSeconds", "metrics", "windows", "histograms", "evidence"];
    private readonly List<string> problems = [];

    public ResultReading Check(JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object)
        {
            return new ResultReading(null, [$"the result is {Describe(root)}, expected an object"]);
        }

        var members = root.EnumerateObject().ToDictionary(member => member.Name, member => member.Value, StringComparer.Ordinal);
        problems.AddRange(members.Keys.Except(Known, StringComparer.Ordinal).Select(name => $"'{Quote.Of(name)}' is not a field of a result"));
        CheckWord(members, "schema", Schema);
        CheckWord(members, "nonce", expected.Nonce);
        var result = new WorkloadResult
        {
            MeasuredSeconds = Seconds(members),
            Metrics = Metrics(members),
            Windows = new WindowChecker(expected.Metrics, problems).Windows(members),
            Histograms = new HistogramChecker(problems).Histograms(members),
            Evidence = Evidence(members),
        };
        return problems.Count == 0
            ? new ResultReading(result with { Evidence = WindowEvidence.Added(result, expected.Metrics) }, [])
            : new ResultReading(null, Bounded());
    }

    private List<string> Bounded() => problems.Count <= MostProblems
        ? problems
        : [.. problems.Take(MostProblems), string.Create(CultureInfo.InvariantCulture, $"and {problems.Count - MostProblems} more")];

    public static string Describe(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Object => "an object",
        JsonValueKind.Array => "a list",
        JsonValueKind.String => $"the text \"{Quote.Of(value.GetString()!)}\"",
        _ => Quote.Of(value.GetRawText()),
    };

    private void CheckWord(Dictionary<string, JsonElement> members, string name, string wanted)
    {
        if (!members.TryGetValue(name, out var value))
        {
            problems.Add($"{name} is missing, expected \"{wanted}\"");
        }
        else if (value.ValueKind != JsonValueKind.String || !string.Equals(value.GetString(), wanted, StringComparison.Ordinal))
        {
            problems.Add($"{name} is {Describe(value)}, expected \"{wanted}\"");
        }
    }

    private double Seconds(Dictionary<string, JsonElement> members)
    {
        if (!members.TryGetValue("measuredSeconds", out var value) || value.ValueKind != JsonValueKind.Number)
        {
            problems.Add($"measuredSeconds is {(members.ContainsKey("measuredSeconds") ? Describe(value) : "missing")}, expected a number of seconds");
            return 0;
        }

        var seconds = value.GetDouble();
        if (seconds <= 0 || seconds > expected.WallSeconds)
        {
            var wall = expected.WallSeconds.ToString("0.######", CultureInfo.InvariantCulture);
            problems.Add($"measuredSeconds is {Describe(value)}, expected more than 0 and at most the {wall} s that the launch took");
        }

        return seconds;
    }

    private Dictionary<string, double> Metrics(Dictionary<string, JsonElement> members)
    {
        var values = new Dictionary<string, double>(StringComparer.Ordinal);
        if (!members.TryGetValue("metrics", out var metrics) || metrics.ValueKind != JsonValueKind.Object)
        {
            problems.Add($"metrics is {(members.ContainsKey("metrics") ? Describe(metrics) : "missing")}, expected an object");
            return values;
        }

        foreach (var stranger in metrics.EnumerateObject().Where(member => expected.Metrics.All(metric => !Same(metric.Name, member.Name))))
        {
            problems.Add($"metrics has '{Quote.Of(stranger.Name)}', which the manifest does not declare for this mode");
        }

        foreach (var metric in expected.Metrics)
        {
            if (!metrics.TryGetProperty(metric.Name, out var entry))
            {
                problems.Add($"metrics.{metric.Name} is missing, expected a value in {metric.Unit}");
            }
            else if (Value(metric, entry) is { } value)
            {
                values[metric.Name] = value;
            }
        }

        return values;
    }

    private double? Value(Metric metric, JsonElement entry)
    {
        var name = $"metrics.{metric.Name}";
        var before = problems.Count;
        if (entry.ValueKind != JsonValueKind.Object
            || !entry.TryGetProperty("value", out var value) || !entry.TryGetProperty("unit", out var unit) || entry.EnumerateObject().Count() != 2)
        {
            problems.Add($"{name} is {Describe(entry)}, expected an object with value and unit alone");
            return null;
        }

        if (unit.ValueKind != JsonValueKind.String || !Same(unit.GetString(), metric.Unit))
        {
            problems.Add($"{name}.unit is {Describe(unit)}, expected \"{metric.Unit}\"");
        }

        if (value.ValueKind != JsonValueKind.Number)
        {
            problems.Add($"{name}.value is {Describe(value)}, expected a number");
        }
        else if (RangeProblem(metric, value.GetDouble()) is { } range)
        {
            problems.Add($"{name}.value is {Describe(value)}, expected {range}");
        }

        return problems.Count == before ? value.GetDouble() : null;
    }

    // Sampled metrics are compared by the logarithm of a ratio: 0 and less have none.
    private static string? RangeProblem(Metric metric, double value) => metric.Kind switch
    {
        MetricKind.Sampled when value is < Smallest or > Largest => "a number above 0 (from 1e-18 to 1e18)",
        MetricKind.Exact when value is < 0 or > Largest => "0 or more (to 1e18)",
        _ => null,
    };

    private JsonObject Evidence(Dictionary<string, JsonElement> members)
    {
        if (!members.TryGetValue("evidence", out var evidence))
        {
            return [];
        }

        if (evidence.ValueKind != JsonValueKind.Object)
        {
            problems.Add($"evidence is {Describe(evidence)}, expected an object");
            return [];
        }

        if (evidence.GetRawText().Length > MostEvidence)
        {
            problems.Add($"evidence has {evidence.GetRawText().Length} characters, expected at most {MostEvidence}");
            return [];
        }

        return JsonObject.Create(evidence.Clone())!;
    }

    private static bool Same(string? one, string other) => string.Equals(one, other, StringComparison.Ordinal);
}
