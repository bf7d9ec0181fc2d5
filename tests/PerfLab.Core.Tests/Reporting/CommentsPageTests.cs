using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Reports;

namespace PerfLab.Core.Tests.Reporting;

/// <summary>results/comments.md is what people look at before they turn it on, so it is what the renderer makes today.</summary>
public sealed class CommentsPageTests
{
    private const string Intro = """
        # The report on a pull request

        What `report --format markdown` makes of four comparisons, and what then stands in the comment below its heading. **The figures are
        made up**, to be looked at: they were never measured. The comparisons are written in
        [SampleComments.cs](../tests/PerfLab.Core.Tests/Reporting/Support/SampleComments.cs). `CommentsPageTests` of PerfLab.Core.Tests
        holds this page against the renderer, and says what to copy when they differ.

        The pictures show the goldens of those tests in Chromium, 924 and 390 pixels wide, with a style sheet that has the
        widths of GitHub's: `npx tsx pages/comment.ts FOLDER FILE.md…` in tests/workflows. GitHub itself was not reached.

        Whole comments, with their headings and the lines around the report, are in [comments](comments/README.md). How to read it:
        [reading-a-report.md](../docs/reading-a-report.md#on-a-pull-request).

        """;

    [Fact]
    public void the_page_shows_what_the_renderer_makes()
    {
        var parts = new[]
        {
            Part("1 row, measured again minutes later", "1-row", SampleComments.One()),
            Part("12 rows on a noisy machine", "12-rows", SampleComments.Twelve()),
            Part("60 rows", "60-rows", SampleComments.Sixty()),
            Part("200 rows, of which the change can touch 4", "200-rows-of-which-4-are-touched", SampleComments.Untouched()),
        };
        Golden.ShouldMatch(Intro + string.Concat(parts), "results/comments.md");
    }

    private static string Part(string title, string picture, (Core.Statistics.Rows.Comparison Comparison, ReportContext Context) of) =>
        $"\n## {title}\n\nPictures: [desktop](comments/comment-{picture}.png), [phone](comments/comment-{picture}-phone.png).\n\n"
            + MarkdownReport.Render(Report.From(of.Comparison, of.Context));
}
