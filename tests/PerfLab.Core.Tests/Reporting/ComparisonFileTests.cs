using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting;

public sealed class ComparisonFileTests
{
    private static readonly string Valid = Comparison.File.Write(SampleReports.EveryVerdict().Comparison);

    public static TheoryData<string> Samples => ["every", "one-arm", "none", "two-hundred"];

    [Theory]
    [MemberData(nameof(Samples))]
    public void what_was_read_is_written_back_byte_for_byte(string sample)
    {
        var comparison = sample switch
        {
            "every" => SampleReports.EveryVerdict().Comparison,
            "one-arm" => SampleReports.OneArm().Comparison,
            "none" => SampleReports.NoCells(),
            _ => SampleReports.TwoHundred().Comparison,
        };
        var text = Comparison.File.Write(comparison);

        var reading = Comparison.File.Read(text);

        reading.Problems.ShouldBeEmpty();
        Comparison.File.Write(reading.Value!).ShouldBe(text);
    }

    [Fact]
    public void the_most_extreme_numbers_survive()
    {
        var row = SampleReports.Figures("c001") with { ReferenceValue = double.MaxValue, ArmValue = double.Epsilon, Change = -1, Low = 0.1 + 0.2, PValue = 1e-300 };
        var text = Comparison.File.Write(SampleReports.Of([row], new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0)));

        var read = Comparison.File.Read(text).Value!.Cells.Single();
        (read with { Warnings = row.Warnings }).ShouldBe(row);
    }

    [Fact]
    public void a_number_that_is_none_is_a_bug_and_not_written()
    {
        var row = SampleReports.Figures("c001") with { Change = double.NaN };

        Should.Throw<ArgumentException>(() => Comparison.File.Write(SampleReports.Of([row], new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0))));
    }

    [Fact]
    public void the_file_is_ascii_with_line_feeds_whatever_a_warning_quotes()
    {
        var text = Comparison.File.Write(SampleReports.NoCells() with { Warnings = ["\u202E </script> \e[31m é \r\n"] });

        text.ShouldAllBe(character => character == '\n' || (character >= ' ' && character <= '~'));
        text.ShouldNotContain("</script>");
        text.ShouldEndWith("}\n");
        Comparison.File.Read(text).Value!.Warnings.ShouldBe(["\u202E </script> \e[31m é \r\n"]);
    }

    [Theory]
    [InlineData("\"schema\": \"perf-lab/comparison/1\"", "\"schema\": \"perf-lab/comparison/2\"", "schema")]
    [InlineData("\"session\": \"2026-03-01-a1b2\"", "\"session\": 5", "session")]
    [InlineData("  \"session\": \"2026-03-01-a1b2\",\n", "", "session")]
    [InlineData("\"regressed\": 1,", "\"regressed\": -1,", "summary.regressed")]
    [InlineData("\"regressed\": 1,", "\"regressed\": 1.5,", "summary.regressed")]
    [InlineData("\"regressed\": 1,", "\"regressed\": 1, \"won\": 2,", "summary.won")]
    [InlineData("\"source\": \"journal\"", "\"source\": \"journal\", \"alpha\": 1", "policy.alpha")]
    [InlineData("\"keep-p\": 0.1", "\"keep-p\": 1.1", "policy.keep-p")]
    [InlineData("\"verdict\": \"regressed\"", "\"verdict\": \"Regressed\"", "cells[0].verdict")]
    [InlineData("\"verdict\": \"regressed\"", "\"verdict\": \"identicalBuild\"", "cells[0].verdict")]
    [InlineData("\"stage\": \"confirm\"", "\"stage\": \"final\"", "cells[0].stage")]
    [InlineData("\"change\": 0.0306", "\"change\": \"0,0306\"", "cells[0].change")]
    [InlineData("\"change\": 0.0306", "\"change\": 1e999", "cells[0].change")]
    [InlineData("\"change\": 0.0306", "\"change\": -1.5", "cells[0].change")]
    [InlineData("\"adjustedP\": 0.0004", "\"adjustedP\": 2", "cells[0].adjustedP")]
    [InlineData("\"equal\": false", "\"equal\": null", "cells[1].equal")]
    [InlineData("\"warnings\": []", "\"warnings\": [1]", "cells[0].warnings[0]")]
    [InlineData("\"falseFlags\": null", "\"falseFlags\": { \"flagged\": 2, \"runs\": 1, \"low\": 0, \"high\": 1 }", "falseFlags.flagged")]
    [InlineData("\"falseFlags\": null,", "", "falseFlags")]
    public void a_mistake_is_named_by_its_member(string right, string wrong, string where)
    {
        var reading = Comparison.File.Read(ReplaceFirst(right, wrong));

        reading.Value.ShouldBeNull();
        reading.Problems.Select(problem => problem.Where).ShouldBe([where]);
    }

    [Theory]
    [InlineData("\"session\": \"2026-03-01-a1b2\",", "\"session\": \"a\", \"session\": \"b\",")]
    [InlineData("\"session\": \"2026-03-01-a1b2\",", "\"session\": \"a\",, ")]
    [InlineData("\"session\": \"2026-03-01-a1b2\",", "// comment\n")]
    [InlineData("\"change\": 0.0306", "\"change\": NaN")]
    [InlineData("\"session\": \"2026-03-01-a1b2\"", "\"session\": \"\\ud800\"")]
    public void text_that_is_no_strict_json_is_refused(string right, string wrong)
    {
        var reading = Comparison.File.Read(ReplaceFirst(right, wrong));

        reading.Value.ShouldBeNull();
        reading.Problems.ShouldHaveSingleItem();
    }

    [Fact]
    public void broken_json_is_named_by_line_and_byte() =>
        Comparison.File.Read("{\n  \"schema\": nope }").Problems.Single().Where.ShouldStartWith("line 2, byte 1");

    [Fact]
    public void depth_over_32_is_refused() =>
        Comparison.File.Read(new string('[', 40) + new string(']', 40)).Problems.Single().What.ShouldContain("depth");

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{} {}")]
    public void what_is_not_one_object_is_refused(string text) => Comparison.File.Read(text).Problems.ShouldNotBeEmpty();

    [Fact]
    public void bytes_that_are_no_utf8_are_refused()
    {
        var bytes = System.Text.Encoding.Latin1.GetBytes(ReplaceFirst("\"session\": \"2026-03-01-a1b2\"", "\"session\": \"\u00FF\""));

        Comparison.File.Read(bytes).Problems.ShouldNotBeEmpty();
    }

    [Fact]
    public void all_problems_are_said_at_once()
    {
        var text = ReplaceFirst("\"verdict\": \"regressed\"", "\"verdict\": \"won\"").Replace("\"keep-p\": 0.1", "\"keep-p\": 7", StringComparison.Ordinal);

        Comparison.File.Read(text).Problems.Select(problem => problem.Where).ShouldBe(["policy.keep-p", "cells[0].verdict"]);
    }

    private static string ReplaceFirst(string right, string wrong)
    {
        var place = Valid.IndexOf(right, StringComparison.Ordinal);
        place.ShouldBeGreaterThan(-1, $"the test's own text has no {right}");
        return Valid[..place] + wrong + Valid[(place + right.Length)..];
    }
}
