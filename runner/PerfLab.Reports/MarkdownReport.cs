using PerfLab.Core.Model;

namespace PerfLab.Reports;

/// <summary>
/// The report as GitHub-flavoured Markdown: for a comment, a job summary, report.md, and for whoever pastes it. Understood in five seconds,
/// on a phone, too: the answer, the rows worth reading, where they were measured; all else is folded. Only our own words, numbers and code:
/// whatever else it shows went through <see cref="UntrustedText"/>.
/// </summary>
public static class MarkdownReport
{
    /// <summary>Below GitHub's limit of 65,536 characters for a comment, with room for what the publisher adds.</summary>
    public const int CommentChars = 60_000;

    /// <summary>The least room that <see cref="RenderWithin"/> takes: the headline may need it.</summary>
    public const int LeastChars = 4000;

    /// <summary>The whole report, ending in a line feed.</summary>
    public static string Render(Report report) => Join(Sections(report));

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
            var whole = sections.Take(kept);
            var text = Join(kept == sections.Count ? whole : whole.Append(new("", LeftOut(sections.Skip(kept)))));
            if (text.Length <= maxChars || kept == 1)
            {
                return text;
            }
        }
    }

    /// <summary>What matters most comes first; the first section is never left out.</summary>
    public static IReadOnlyList<MarkdownSection> Sections(Report report)
    {
        var (shown, shared) = SharedSettings.Of(report, leastRows: 1);
        var open = MarkdownRows.Open(shown);
        return
        [
            Head(report),
            .. MarkdownRows.Sections(shown, open),
            .. MarkdownMachine.Sections(shown, shared),
            .. MarkdownDetails.Sections(shown),
            .. MarkdownRows.Folded(shown, open),
        ];
    }

    private static MarkdownSection Head(Report report)
    {
        var between = new[] { (report.HasSeveralArms ? "reference" : "base", report.Base), ("head", report.Head) }
            .Where(side => !string.IsNullOrEmpty(side.Item2)).Select(side => $"{side.Item1} {UntrustedText.Code(side.Item2!)}");
        var subject = string.Join(" -> ", between);
        return new("Verdict", $"**{report.Headline}**{(subject.Length > 0 ? $"\n\n{subject}" : "")}");
    }

    private static string LeftOut(IEnumerable<MarkdownSection> sections) =>
        "Left out, because it would not have fitted: "
        + $"{string.Join("; ", sections.Select(section => section.Title).Distinct(StringComparer.Ordinal))}. "
        + "The complete report is with the files of this session.";

    /// <summary>The details stand one after the other, and share one fold.</summary>
    private static string Join(IEnumerable<MarkdownSection> sections)
    {
        var (bodies, details) = (new List<string>(), new List<string>());
        void Fold()
        {
            if (details.Count > 0)
            {
                bodies.Add(MarkdownSection.Folded("Details", string.Join("\n\n", details)).Body);
                details.Clear();
            }
        }

        foreach (var section in sections)
        {
            if (section.IsDetail)
            {
                details.Add(section.Body);
                continue;
            }

            Fold();
            bodies.Add(section.Body);
        }

        Fold();
        return string.Join("\n\n", bodies) + "\n";
    }
}

/// <summary>A part of a Markdown report that can be left out as a whole.</summary>
/// <param name="Title">Our own words: what a shortened report says is missing.</param>
/// <param name="Body">Complete Markdown, without a line feed at the end.</param>
/// <param name="IsDetail">Whether it stands in the fold of details.</param>
public sealed record MarkdownSection(string Title, string Body, bool IsDetail = false)
{
    /// <summary>The section behind a fold. GitHub reads Markdown inside HTML only after an empty line.</summary>
    internal static MarkdownSection Folded(string title, string body) =>
        new(title, $"<details><summary>{title}</summary>\n\n{body}\n\n</details>");

    /// <summary>One of the details, below a heading of its own.</summary>
    internal static MarkdownSection Detail(string title, string body) => new(title, $"#### {title}\n\n{body}", IsDetail: true);
}
