using PerfLab.Core.Model;

namespace PerfLab.Reports;

/// <summary>What stands behind the verdicts, in one fold: what changed, what failed, how to measure it again, all figures.</summary>
internal static class MarkdownDetails
{
    private const int MostFailures = 10, MostListed = 50, MostLines = 10;

    /// <summary>Up to this many rows need no sum.</summary>
    private const int FewRows = 12;

    public static IEnumerable<MarkdownSection> Sections(Report report)
    {
        var sections = new List<MarkdownSection>();
        AddList(sections, RepeatedRow.Title, [.. report.Repeated.Select(row => $"- {Names(row.Names)}: {row.Text}")]);
        sections.AddRange(Why(report));
        AddList(sections, SelectionLines.Title, [.. report.Selection.Select(line => $"- {Sentence(line)}")]);
        sections.AddRange(Failures(report));
        sections.AddRange(Reproduce(report));
        if (report.Budget.Count > 0 && !report.Rows.Any(row => row.Figures.Budget?.Overspent == true))
        {
            AddList(sections, BudgetLine.Title, [.. report.Budget.Select(line => line.Markdown)]);
        }

        sections.AddRange(Pictures(report));
        sections.AddRange(report.Curves.Where(_ => !report.IsOneArm)
            .Select(curve => MarkdownSection.Detail("Curves", CurveMarkdown.Of(curve))));
        AddList(sections, "Warnings", [.. report.Warnings.Select(warning => $"- {Sentence(warning)}")]);
        AddList(sections, "Unavailable here", [.. report.Rows.Where(row => row.Unavailable is not null)
            .Select(row => $"- {UntrustedText.Code(row.Cell)}: {UntrustedText.Code(row.Unavailable!)}")]);
        AddList(sections, "Doubts about single rows", [.. report.Doubts
            .Select(doubt => $"- {Names(doubt.Names)}: {Sentence(doubt.Text)}")]);
        if (report.Hygiene is { } hygiene)
        {
            sections.Add(MarkdownSection.Detail("The machine while it measured",
                MarkdownSection.Folded(hygiene.Line, HygieneList(hygiene)).Body));
        }

        sections.Add(MarkdownSection.Detail("Machine, plan and policy", FactList(report)));
        sections.AddRange(Figures(report));
        return sections;
    }

    private static IEnumerable<MarkdownSection> Figures(Report report)
    {
        if (!report.IsOneArm)
        {
            if (report.Rows.Count > FewRows && WorkloadTable.Of(report.Rows) is { } summary)
            {
                yield return MarkdownSection.Detail("By workload", summary);
            }

            if (report.Rows.Any(row => row.Figures.Rounds > 0))
            {
                yield return MarkdownSection.Detail("All figures", MarkdownTable.Figures(report));
            }
        }

        if (report.OtherMetrics.Count > 0)
        {
            yield return MarkdownSection.Detail("Other metrics, without a verdict", MarkdownTable.Others(report));
        }

        if (report.BenchmarkNotes.Count > 0)
        {
            yield return MarkdownSection.Detail("What BenchmarkDotNet says of each launch, and how far launches lie apart",
                BenchmarkNote.Table(report.BenchmarkNotes));
        }
    }

    private static IEnumerable<MarkdownSection> Why(Report report)
    {
        var rows = report.Why.Take(MostListed).Select(row =>
            $"{Names(row.Names)}, for one {UntrustedText.Code(row.Work)}:\n\n"
            + string.Join('\n', row.Lines.Select(line => $"- {line}"))).ToList();
        if (rows.Count > 0)
        {
            yield return MarkdownSection.Detail(ExplanationRow.Title, string.Join("\n\n", rows));
        }
    }

    // In a fence, because a comment shows no picture of ours: GitHub takes none that is not public under an address of its own.
    private static IEnumerable<MarkdownSection> Pictures(Report report)
    {
        var strips = report.Rows.Where(row => row.Pairs.Count > 0).Take(MostListed).ToList();
        if (strips.Count > 0)
        {
            var drawn = strips.Select(row => $"{Names(report.HasSeveralArms ? [row.Cell, row.Figures.Arm] : [row.Cell])}\n\n"
                + UntrustedText.Fence(PairStrip.Of(row.Pairs)));
            yield return MarkdownSection.Detail("The rounds of what moved", $"{PairStrip.Legend}\n\n{string.Join("\n\n", drawn)}");
        }
    }

    private static IEnumerable<MarkdownSection> Failures(Report report)
    {
        foreach (var row in report.Rows.Where(row => row.Failures.Count > 0).Take(MostFailures))
        {
            var lines = new List<string> { UntrustedText.Code(row.Cell) };
            foreach (var failure in row.Failures)
            {
                lines.AddRange(["", $"{UntrustedText.Code(failure.Arm)}: {failure.What}"]);
                AddFence(lines, failure.Reason, "Why:");
                AddFence(lines, failure.Tail, "The last lines it printed:");
            }

            yield return MarkdownSection.Detail("Failed launches", string.Join('\n', lines));
        }
    }

    private static void AddFence(List<string> lines, string? text, string title)
    {
        if (text is not null)
        {
            lines.AddRange(["", title, "", UntrustedText.Fence(text)]);
        }
    }

    private static IEnumerable<MarkdownSection> Reproduce(Report report)
    {
        var lines = report.Rows.Where(row => row.Elsewhere is not null && (row.NeedsAttention || report.Rows.Count <= MostLines))
            .Select(row => UntrustedText.Line(row.Elsewhere!, UntrustedText.MaxChars))
            .Distinct(StringComparer.Ordinal).Take(MostLines).ToList();
        if (lines.Count > 0)
        {
            yield return MarkdownSection.Detail("How to reproduce", string.Join("\n\n", lines.Select(UntrustedText.Fence)));
        }
    }

    private static void AddList(List<MarkdownSection> sections, string title, IReadOnlyList<string> items)
    {
        if (items.Count > 0)
        {
            var more = items.Count > MostListed ? Invariant($"\n- and {items.Count - MostListed} more") : "";
            sections.Add(MarkdownSection.Detail(title, string.Join('\n', items.Take(MostListed)) + more));
        }
    }

    private static string HygieneList(HygieneNote hygiene) => string.Join('\n', hygiene.Items.Select(item =>
        item.NeedsAttention ? $"- **{Sentence(item.Text)}**" : $"- {Sentence(item.Text)}"));

    private static string FactList(Report report) => string.Join('\n',
        report.Facts.Select(fact => $"- {fact.Name}: {UntrustedText.Code(fact.Value)}")
            .Append($"- {report.FalseFlagBudget}").Append($"- policy: {Sentence(report.Policy)}"));

    private static string Names(IReadOnlyList<string> names) => string.Join(' ', names.Select(name => UntrustedText.Code(name)));

    private static string Sentence(string text) => UntrustedText.Code(text, UntrustedText.MaxNameChars * 2);
}
