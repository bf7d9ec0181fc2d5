namespace PerfLab.Core.Reporting;

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
