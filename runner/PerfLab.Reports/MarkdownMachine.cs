using PerfLab.Core.Model;

namespace PerfLab.Reports;

/// <summary>Where it was measured, on one line, and on one more what makes sizes doubtful.</summary>
internal static class MarkdownMachine
{
    private const int MostWarnings = 2;

    /// <param name="report">What is said.</param>
    /// <param name="shared">What every row's name ended with; null: nothing. Untrusted.</param>
    public static IEnumerable<MarkdownSection> Sections(Report report, string? shared)
    {
        string? Fact(string name) => report.Facts.Where(fact => fact.Name == name).Select(fact => fact.Value).FirstOrDefault();
        var pairing = report.IsOneArm ? null : Fact(ReportFacts.Pairing) ?? "launches in pairs";
        var rounds = report.Rows.Select(row => row.Figures.Rounds).DefaultIfEmpty(0).Max();
        string?[] code = [Fact(ReportFacts.Machine), Fact(ReportFacts.Executor), shared];
        var parts = code.Where(part => !string.IsNullOrEmpty(part)).Select(part => UntrustedText.Code(part!))
            .Concat(new[] { pairing, $"up to {Counted.Of(rounds, report.IsOneArm ? "launch" : "round")}" }.OfType<string>()).ToList();
        if (report.Rows.Count > 0)
        {
            yield return new("Machine", $"Measured: {string.Join(", ", parts)}.");
        }

        if (Doubts(report) is { Count: > 0 } doubts)
        {
            yield return new("Warnings", string.Join("\n\n", doubts.Select(doubt => $"⚠️ {doubt}")));
        }
    }

    /// <summary>A noisy machine first; then what is wrong with the session as a whole. The executor's own warnings are
    /// in the details.</summary>
    private static List<string> Doubts(Report report)
    {
        var doubts = new List<string>();
        var noisy = report.Hygiene?.Items.Where(item => item.NeedsAttention).ToList() ?? [];
        if (noisy.Count > 0)
        {
            var more = noisy.Count > 1 ? Invariant($" and {noisy.Count - 1} more, in the details") : "";
            doubts.Add($"The machine was not at its best, take sizes with care: {UntrustedText.Code(noisy[0].Text)}{more}");
        }

        var warnings = report.Comparison.Warnings;
        doubts.AddRange(warnings.Take(MostWarnings).Select(warning => UntrustedText.Code(warning, UntrustedText.MaxNameChars * 2)));
        if (warnings.Count > MostWarnings)
        {
            doubts.Add($"{Counted.Of(warnings.Count - MostWarnings, "more warning")}, in the details");
        }

        return doubts;
    }
}
