using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Reports.Curves;

namespace PerfLab.Reports;

/// <summary>
/// The report as GitHub-flavoured Markdown: for a comment, a job summary, report.md. Only our own words, numbers and code: whatever
/// else it shows went through <see cref="UntrustedText"/>.
/// </summary>
public static class MarkdownReport
{
    /// <summary>Below GitHub's limit of 65,536 characters for a comment, with room for what the publisher adds.</summary>
    public const int CommentChars = 60_000;

    /// <summary>The least room that <see cref="RenderWithin"/> takes: the headline may need it.</summary>
    public const int LeastChars = 4000;

    /// <summary>Rows that stand open; the rest is behind a fold.</summary>
    private const int MostOpenRows = 100;

    /// <summary>Up to this many rows, folds only hide things.</summary>
    private const int FewRows = 12;
    private const int MostFailures = 10;
    private const int MostListed = 50;
    private const int FewStrips = 6;
    private const int MostOpenPoints = 24;

    /// <summary>The whole report, ending in a line feed.</summary>
    public static string Render(Report report) => Join(Sections(report).Select(section => section.Body));

    /// <summary>
    /// At most <paramref name="maxChars"/> UTF-16 units (never more code points than that either): whole sections are left out from the
    /// bottom and named at the end, so that no table, fence or surrogate pair is ever cut.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less room than the headline may need.</exception>
    public static string RenderWithin(Report report, int maxChars = CommentChars)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxChars, LeastChars);
        var sections = Sections(report);
        for (var kept = sections.Count; ; kept--)
        {
            var bodies = sections.Take(kept).Select(section => section.Body);
            var text = Join(kept == sections.Count ? bodies : bodies.Append(LeftOut(sections.Skip(kept))));
            if (text.Length <= maxChars || kept == 1)
            {
                return text;
            }
        }
    }

    /// <summary>What matters most comes first; the first section is never left out.</summary>
    public static IReadOnlyList<MarkdownSection> Sections(Report report)
    {
        var sections = new List<MarkdownSection> { Head(report) };
        sections.AddRange(report.IsOneArm ? [MarkdownSection.Open("Values", MarkdownTable.OneArm(report, report.Rows))] : Tables(report));
        sections.AddRange(report.AboutChanges is { } about ? [new("About changes", about)] : Array.Empty<MarkdownSection>());
        AddList(sections, RepeatedRow.Title, [.. report.Repeated.Select(row => $"- {Names(row.Names)}: {row.Text}")]);
        AddList(sections, BudgetLine.Title, [.. report.Budget.Select(line => line.Markdown)]);
        sections.AddRange(Why(report));
        AddList(sections, SelectionLines.Title, [.. report.Selection.Select(line => $"- {UntrustedText.Code(line, UntrustedText.MaxNameChars * 2)}")]);
        sections.AddRange(Pictures(report));
        sections.AddRange(report.Curves.Select(Curve));
        sections.AddRange(Failures(report));
        AddList(sections, "Warnings", [.. report.Warnings.Select(warning => $"- {UntrustedText.Code(warning, UntrustedText.MaxNameChars * 2)}")]);
        AddList(sections, "Unavailable here", [.. report.Rows.Where(row => row.Unavailable is not null).Select(row => $"- {UntrustedText.Code(row.Cell)}: {UntrustedText.Code(row.Unavailable!)}")]);
        AddList(sections, "Doubts about single rows", [.. report.Doubts.Select(doubt => $"- {Names(doubt.Names)}: {UntrustedText.Code(doubt.Text, UntrustedText.MaxNameChars * 2)}")]);
        sections.AddRange(Reproduce(report));
        if (report.OtherMetrics.Count > 0)
        {
            sections.Add(MarkdownSection.Folded("Other metrics, without a verdict", MarkdownTable.Others(report)));
        }

        if (report.BenchmarkNotes.Count > 0)
        {
            sections.Add(MarkdownSection.Folded("What BenchmarkDotNet says of each launch, and how far launches lie apart",
                BenchmarkNote.Table(report.BenchmarkNotes)));
        }

        if (report.Hygiene is { } hygiene)
        {
            sections.Add(MarkdownSection.Folded($"hygiene: {hygiene.Line}", HygieneList(hygiene)));
        }

        sections.Add(MarkdownSection.Folded("Machine, plan and policy", FactList(report)));
        sections.AddRange(AllCells(report));
        return sections;
    }

    private static MarkdownSection Head(Report report)
    {
        var lines = new List<string> { $"**{report.Headline}**", "" };
        var between = new[] { (report.HasSeveralArms ? "reference" : "base", report.Base), ("head", report.Head) }
            .Where(side => !string.IsNullOrEmpty(side.Item2)).Select(side => $"{side.Item1} {UntrustedText.Code(side.Item2!)}");
        var subject = string.Join(" -> ", between);
        if (subject.Length > 0)
        {
            lines.AddRange([subject, ""]);
        }

        return new MarkdownSection("Verdict", string.Join('\n', lines.SkipLast(1)));
    }

    private static IEnumerable<MarkdownSection> Tables(Report report)
    {
        if (report.Rows.Count == 0)
        {
            yield break;
        }

        if (report.Rows.Count <= FewRows)
        {
            yield return MarkdownSection.Open("All cells", MarkdownTable.Compared(report, report.Rows));
            yield break;
        }

        if (WorkloadTable.Of(report.Rows) is { } summary)
        {
            yield return MarkdownSection.Open("By workload", summary);
        }

        var moved = report.Rows.Where(row => row.NeedsAttention).ToList();
        if (moved.Count > 0)
        {
            var more = moved.Count > MostOpenRows
                ? Invariant($"\n\nThe first {MostOpenRows} of {moved.Count}; the others are under \"All cells\".")
                : "";
            yield return MarkdownSection.Open("What moved or failed", MarkdownTable.Compared(report, [.. moved.Take(MostOpenRows)]) + more);
        }

        var undecided = report.Rows.Where(row => row.Figures.Verdict == Verdict.Undecided).ToList();
        if (undecided.Count > 0)
        {
            var title = Invariant($"{undecided.Count} undecided, with the smallest change that would have shown");
            yield return MarkdownSection.Folded(title, MarkdownTable.Compared(report, undecided));
        }
    }

    private static IEnumerable<MarkdownSection> Why(Report report)
    {
        var rows = report.Why.Take(MostListed).Select(row =>
            $"{Names(row.Names)}, for one {UntrustedText.Code(row.Work)}:\n\n"
            + string.Join('\n', row.Lines.Select(line => $"- {line}"))).ToList();
        if (rows.Count > 0)
        {
            yield return MarkdownSection.Folded(ExplanationRow.Title, string.Join("\n\n", rows));
        }
    }

    // In a fence, because a comment shows no picture of ours: GitHub takes none that is not public under an address of its own.
    private static IEnumerable<MarkdownSection> Pictures(Report report)
    {
        var strips = report.Rows.Where(row => row.Pairs.Count > 0).Take(MostListed).ToList();
        if (strips.Count > 0)
        {
            const string Title = "The rounds of what moved";
            var body = $"{PairStrip.Legend}\n\n{string.Join("\n\n", strips.Select(row => $"{Names(report.HasSeveralArms ? [row.Cell, row.Figures.Arm] : [row.Cell])}\n\n{UntrustedText.Fence(PairStrip.Of(row.Pairs))}"))}";
            yield return strips.Count <= FewStrips ? MarkdownSection.Open(Title, body) : MarkdownSection.Folded(Title, body);
        }
    }

    // A long one would push all that follows out of sight.
    private static MarkdownSection Curve(Curve curve)
    {
        var points = CurveRow.Of(curve).Count;
        return points <= MostOpenPoints ? MarkdownSection.Open("Curves", CurveMarkdown.Of(curve))
            : MarkdownSection.Folded(Invariant($"Curve of {points} points"), CurveMarkdown.Of(curve));
    }

    // Last, because it is the longest, and everything in it that needs attention has been said.
    private static IEnumerable<MarkdownSection> AllCells(Report report)
    {
        if (!report.IsOneArm && report.Rows.Count > FewRows)
        {
            var title = Invariant($"All cells ({report.Rows.Count} rows)");
            yield return MarkdownSection.Folded(title, MarkdownTable.Compared(report, report.Rows));
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

            yield return MarkdownSection.Open("Failed launches", string.Join('\n', lines));
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
        var lines = report.Rows.Where(row => row.Reproduce is not null && (row.NeedsAttention || report.Rows.Count <= FewRows))
            .Select(row => UntrustedText.Line(row.Reproduce!, UntrustedText.MaxChars)).Distinct(StringComparer.Ordinal).Take(MostListed).ToList();
        if (lines.Count > 0)
        {
            yield return MarkdownSection.Folded("How to reproduce these rows", string.Join("\n\n", lines.Select(UntrustedText.Fence)));
        }
    }

    private static void AddList(List<MarkdownSection> sections, string title, IReadOnlyList<string> items)
    {
        if (items.Count > 0)
        {
            var more = items.Count > MostListed ? Invariant($"\n- and {items.Count - MostListed} more") : "";
            sections.Add(MarkdownSection.Open(title, string.Join('\n', items.Take(MostListed)) + more));
        }
    }

    private static string HygieneList(HygieneNote hygiene) => string.Join('\n',
        hygiene.Items.Select(item => $"- {(item.NeedsAttention ? "**" : "")}{UntrustedText.Code(item.Text, UntrustedText.MaxNameChars * 2)}{(item.NeedsAttention ? "**" : "")}"));

    private static string FactList(Report report) => string.Join('\n',
        report.Facts.Select(fact => $"- {fact.Name}: {UntrustedText.Code(fact.Value)}").Append($"- {report.FalseFlagBudget}").Append($"- policy: {UntrustedText.Code(report.Policy, UntrustedText.MaxNameChars * 2)}"));

    private static string Names(IReadOnlyList<string> names) => string.Join(' ', names.Select(name => UntrustedText.Code(name)));

    private static string LeftOut(IEnumerable<MarkdownSection> sections) =>
        $"Left out, because it would not have fitted: {string.Join("; ", sections.Select(section => section.Title).Distinct(StringComparer.Ordinal))}. "
        + "The complete report is with the files of this session.";

    private static string Join(IEnumerable<string> bodies) => string.Join("\n\n", bodies) + "\n";
}

/// <summary>A part of a Markdown report that can be left out as a whole.</summary>
/// <param name="Title">Our own words: what a shortened report says is missing.</param>
/// <param name="Body">Complete Markdown, without a line feed at the end.</param>
public sealed record MarkdownSection(string Title, string Body)
{
    /// <summary>The section behind a fold. GitHub reads Markdown inside HTML only after an empty line.</summary>
    internal static MarkdownSection Folded(string title, string body) =>
        new(title, $"<details><summary>{title}</summary>\n\n{body}\n\n</details>");

    internal static MarkdownSection Open(string title, string body) => new(title, $"### {title}\n\n{body}");
}
