using PerfLab.Core.Model;

namespace PerfLab.Reports.Html;

/// <summary>Where it was measured, how, and under which policy: folds at the end, for who doubts.</summary>
internal static class HtmlMachine
{
    public static void Write(HtmlWriter writer, Report report, SampleSet? samples)
    {
        writer.Open("section", ("aria-labelledby", "machine")).Text("h2", "How it was measured", ("id", "machine"));
        if (report.Hygiene is { } hygiene)
        {
            writer.Open("details").Text("summary", $"Hygiene: {hygiene.Line}").Open("ul");
            foreach (var item in hygiene.Items)
            {
                writer.Name("li", item.Text, ("class", item.NeedsAttention ? "undecided" : "word"));
            }

            writer.Close().Close();
        }

        writer.Open("details").Text("summary", "Session, plan and policy");
        HtmlEvidence.Facts(writer, [.. report.Facts, ("policy", report.Policy), ("false flags", report.FalseFlagBudget)]);
        writer.Close();
        if (samples is { Header.Machine.Count: > 0 })
        {
            writer.Open("details").Text("summary", "Machine");
            HtmlEvidence.Facts(writer, [.. samples.Header.Machine.SelectMany(fact => HtmlEvidence.Flat(fact.Key, fact.Value, 0))]);
            writer.Close();
        }

        if (report.BenchmarkNotes.Count > 0)
        {
            writer.Open("details").Text("summary", "What BenchmarkDotNet says of its own launches");
            HtmlTable.Plain(writer, ["cell", "arm", "launches", "outliers"], report.BenchmarkNotes.Select(note =>
                (IReadOnlyList<string>)[note.Cell, note.Arm, Invariant($"{note.Launches}"), Invariant($"{note.Outliers}")]));
            writer.Close();
        }

        writer.Close();
    }
}
