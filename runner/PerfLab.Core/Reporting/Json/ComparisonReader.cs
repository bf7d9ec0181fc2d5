using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Core.Reporting.Json;

/// <summary>comparison.json from outside: every member is asked for by name, and nothing else may be there.</summary>
internal static class ComparisonReader
{
    private static readonly JsonDocumentOptions Strict = new() { AllowDuplicateProperties = false, MaxDepth = 32 };

    public static ComparisonReading Read(ReadOnlyMemory<byte> utf8)
    {
        if (utf8.Length > ComparisonJson.MaxBytes)
        {
            return Refused("the file", string.Create(CultureInfo.InvariantCulture, $"has {utf8.Length} bytes, over the limit of {ComparisonJson.MaxBytes}"));
        }

        try
        {
            using var document = JsonDocument.Parse(utf8, Strict);
            var problems = new List<Problem>();
            var comparison = ReadComparison(document.RootElement, problems);
            return problems.Count == 0 ? new ComparisonReading(comparison, []) : new ComparisonReading(null, problems);
        }
        catch (JsonException broken)
        {
            var where = broken.LineNumber is { } line
                ? string.Create(CultureInfo.InvariantCulture, $"line {line + 1}, byte {(broken.BytePositionInLine ?? 0) + 1}")
                : "the file";
            return Refused(where, $"is not strict JSON: {UntrustedText.Line(broken.Message)}");
        }
        catch (InvalidOperationException)
        {
            // Thrown when text that is asked for holds bytes or escapes that are no Unicode.
            return Refused("the file", "holds text that is not valid UTF-8 or has half a surrogate pair");
        }
    }

    private static ComparisonReading Refused(string where, string what) => new(null, [new Problem(where, what)]);

    private static Comparison? ReadComparison(JsonElement root, List<Problem> problems)
    {
        var file = new StrictObject(root, "", problems);
        if (!file.IsObject)
        {
            return null;
        }

        if (!string.Equals(file.Text("schema"), ComparisonJson.Schema, StringComparison.Ordinal))
        {
            file.Add("schema", $"must be \"{ComparisonJson.Schema}\": this file is of another kind or version");
        }

        var comparison = new Comparison
        {
            Session = file.Text("session"),
            Plan = file.Text("plan"),
            Policy = ReadPolicy(file.Object("policy")),
            Summary = ReadSummary(file.Object("summary")),
            FalseFlags = ReadFalseFlags(file.ObjectOrNull("falseFlags")),
            Cells = [.. file.Items("cells").Select(item => ReadMetric(new StrictObject(item.Item, item.Where, problems))).OfType<ComparedMetric>()],
            Warnings = file.Texts("warnings"),
        };
        file.RefuseTheRest();
        return comparison;
    }

    private static PolicyUsed ReadPolicy(StrictObject? policy)
    {
        if (policy is null)
        {
            return new PolicyUsed(new Policy(), "");
        }

        var values = new Policy
        {
            ScreenRounds = policy.Count("screen-rounds"),
            KeepP = policy.Number("keep-p", 0, 1),
            ConfirmRounds = policy.Count("confirm-rounds"),
            FamilyError = policy.Number("family-error", 0, 1),
            Margin = policy.Number("margin", 0, double.MaxValue),
            Interval = policy.Number("interval", 0, 1),
            TooNoisy = policy.Number("too-noisy", 0, double.MaxValue),
        };
        var used = new PolicyUsed(values, policy.Text("source"));
        policy.RefuseTheRest();
        return used;
    }

    private static VerdictCounts ReadSummary(StrictObject? summary)
    {
        if (summary is null)
        {
            return new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0);
        }

        var counts = new VerdictCounts(
            Regressed: summary.Count("regressed"),
            Improved: summary.Count("improved"),
            Unchanged: summary.Count("unchanged"),
            Undecided: summary.Count("undecided"),
            TooNoisy: summary.Count("tooNoisy"),
            IdenticalBuild: summary.Count("identicalBuild"),
            Failed: summary.Count("failed"),
            Unavailable: summary.Count("unavailable"));
        summary.RefuseTheRest();
        return counts;
    }

    private static FalseFlags? ReadFalseFlags(StrictObject? flags)
    {
        if (flags is null)
        {
            return null;
        }

        var record = new FalseFlags(flags.Count("flagged"), flags.Count("runs"), flags.Number("low", 0, 1), flags.Number("high", 0, 1));
        if (record.Flagged > record.Runs)
        {
            flags.Add("flagged", "is more than there are runs");
        }

        flags.RefuseTheRest();
        return record;
    }

    private static ComparedMetric? ReadMetric(StrictObject metric)
    {
        if (!metric.IsObject)
        {
            return null;
        }

        var compared = new ComparedMetric
        {
            Cell = metric.Text("cell"),
            Arm = metric.Text("arm"),
            Reference = metric.TextOrNull("reference"),
            Metric = metric.Text("metric"),
            Primary = metric.Flag("primary"),
            Unit = metric.Text("unit"),
            ReferenceValue = metric.NumberOrNull("referenceValue"),
            ArmValue = metric.NumberOrNull("armValue"),
            Change = metric.NumberOrNull("change", least: -1),
            Low = metric.NumberOrNull("low", least: -1),
            High = metric.NumberOrNull("high", least: -1),
            PValue = metric.NumberOrNull("pValue", 0, 1),
            AdjustedP = metric.NumberOrNull("adjustedP", 0, 1),
            Rounds = metric.Count("rounds"),
            Stage = metric.WordOrNull("stage", Words.ToStage, Words.AllStages),
            Noise = metric.NumberOrNull("noise", least: 0),
            SmallestDetectable = metric.NumberOrNull("smallestDetectable", least: 0),
            Verdict = metric.WordOrNull("verdict", Words.ToVerdict, Words.AllVerdicts),
            Equal = metric.OptionalFlag("equal"),
            Warnings = metric.Texts("warnings"),
        };
        metric.RefuseTheRest();
        return compared;
    }
}
