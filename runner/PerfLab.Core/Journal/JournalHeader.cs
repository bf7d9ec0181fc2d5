using PerfLab.Core.Model;

namespace PerfLab.Core.Journal;

/// <summary>Reads the session record.</summary>
internal static class JournalHeader
{
    public static SessionHeader Read(RecordObject record)
    {
        if (record.Text("schema") is var schema && schema != JournalWords.Schema)
        {
            throw new BadRecordException($"schema is '{schema}', this version reads '{JournalWords.Schema}'.");
        }

        return new SessionHeader
        {
            Session = record.Text("session"),
            Plan = record.Text("plan"),
            Seed = record.Seed("seed"),
            SameIl = record.Flag("sameIl", false),
            Started = record.Time("started"),
            Executor = record.Text("executor"),
            Machine = record.Free("machine"),
            Policy = record.Has("policy") ? ReadPolicy(record.Object("policy")) : null,
            Cells = [.. record.Objects("cells").Select(ReadCell)],
        };
    }

    /// <summary>Members that are missing have their defaults.</summary>
    private static Policy ReadPolicy(RecordObject json)
    {
        var defaults = new Policy();
        var policy = new Policy
        {
            ScreenRounds = json.CountOrNull("screen-rounds") ?? defaults.ScreenRounds,
            KeepP = Fraction(json, "keep-p", defaults.KeepP),
            ConfirmRounds = json.CountOrNull("confirm-rounds") ?? defaults.ConfirmRounds,
            FamilyError = Fraction(json, "family-error", defaults.FamilyError),
            Margin = Fraction(json, "margin", defaults.Margin),
            Interval = Fraction(json, "interval", defaults.Interval),
            TooNoisy = json.NumberOrNull("too-noisy") ?? defaults.TooNoisy,
        };
        json.End();
        return policy;
    }

    private static double Fraction(RecordObject json, string name, double otherwise) => json.NumberOrNull(name) switch
    {
        null => otherwise,
        >= 0 and < 1 and var fraction => fraction,
        var wrong => throw new BadRecordException($"policy {name} is {wrong}, expected a fraction from 0 to below 1."),
    };

    private static Cell ReadCell(RecordObject json)
    {
        var cell = new Cell
        {
            Id = json.Text("id"),
            Workload = json.Text("workload"),
            Dimensions = json.Texts("dimensions"),
            Parameters = json.Texts("parameters"),
            Arms = [.. json.Objects("arms").Select(ReadArm)],
            Metrics = [.. json.Objects("metrics").Select(ReadMetric)],
            Unavailable = json.TextOrNull("unavailable"),
        };
        json.End();
        if (cell.Arms.Count == 0 || cell.Arms.DistinctBy(arm => arm.Id, StringComparer.Ordinal).Count() != cell.Arms.Count)
        {
            throw new BadRecordException($"cell '{cell.Id}' has no arms, or two of one name.");
        }

        if (cell.Metrics.Count(metric => metric.Primary) != 1
            || cell.Metrics.DistinctBy(metric => metric.Name, StringComparer.Ordinal).Count() != cell.Metrics.Count)
        {
            throw new BadRecordException($"cell '{cell.Id}' needs exactly one primary metric and no name twice.");
        }

        return cell;
    }

    private static Arm ReadArm(RecordObject json)
    {
        var arm = new Arm { Id = json.Text("id"), Dimensions = json.Texts("dimensions"), Build = json.TextOrNull("build"), Il = json.TextOrNull("il") };
        json.End();
        return arm;
    }

    private static Metric ReadMetric(RecordObject json)
    {
        var metric = new Metric(
            json.Text("name"), json.Text("unit"), json.Word("better", JournalWords.Directions), json.Flag("primary", false),
            json.Has("kind") ? json.Word("kind", JournalWords.MetricKinds) : MetricKind.Sampled);
        json.End();
        return metric;
    }
}
