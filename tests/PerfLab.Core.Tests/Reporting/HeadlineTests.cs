using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting;

public sealed class HeadlineTests
{
    [Fact]
    public void the_one_row_that_moved_is_named_with_its_size_and_what_it_is_one_of()
    {
        Named(("Json.Parse", Verdict.Regressed, 0.123), ("Json.Write", Verdict.Unchanged, 0))
            .ShouldBe("Json.Parse is 12.3 % slower (of 2 benchmarks)");
        Named(("Json.Parse", Verdict.Improved, -0.5), ("Json.Write", Verdict.TooNoisy, 0.2))
            .ShouldBe("Json.Parse is 2.0x faster, 1 too noisy to say (of 2 benchmarks)");
        Named(("Json.Parse", Verdict.Regressed, 0.123)).ShouldBe("Json.Parse is 12.3 % slower");
    }

    [Fact]
    public void of_several_the_worst_is_named_and_of_what_only_improved_the_best()
    {
        Named(("A.One", Verdict.Regressed, 0.05), ("A.Two", Verdict.Regressed, 1.5), ("A.Three", Verdict.Regressed, 0.1),
                ("A.Four", Verdict.Improved, -0.9))
            .ShouldBe("3 regressed, worst A.Two: 2.5x slower; 1 improved (of 4 benchmarks)");
        Named(("A.One", Verdict.Improved, -0.05), ("A.Two", Verdict.Improved, -0.2), ("A.Three", Verdict.Unchanged, 0))
            .ShouldBe("2 improved, best A.Two: 20.0 % faster (of 3 benchmarks)");
    }

    [Fact]
    public void rows_of_one_name_are_told_apart_by_what_differs_and_by_no_more()
    {
        var (comparison, context) = SampleReports.TwoHundred();
        Report.From(comparison, context).Headline
            .ShouldBe("3 regressed, worst json-round-trip (pgo on, documents 8100): 18.0 % slower; 1 improved (of 200 cells)");
        var (ten, cells) = SampleReports.EveryVerdict();
        Report.From(ten, cells).Headline.ShouldStartWith(
            "allocates 8 B more: json-round-trip; json-round-trip (net8.0.33) is 3.1 % slower, 1 improved, 1 not steady");
    }

    [Fact]
    public void a_row_that_moved_is_never_hidden_by_rows_that_did_not_or_have_no_size()
    {
        Of(Row(Verdict.Regressed), Row(Verdict.Unchanged)).ShouldBe("1 regressed (of 2 cells)");
        Of(Row(Verdict.Regressed) with { Change = 0.1 }, Row(Verdict.Untouched))
            .ShouldBe("1 regressed, 10.0 % slower, 1 of 2 not measured: nothing that they run changed");
    }

    [Fact]
    public void every_verdict_is_said_in_the_headline_and_in_a_narrow_table()
    {
        foreach (var verdict in Enum.GetValues<Verdict>())
        {
            var report = Report.From(SampleReports.Of(
                [Row(verdict) with { Change = 0.1, SmallestDetectable = 0.02 }], new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0)));
            report.Headline.ShouldNotBeEmpty(verdict.ToString());
            MarkdownReport.Render(report).ShouldNotContain("no verdict", customMessage: verdict.ToString());
        }
    }

    [Theory]
    [InlineData("A.@org")]
    [InlineData("A.[x](http://evil.example)")]
    [InlineData("A.B(x: www.evil.example)")]
    [InlineData("A.B(x: GH-1)")]
    [InlineData("A.B(x: 0123abc)")]
    [InlineData("A.B(x: fixes #1)")]
    [InlineData("A.__init__")]
    [InlineData("A.B<T>")]
    [InlineData("A.B (framework akka@1.5.74)")]
    [InlineData("A.|")]
    [InlineData("A.`b`")]
    [InlineData("A.\u202Egnp")]
    [InlineData("A.B\nC")]
    public void a_name_that_means_more_than_itself_is_no_part_of_the_answer(string benchmark) =>
        Named((benchmark, Verdict.Regressed, 0.1)).ShouldMatch(@"^(1 regressed, 10\.0 % slower|A\.B is 10\.0 % slower)\z");

    [Fact]
    public void quiet_cells_are_no_change_found_with_what_most_would_have_shown() =>
        Of(
            Row(Verdict.Unchanged) with { SmallestDetectable = 0.011 },
            Row(Verdict.Undecided) with { SmallestDetectable = 0.013 },
            Row(Verdict.Undecided) with { SmallestDetectable = 0.09 })
        .ShouldBe("no change found in 3 (would have seen 1.3 % in most)");

    [Fact]
    public void most_is_more_than_half_and_rows_without_a_figure_count_against_it() =>
        Of(
            Row(Verdict.Unchanged) with { SmallestDetectable = 0.011 },
            Row(Verdict.Undecided) with { SmallestDetectable = 0.013 },
            Row(Verdict.Undecided),
            Row(Verdict.Undecided))
        .ShouldBe("no change found in 4");

    [Fact]
    public void one_quiet_cell_says_its_own_figure() =>
        Of(Row(Verdict.Undecided) with { SmallestDetectable = 0.019 }).ShouldBe("no change found in 1 (would have seen 1.9 %)");

    [Fact]
    public void few_rounds_have_a_direction_and_no_verdict()
    {
        Direction(("A.One", 0.2, 1 / 16.0)).ShouldBe("5 rounds, no verdict (13 may give one): A.One 20.0 % slower in all 5");
        Direction(("A.One", 0.2, 1 / 8.0)).ShouldBe("5 rounds, no verdict (13 may give one): A.One both ways");
        Direction(("A.One", -0.5, 1 / 16.0), ("A.Two", 0.9, 0.5)).ShouldBe("5 rounds, no verdict (13 may give one): A.One 2.0x faster in all 5, 1 other both ways");
        Direction(("A.One", 0.2, 1 / 16.0), ("A.Two", -0.1, 1 / 16.0), ("A.Three", 0, 1))
            .ShouldBe("5 rounds, no verdict (13 may give one): 2 of 3 went one way in all 5, most A.One 20.0 % slower");
        Direction(("A.@org", 0.2, 1 / 16.0)).ShouldBe("5 rounds, no verdict (13 may give one): 20.0 % slower in all 5");
        Direction(("A.One", 0.2, 1), ("A.Two", 0.9, 0.5)).ShouldBe("5 rounds, no verdict (13 may give one): each of 2 rows went both ways");
    }

    [Fact]
    public void failure_of_everything_is_no_answer() =>
        Of(Row(Verdict.Failed), Row(Verdict.Failed), Row(Verdict.Unavailable)).ShouldBe("No answer: 2 failed, 1 unavailable here");

    [Fact]
    public void noise_everywhere_is_no_answer() => Of(Row(Verdict.TooNoisy)).ShouldBe("No answer: 1 too noisy to say");

    [Fact]
    public void rows_that_were_not_steady_are_no_answer_and_say_what_to_type()
    {
        Of(Row(Verdict.NotSteady) with { WarmUpSeconds = 6 }).ShouldBe("No answer: 1 not steady (try --warm-up 6)");
        Of(Row(Verdict.NotSteady)).ShouldBe("No answer: 1 not steady (never came to rest)");
        Of(Row(Verdict.Improved), Row(Verdict.NotSteady) with { WarmUpSeconds = 4 }, Row(Verdict.NotSteady) with { WarmUpSeconds = 6 }, Row(Verdict.NotSteady))
            .ShouldBe("1 improved, 3 not steady (try --warm-up 6, 1 never came to rest) (of 4 cells)");
        Of(Row(Verdict.NotSteady) with { Reference = null, ArmValue = 1, WarmUpSeconds = 6 }).ShouldBe("Measured 1 cell of one arm, 1 not steady (try --warm-up 6)");
    }

    [Fact]
    public void identical_builds_alone_are_no_answer() =>
        Of(Row(Verdict.IdenticalBuild), Row(Verdict.IdenticalBuild)).ShouldBe("No answer: 2 not measured (identical builds)");

    [Fact]
    public void rows_that_the_change_can_not_touch_are_counted_of_all_and_are_an_answer()
    {
        Of(Row(Verdict.Improved), Row(Verdict.Untouched), Row(Verdict.Untouched)).ShouldBe("1 improved, 2 of 3 not measured: nothing that they run changed");
        Of(Row(Verdict.Untouched)).ShouldBe("1 of 1 not measured: nothing that they run changed");
        Of(Row(Verdict.TooNoisy), Row(Verdict.Untouched)).ShouldBe("No answer: 1 too noisy to say, 1 of 2 not measured: nothing that they run changed");
    }

    [Fact]
    public void no_cells_are_no_comparison() => Of().ShouldBe("Nothing was compared: there are no cells");

    [Fact]
    public void exact_primary_metrics_are_counted_by_equality() =>
        Of(Exact(true), Exact(false)).ShouldBe("1 with exact values that differ, 1 with equal exact values");

    [Fact]
    public void bytes_come_first_by_name_and_answer_where_time_does_not()
    {
        Said((Row(Verdict.TooNoisy), "My.Parsing.Parse", 64, 88)).ShouldBe("allocates 24 B more: Parse; 1 too noisy to say");
        Said((Row(Verdict.Improved), "My.Parsing.Parse", 88, 64)).ShouldBe("allocates 24 B less: Parse; 1 improved");
        Said((Row(Verdict.Unchanged), "My.Parsing.Parse", 64, 64)).ShouldBe("no change found in 1");
    }

    [Fact]
    public void several_rows_have_their_own_bytes_unless_all_have_the_same_and_the_largest_come_first()
    {
        Said((Row(Verdict.TooNoisy), "A.B.One", 0, 24), (Row(Verdict.TooNoisy), "A.B.Two(n: 1)", 8, 32))
            .ShouldBe("2 allocate 24 B more: One, Two(n: 1); 2 too noisy to say");
        Said((Row(Verdict.TooNoisy), "A.B.One", 0, 24), (Row(Verdict.TooNoisy), "A.B.Two", 0, 1080), (Row(Verdict.TooNoisy), "A.B.Three", 0, 12.5),
                (Row(Verdict.TooNoisy), "A.B.Four", 0, 2), (Row(Verdict.TooNoisy), "A.B.Five", 100, 0))
            .ShouldBe("4 allocate more: Two +1080 B, One +24 B, Three +12.5 B and 1 other; allocates 100 B less: Five; 5 too noisy to say");
    }

    [Fact]
    public void a_method_of_two_classes_is_said_with_its_class()
    {
        Said((Row(Verdict.TooNoisy), "My.Csv.Find", 88, 64), (Row(Verdict.TooNoisy), "My.Json.Find", 64, 64), (Row(Verdict.TooNoisy), "My.Json.Scan", 64, 88))
            .ShouldBe("allocates 24 B more: Scan; allocates 24 B less: Csv.Find; 3 too noisy to say");
        Said((Row(Verdict.TooNoisy), "A.www.Find", 64, 88), (Row(Verdict.TooNoisy), "A.B.Find", 64, 64))
            .ShouldBe("1 allocates 24 B more; 2 too noisy to say");
    }

    [Theory]
    [InlineData("A.B.Parse(text: \"@org/team\")", "allocates 24 B more: Parse; 1 too noisy to say")]
    [InlineData("A.B.**[x](http://evil)", "1 allocates 24 B more; 1 too noisy to say")]
    [InlineData("A.B.www.evil.com", "allocates 24 B more: com; 1 too noisy to say")]
    [InlineData("A.B.\u202Egnp", "1 allocates 24 B more; 1 too noisy to say")]
    public void a_name_that_could_be_markup_is_counted_and_not_said(string benchmark, string expected) =>
        Said((Row(Verdict.TooNoisy), benchmark, 64, 88)).ShouldBe(expected);

    /// <summary>One row each, of a benchmark that allocates so many bytes in base and in head.</summary>
    private static string Said(params (ComparedMetric Row, string Benchmark, double From, double To)[] rows)
    {
        static string Id(int index) => FormattableString.Invariant($"c{index:000}");
        var cells = rows.Index().Select(row => SampleReports.Cell(Id(row.Index), "bench", "net10.0.14", "on") with
        {
            Parameters = new Dictionary<string, string>(StringComparer.Ordinal) { ["benchmark"] = row.Item.Benchmark },
        });
        var figures = rows.Index().SelectMany(row => new[]
        {
            row.Item.Row with { Cell = Id(row.Index) },
            SampleReports.Figures(Id(row.Index)) with
            {
                Metric = "allocated",
                Primary = false,
                Unit = "B/op",
                ReferenceValue = row.Item.From,
                ArmValue = row.Item.To,
                Equal = row.Item.From.Equals(row.Item.To),
            },
        });
        return Report.From(SampleReports.Of([.. figures], new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0)), new ReportContext { Cells = [.. cells] }).Headline;
    }

    [Fact]
    public void one_arm_that_could_not_be_measured_is_said_so() =>
        Of(SampleReports.Figures("c001") with { Reference = null, Verdict = Verdict.Failed }).ShouldBe("Nothing could be measured: 1 cell failed or unavailable here");

    [Fact]
    public void secondary_metrics_do_not_count() =>
        Of(Row(Verdict.Improved), Row(Verdict.Improved) with { Primary = false, Verdict = null }).ShouldBe("1 improved");

    /// <summary>A row each, of benchmarks with these names.</summary>
    private static string Named(params (string Benchmark, Verdict Verdict, double Change)[] rows) =>
        Named([.. rows.Select(row => (row.Benchmark, SampleReports.Figures("") with { Verdict = row.Verdict, Change = row.Change }))]);

    /// <summary>A row of five rounds each.</summary>
    private static string Direction(params (string Benchmark, double Change, double P)[] rows) => Named([.. rows.Select(row => (row.Benchmark,
        SampleReports.Figures("") with { Verdict = Verdict.Undecided, Change = row.Change, PValue = row.P, Rounds = 5, SmallestDetectable = null }))]);

    private static string Named(IReadOnlyList<(string Benchmark, ComparedMetric Figures)> rows)
    {
        static string Id(int index) => FormattableString.Invariant($"c{index:000}");
        var cells = rows.Index().Select(row => SampleReports.Cell(Id(row.Index), "bench", "net10.0.14", "on") with
        {
            Parameters = new Dictionary<string, string>(StringComparer.Ordinal) { ["benchmark"] = $"My.{row.Item.Benchmark}" },
        });
        var figures = rows.Index().Select(row => row.Item.Figures with { Cell = Id(row.Index) });
        var comparison = SampleReports.Of([.. figures], new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0));
        return Report.From(comparison, new ReportContext { Cells = [.. cells] }).Headline;
    }

    private static ComparedMetric Row(Verdict verdict) => SampleReports.Figures("c001") with { Verdict = verdict };

    private static ComparedMetric Exact(bool equal) => SampleReports.Figures("c001") with { Equal = equal };

    private static string Of(params ComparedMetric[] rows) =>
        Report.From(SampleReports.Of(rows, new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0))).Headline;
}
