using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Runner.Tests.Benchmarks;

/// <summary>Reports of two sides that hold other benchmarks, or none: a gate that compares little or nothing says so.</summary>
public sealed class EmptyGateTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task one_name_in_common_is_one_row_and_the_title_counts_them_all()
    {
        var (code, output, error) = await ImportAsync(
            Eight(_ => ""), Eight(number => number == 1 ? "" : "(FileCount: 1)"), "--fail-on regression,no-answer");
        code.ShouldBe(4, error);
        output.Split('\n')[0].ShouldBe("perf-lab: 1 round, no verdict (13 may give one): neither way, 14 unavailable here");
    }

    [Fact]
    public async Task a_side_without_statistics_has_failed_and_is_no_pass()
    {
        var (code, output, error) = await ImportAsync(Eight(_ => ""), Eight(_ => "", mean: "\"\""), "--fail-on regression");
        code.ShouldBe(1, error);
        output.ShouldStartWith("perf-lab: No answer: 8 failed");
    }

    [Fact]
    public async Task reports_of_two_versions_are_compared_by_name()
    {
        var (code, output, error) = await ImportAsync(Eight(_ => ""), Eight(_ => "", version: "0.16.0"), "");
        code.ShouldBe(0, error);
        output.ShouldStartWith("perf-lab: 1 round, no verdict (13 may give one): each of 8 rows went both ways");
        output.ShouldNotContain("unavailable");
    }

    private static string Eight(Func<int, string> parameters, string mean = "5", string version = "0.15.8") => Reports.Whole(version,
        [.. Enumerable.Range(1, 8).Select(number => Reports.Benchmark($"Moq.Benchmarks.Moq140{number}{parameters(number)}", mean))]);

    private Task<(int Code, string Out, string Error)> ImportAsync(string before, string after, string more)
    {
        File.WriteAllText(Path.Combine(_lab.Root, "base.json"), before);
        File.WriteAllText(Path.Combine(_lab.Root, "head.json"), after);
        return _lab.RunAsync($"import bdn head.json --base base.json --plain {more}");
    }
}
