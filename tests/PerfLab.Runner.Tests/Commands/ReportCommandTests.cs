using PerfLab.Core.Reporting;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Tests.Commands;

public sealed class ReportCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("perf-lab-report-").FullName;

    public ReportCommandTests() => File.WriteAllText(Path.Combine(_folder, "comparison.json"), ComparisonJson.Write(SampleReports.TwoHundred().Comparison));

    [Fact]
    public async Task markdown_keeps_to_the_room_it_is_given_and_names_what_it_left_out()
    {
        var (_, whole, _) = await RunAsync("--format", "markdown");
        var (exit, cut, _) = await RunAsync("--format", "markdown", "--max-chars", "4000");
        (exit, cut.Length <= 4000, cut.Length < whole.Length).ShouldBe((0, true, true));
        cut.ShouldContain("Left out, because it would not have fitted:");
        (await RunAsync("--format", "markdown", "--max-chars", $"{whole.Length}")).Out.ShouldBe(whole);
    }

    [Theory]
    [InlineData("--format", "markdown", "--max-chars", "3999")]
    [InlineData("--format", "json", "--max-chars", "5000")]
    [InlineData("--max-chars", "5000")]
    public async Task room_goes_with_markdown_and_must_hold_a_headline(params string[] arguments)
    {
        var (exit, output, error) = await RunAsync(arguments);
        (exit, output).ShouldBe((ExitCode.WrongUse, ""));
        error.ShouldContain("--max-chars goes with --format markdown, and is at least 4000.");
    }

    private async Task<(int Exit, string Out, string Error)> RunAsync(params string[] arguments)
    {
        using StringWriter output = new(), error = new();
        var terminal = new Terminal { Out = output, Error = error, Root = _folder, WorkingFolder = _folder };
        var exit = await CommandLine.InvokeAsync(["report", "comparison.json", .. arguments], terminal, TestContext.Current.CancellationToken);
        return (exit, output.ToString(), error.ToString());
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
