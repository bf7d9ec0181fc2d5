using System.Text.Json.Nodes;
using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Runner.Tests.Benchmarks;

/// <summary>`import bdn`: reports that were made elsewhere.</summary>
public sealed class ImportTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task two_reports_are_compared_as_far_as_they_go_and_no_further()
    {
        Write("before.json", Reports.Of(200, version: "0.15.8"));
        Write("after.json", Reports.Of(100, version: "0.16.0-develop (2026-11-27)"));
        var (code, output, error) = await _lab.RunAsync("import bdn after.json --base before.json --out session");

        code.ShouldBe(0, error);
        output.ShouldContain("Parsing.Numbers(count: 10)");
        output.ShouldContain("1 round, no verdict (13 may give one): Parsing.Numbers(count: 10) 2.0x faster in the only one");
        output.ShouldContain("200.0 ns/op");
        output.ShouldContain("Base and head did not take turns");
        output.ShouldNotContain("run imported");

        // The journal is one like any other.
        var again = await _lab.RunAsync("compare session/samples.ndjson");
        again.Code.ShouldBe(0, again.Error);
        again.Out.ShouldBe(output);
        (await _lab.RunAsync("report session/comparison.json --format markdown")).Code.ShouldBe(0);
    }

    [Fact]
    public async Task many_reports_of_one_benchmark_are_many_launches_and_enough_of_them_give_a_verdict()
    {
        var (before, after) = (new List<string>(), new List<string>());
        for (var launch = 0; launch < 13; launch++)
        {
            Write($"before{launch}.json", Reports.Of(200 + launch));
            Write($"after{launch}.json", Reports.Of(100 + launch));
            before.Add($"--base before{launch}.json");
            after.Add($"after{launch}.json");
        }

        var (code, output, error) = await _lab.RunAsync($"import bdn {string.Join(' ', after)} {string.Join(' ', before)}");
        code.ShouldBe(0, error);
        output.ShouldContain("improved: ");
    }

    [Fact]
    public async Task one_side_alone_has_values()
    {
        Write("after.json", Reports.Of(100));
        var (code, output, error) = await _lab.RunAsync("import bdn after.json");
        code.ShouldBe(0, error);
        output.ShouldContain("100.0 ns/op");
        output.ShouldNotContain("regressed");
    }

    [Fact]
    public async Task what_one_side_lacks_and_what_has_the_name_of_another_is_unavailable()
    {
        Write("before.json", Reports.Whole("0.14.0", Reports.Benchmark("A.B.Both", "1"), Reports.Benchmark("A.B.Gone", "1"), Reports.Benchmark("A.B.Twice", "1"), Reports.Benchmark("A.B.Nan", "\"\"")));
        Write("after.json", Reports.Whole("0.14.0", Reports.Benchmark("A.B.Both", "1"), Reports.Benchmark("A.B.Twice", "1"), Reports.Benchmark("A.B.Twice", "2"), Reports.Benchmark("A.B.Nan", "1")));
        var (code, output, error) = await _lab.RunAsync("import bdn after.json --base before.json --json");
        code.ShouldBe(1, error); // A.B.Nan failed
        var rows = JsonNode.Parse(output)!["cells"]!.AsArray().Where(row => (bool)row!["primary"]!).Select(row => ((string?)row!["verdict"], row["warnings"]!.ToJsonString())).ToList();
        rows.Select(row => row.Item1).ShouldBe(["undecided", "unavailable", "unavailable", "failed"]);
        rows[1].Item2.ShouldContain("no report of head holds it");
        rows[2].Item2.ShouldContain("a report of head holds 2 of this name");
    }

    private static double[] Around(double mean, int launches = 20) =>
        [.. Enumerable.Range(0, launches).Select(launch => mean * (1 + (0.001 * (launch * 7 % 20))))];

    [Fact]
    public async Task a_report_with_twenty_launches_is_twenty_launches()
    {
        Write("before.json", Reports.Whole("0.15.8", Reports.Launched("A.B.M", "Job-ABCDEF(LaunchCount=20)", Around(100))));
        Write("after.json", Reports.Whole("0.15.8", Reports.Launched("A.B.M", "Job-GHIJKL(LaunchCount=20)", Around(105))));
        var (code, output, error) = await _lab.RunAsync("import bdn after.json --base before.json --json --fail-on regression");
        code.ShouldBe(3, error);
        var row = JsonNode.Parse(output)!["cells"]!.AsArray().Single(row => (bool)row!["primary"]!)!;
        ((string?)row["verdict"], (int)row["rounds"]!).ShouldBe(("regressed", 20));
        ((double)row["change"]!).ShouldBe(0.05, 1e-6);
        var bytes = JsonNode.Parse(output)!["cells"]!.AsArray().Single(row => (string?)row!["metric"] == "allocated")!;
        ((bool)bytes["equal"]!, (int)bytes["rounds"]!).ShouldBe((true, 1), "a report says it once");
    }

    [Fact]
    public async Task jobs_of_a_report_are_rows()
    {
        Write("one.json", Reports.Whole("0.15.8",
            Reports.Launched("A.B.M", "ABP(IterationCount=1, LaunchCount=3)", Around(100, 3)),
            Reports.Launched("A.B.M", "NATIVE(IterationCount=1, LaunchCount=3)", Around(90, 3)),
            Reports.Launched("A.B.Other", "ABP(LaunchCount=3)", Around(5, 3))));
        var (code, output, error) = await _lab.RunAsync("import bdn one.json");
        code.ShouldBe(0, error);
        output.ShouldContain("B.M / job ABP");
        output.ShouldContain("B.M / job NATIVE");
        output.ShouldContain("B.Other");
    }

    [Theory]
    [InlineData("ABP", "ABP(LaunchCount=20)", "NATIVE(LaunchCount=20)")]
    [InlineData("Runtime=.NET 8.0, LaunchCount=20",
        "Job-ABCDEF(Runtime=.NET 8.0, LaunchCount=20)", "Job-GHIJKL(Runtime=.NET 10.0, LaunchCount=20)")]
    [InlineData("J(A=1)", "J(A=1)", "J(A=2)")]
    public async Task a_job_is_what_the_others_are_compared_with(string job, string reference, string other)
    {
        Write("one.json", Reports.Whole("0.15.8",
            Reports.Launched("A.B.M", reference, Around(100)), Reports.Launched("A.B.M", other, Around(90))));
        var (code, output, error) = await _lab.RunWordsAsync(["import", "bdn", "one.json", "--base-job", job]);
        code.ShouldBe(0, error);
        output.ShouldContain("improved: 10.0 %");
    }

    [Fact]
    public async Task a_job_that_is_none_is_wrong_use_and_so_are_two_references()
    {
        Write("one.json", Reports.Whole("0.15.8", Reports.Launched("A.B.M", "ABP", 1, 2), Reports.Launched("A.B.M", "NATIVE", 1, 2)));
        var (code, _, error) = await _lab.RunAsync("import bdn one.json --base-job NATIV");
        code.ShouldBe(2);
        error.ShouldContain("'NATIV' is no job of these reports.");
        error.ShouldContain("Did you mean NATIVE?");
        (await _lab.RunAsync("import bdn one.json --base one.json --base-job ABP")).Code.ShouldBe(2);
    }

    [Fact]
    public async Task reports_with_nothing_in_common_are_no_pass()
    {
        static string All(string parameters) => Reports.Whole("0.15.8",
            [.. Enumerable.Range(1, 8).Select(number => Reports.Benchmark($"Moq.Benchmarks.Moq{number}{parameters}", "5"))]);
        Write("base.json", All(""));
        Write("head.json", All("(FileCount: 1)"));
        var (code, output, error) = await _lab.RunAsync("import bdn head.json --base base.json --fail-on regression");
        code.ShouldBe(1, error);
        output.ShouldStartWith("perf-lab: Nothing could be compared: 16 unavailable here");
        output.ShouldContain("no report of head holds it; the nearest there: Moq.Benchmarks.Moq1(FileCount: 1)");
    }

    [Theory]
    [InlineData("A.B.MEASURE", "the nearest there: A.B.Measure")]
    [InlineData("A.B.Maesure", "the nearest there: A.B.Measure")]
    public async Task a_name_that_is_another_by_a_letter_is_another_and_said(string other, string hint)
    {
        Write("base.json", Reports.Whole("0.15.8", Reports.Benchmark("A.B.Measure", "5"), Reports.Benchmark("A.B.Both", "5")));
        Write("head.json", Reports.Whole("0.15.8", Reports.Benchmark(other, "5"), Reports.Benchmark("A.B.Both", "5")));
        var (code, output, error) = await _lab.RunAsync("import bdn head.json --base base.json");
        code.ShouldBe(0, error);
        output.ShouldContain("2 unavailable here");
        string.Join(' ', output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)).ShouldContain(hint);
    }

    [Fact]
    public async Task a_report_without_a_benchmark_is_refused()
    {
        Write("base.json", Reports.Of());
        Write("head.json", Reports.Whole("0.15.8"));
        var (code, _, error) = await _lab.RunAsync("import bdn head.json --base base.json");
        (code, error.Contains("it holds no benchmark")).ShouldBe((1, true));
    }

    [Theory]
    [InlineData("{", "is not strict JSON")]
    [InlineData("{}", "it is no report of BenchmarkDotNet")]
    [InlineData("[1]", "must be an object")]
    public async Task another_file_is_refused_with_what_to_give(string text, string expected)
    {
        Write("after.json", text);
        var (code, _, error) = await _lab.RunAsync("import bdn after.json");
        code.ShouldBe(1);
        error.ShouldContain(expected);
        error.ShouldContain("-report-full.json");
    }

    [Theory]
    [InlineData("0.12.1")]
    [InlineData("0.17.0")]
    [InlineData("1.0.0")]
    public async Task a_report_of_another_version_is_refused(string version)
    {
        Write("after.json", Reports.Of(version: version));
        var (code, _, error) = await _lab.RunAsync("import bdn after.json");
        code.ShouldBe(1);
        error.ShouldContain($"it was made by BenchmarkDotNet {version}; reports of 0.13 to 0.16 are read");
    }

    [Fact]
    public async Task ten_thousand_rows_are_read()
    {
        Nightly.Only("20 seconds");
        Write("after.json", Reports.Whole("0.14.0", [.. Enumerable.Range(0, 10_000).Select(number => Reports.Benchmark($"A.B.M{number}", "5"))]));
        var (code, output, error) = await _lab.RunAsync("import bdn after.json --json");
        code.ShouldBe(0, error);
        JsonNode.Parse(output)!["cells"]!.AsArray().Count.ShouldBe(50_000);
    }

    [Fact]
    public async Task a_session_is_not_written_over()
    {
        Write("after.json", Reports.Of());
        (await _lab.RunAsync("import bdn after.json --out session")).Code.ShouldBe(0);
        var (code, _, error) = await _lab.RunAsync("import bdn after.json --out session");
        (code, error.Contains("there is a session already")).ShouldBe((1, true));
    }

    private void Write(string name, string text) => File.WriteAllText(Path.Combine(_lab.Root, name), text);
}
