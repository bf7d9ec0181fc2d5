using System.Text;
using PerfLab.Core.Model;
using PerfLab.Launching.Results;

namespace PerfLab.Runner.Tests.Benchmarks;

/// <summary>What a launch of a benchmark left is hostile: it is believed when it has the agreed shape and could be true.</summary>
public sealed class BenchmarkFiguresTests
{
    [Theory]
    [InlineData("0.13.12")]
    [InlineData("0.14.0")]
    [InlineData("0.15.8")]
    public void a_report_becomes_our_metrics_and_what_benchmarkdotnet_says_of_them(string version)
    {
        var (benchmark, figures) = Read(Reports.Of(version: version));

        figures.Problem.ShouldBeNull();
        figures.Metrics[BenchmarkCases.Time].ShouldBe(190.25e-9, 1e-15);
        (figures.Metrics[BenchmarkCases.Allocated], figures.Metrics["gen1"]).ShouldBe((376, 0));
        figures.Metrics["gen0"].ShouldBe(11 * 1000 / 65536d, 1e-12);
        figures.Said.ToJsonString().ShouldBe($$"""{"iterations":9,"outliers":1,"error":0.02,"stdDev":0.007884,"version":"{{version}}"}""");
        BenchmarkRun.Of(benchmark.ShouldNotBeNull(), BenchmarkCases.Launch).ShouldNotBeNull().ToString().ShouldBe("655360/0/10");
    }

    [Fact]
    public void without_the_memory_diagnoser_there_is_the_time() =>
        Read(Reports.Of().Replace("\"Memory\":{", "\"Other\":{")).Figures.Metrics.Keys.ShouldBe([BenchmarkCases.Time]);

    [Theory]
    [InlineData("\"Mean\":190.25", "\"Mean\":\"\"", "its mean is no number")] // so 0.14.0 writes NaN
    [InlineData("\"Mean\":190.25", "\"Mean\":NaN", "can't be read: ")]
    [InlineData("\"Mean\":190.25", "\"Mean\":null", "its mean is no number")]
    [InlineData("\"Mean\":190.25", "\"Mean\":-3", "its mean is -3 ns")]
    [InlineData("\"Mean\":190.25", "\"Mean\":1e300", "its mean is 1E+300 ns")]
    [InlineData("\"Mean\":190.25", "\"Mean\":1e999", "can't be read: ")]
    [InlineData("\"Mean\":190.25", "\"Mean\":0", "takes no longer than an empty method")]
    [InlineData("\"Statistics\":{", "\"Statistik\":{", "BenchmarkDotNet measured nothing")]
    [InlineData("\"Gen0Collections\":11", "\"Gen0Collections\":-11", "what it says of memory can't be true")]
    [InlineData("\"FullName\":\"My.", "\"FullName\":\"Your.", "report is of \"Your.Parsing.Numbers(count: 10)\", expected \"My.Parsing.Numbers(count: 10)\"")]
    [InlineData("\"Benchmarks\":[{", "\"Benchmarks\":[{},{", "holds 2 benchmarks, expected 1")]
    [InlineData("\"Benchmarks\":", "\"Benchmark\":", "holds 0 benchmarks, expected 1")]
    [InlineData("\"N\":9", "\"N\":[]", "can't be read: ")]
    public void what_could_not_be_true_is_refused_with_a_sentence(string good, string bad, string expected)
    {
        Reports.Of().ShouldContain(good);
        var (_, figures) = Read(Reports.Of().Replace(good, bad));
        figures.Problem.ShouldNotBeNull().ShouldContain(expected);
        figures.Metrics.ShouldBeEmpty();
    }

    [Fact]
    public void a_report_that_was_cut_anywhere_is_refused()
    {
        var whole = Reports.Of();
        for (var length = 0; length < whole.Length; length += 7)
        {
            Read(whole[..length]).Figures.Problem.ShouldNotBeNull();
        }
    }

    [Theory]
    [InlineData("65536", 1, 1, "655360/0/10")] // 10 ms, so ten times as many
    [InlineData("5", 1, 1, "64/0/8")] // rounded up to whole turns of the loop: 128 ms an iteration
    [InlineData("3", 1, 1, "32/0/10")]
    [InlineData("1", 1, 1, "1/0/100")] // one call an iteration is the project's wish
    [InlineData("1", 0, 0, "1/0/3")]
    public void all_arms_do_what_the_pilot_found(string operations, double warmUp, double measure, string expected)
    {
        var (benchmark, _) = Read(Reports.Whole("0.14.0", Reports.Benchmark(Reports.Name, "190", operations)));
        BenchmarkRun.Of(benchmark!, new(warmUp, measure, 60)).ShouldNotBeNull().ToString().ShouldBe(expected);
    }

    [Theory]
    [InlineData("0")]
    [InlineData("-5")]
    [InlineData("1e15")]
    [InlineData("\"\"")]
    [InlineData("null")]
    public void a_pilot_that_can_not_be_true_is_none(string operations)
    {
        var (benchmark, _) = Read(Reports.Whole("0.14.0", Reports.Benchmark(Reports.Name, "190", operations)));
        BenchmarkRun.Of(benchmark!, BenchmarkCases.Launch).ShouldBeNull();
    }

    private static (ReportedBenchmark? Benchmark, BenchmarkFigures Figures) Read(string text) => BenchmarkFigures.OfLaunch(Encoding.UTF8.GetBytes(text), Reports.Name);
}
