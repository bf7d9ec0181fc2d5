using System.Buffers;
using System.Text.RegularExpressions;
using FsCheck;
using FsCheck.Fluent;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Reports;

namespace PerfLab.Core.Tests.Reporting;

/// <summary>What stands on a pull request is understood in five seconds, on a phone too, and nothing in it does anything.</summary>
public sealed partial class CommentTests
{
    private const string Folder = "tests/PerfLab.Core.Tests/Reporting/golden/comment-";

    public static TheoryData<string> Samples => ["1-row", "12-rows", "60-rows", "200-rows-of-which-4-are-touched"];

    [Theory]
    [MemberData(nameof(Samples))]
    public void it_looks_as_it_did(string sample) => Golden.ShouldMatch(Render(sample), $"{Folder}{sample}.md");

    [Theory]
    [MemberData(nameof(Samples))]
    public void what_stands_open_begins_with_the_answer_and_has_no_table_wider_than_a_phone(string sample)
    {
        var open = MarkdownText.WithoutFolds(Render(sample));
        open.ShouldMatch(@"^\*\*.*Json|Csv|Url|Message.* (slower|faster).*\*\*\n");
        open.Split('\n').Length.ShouldBeLessThan(30);
        foreach (var row in open.Split('\n').Where(line => line.StartsWith('|')))
        {
            row.Count(letter => letter == '|').ShouldBeLessThanOrEqualTo(5);
            // What can't be broken, in letters of about 7 pixels: three columns of a phone have 34 of them.
            row.Split('|').Sum(Unbreakable).ShouldBeLessThanOrEqualTo(36, row);
        }
    }

    [Fact]
    public void one_row_is_said_in_about_six_lines_and_folds()
    {
        var lines = MarkdownText.WithoutFolds(Render("1-row")).Split('\n').Where(line => line.Length > 0).ToList();
        lines.Count.ShouldBe(6);
        lines[0].ShouldBe("**Json.Parse is 12.3 % slower**");
        lines[4].ShouldContain("11.0 to 13.1\u00A0% in 2 of 2 sessions", customMessage: "what the sessions saw, not [+1.3, +24.6]");
    }

    [Fact]
    public void only_rows_worth_reading_stand_open()
    {
        Rows(MarkdownText.WithoutFolds(Render("12-rows"))).ShouldBe(4);
        Rows(MarkdownText.WithoutFolds(Render("60-rows"))).ShouldBe(10);
        Render("60-rows")
            .ShouldContain("<summary>50 more benchmarks: no change found in 50 (would have seen 1.1 % in most)</summary>");
        Render("200-rows-of-which-4-are-touched")
            .ShouldContain("<summary>196 of 200 benchmarks not measured: nothing that they run changed</summary>");
    }

    [Fact]
    public void a_noisy_machine_is_one_line_and_a_quiet_one_is_none()
    {
        Regex.Count(Render("12-rows"), "take sizes with care").ShouldBe(1);
        Render("1-row").ShouldNotContain("take sizes with care");
    }

    [Fact]
    public void no_line_to_paste_names_a_place_of_the_machine()
    {
        var (comparison, context) = SampleComments.Twelve();
        var here = context with
        {
            Program = "PERF_LAB_ROOT=/home/me/lab /home/me/lab/perf-lab",
            Feeds = context.Cells.ToDictionary(cell => cell.Id, _ => (IReadOnlyList<string>)["/srv/packages"]),
            Folders = context.Cells.ToDictionary(cell => cell.Id, _ => "/home/me/lab/mine"),
        };
        var report = Report.From(comparison, here);
        report.Rows[0].Reproduce!.ShouldStartWith(
            "PERF_LAB_ROOT=/home/me/lab /home/me/lab/perf-lab run /home/me/lab/mine --filter 'My.Library.Json.Find(count: 1000)' ");
        report.Rows[0].Reproduce!.ShouldEndWith(" --rounds 8+20 --pairing launches --seed 7 --executor docker --feed /srv/packages");
        var text = MarkdownReport.Render(report);
        text.ShouldNotContain("/home");
        text.ShouldNotContain("/srv");
        text.ShouldContain("\nperf-lab run ./mine --filter 'My.Library.Json.Find(count: 1000)' "
            + "--base source=bbbbbbbbbbbb --head source=aaaaaaaaaaaa --set runtime=net10.0.14 "
            + "--only all --pairing launches --executor docker --feed FOLDER\n", Case.Sensitive);
    }

    /// <summary>Any text in place of every name: what stands outside of code is ours, and the table keeps its columns.</summary>
    [Fact]
    public void whatever_names_are_they_stay_in_their_code() => Prop.ForAll(Hostile, name =>
    {
        var cell = SampleComments.Benchmark("c0", name) with { Workload = name, Unavailable = name };
        var row = SampleReports.Figures("c0") with
        {
            Unit = name,
            ReferenceValue = 1,
            ArmValue = 2,
            Change = 1.5,
            Low = 1,
            High = 2,
            Verdict = Verdict.Regressed,
            Warnings = [name],
        };
        var rows = new[] { row, row with { Cell = name, Verdict = Verdict.TooNoisy } };
        var report = Report.From(SampleReports.Of(rows, new(0, 0, 0, 0, 0, 0, 0, 0)) with { Warnings = [name] }, new ReportContext
        {
            Cells = [cell],
            Machine = name,
            Executor = name,
            Base = name,
            Hygiene = new("1 warning", [new(true, name)]),
        });
        var text = MarkdownReport.Render(report);
        var outside = MarkdownText.OutsideCode(text);
        return !Ours().Replace(outside, "").AsSpan().ContainsAny(Markup)
            && text.Split('\n').Where(line => line.StartsWith("| ", StringComparison.Ordinal)).All(line => Bars(line) is 4 or 7)
            && Headlines().IsMatch(report.Headline);
    }).QuickCheckThrowOnFailure();

    private static readonly SearchValues<char> Markup = SearchValues.Create("@<>[]!\\$&\u202E");

    private static readonly Arbitrary<string> Hostile = Gen.Elements(
            "@org/team", "<img src=x>", "[x](javascript:1)", "a|b", "\n", "```", "`", "</details>", "<!-- perf-lab:v1 -->", "GH-1",
            "fixes #1", "\u202E", "&#64;user", "😀", "\uD83D", "🔴", "| 🔴 x | `y` |", "<wbr>", "<br>", "MessageTemplateParsingBenchmarks", " ", ".",
            "(", "www.evil.example", new string('x', 4000))
        .ArrayOf().Where(parts => parts.Length < 12).Select(string.Concat).ToArbitrary();

    private static int Bars(string line) => MarkdownText.OutsideCode(line).Count(letter => letter == '|');

    private static int Rows(string markdown) => markdown.Split('\n').Count(line => line.StartsWith("| ", StringComparison.Ordinal)) - 2;

    private static int Unbreakable(string cell) => Breaks().Split(cell).Max(part => part.Length);

    private static string Render(string sample)
    {
        var (comparison, context) = sample switch
        {
            "1-row" => SampleComments.One(),
            "12-rows" => SampleComments.Twelve(),
            "60-rows" => SampleComments.Sixty(),
            _ => SampleComments.Untouched(),
        };
        return MarkdownReport.Render(Report.From(comparison, context));
    }

    [GeneratedRegex("<wbr>|<br>| |→|[*`]", RegexOptions.None, 1000)]
    private static partial Regex Breaks();

    [GeneratedRegex(@"</?details>|</?summary>|<br>|<wbr>|&lt;|->|\[[-+0-9.]+,\u00A0[-+0-9.]+\]", RegexOptions.None, 1000)]
    private static partial Regex Ours();

    // As .github/perf-lab/src/publish/judge.ts demands it.
    [GeneratedRegex(@"^[A-Za-z0-9 ,.:;%()+_-]{1,600}\z", RegexOptions.None, 1000)]
    private static partial Regex Headlines();
}
