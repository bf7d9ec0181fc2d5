using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Programs;
using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Tests.Commands;

public sealed class ReportCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("perf-lab-report-").FullName;

    public ReportCommandTests() => File.WriteAllText(Path.Combine(_folder, "comparison.json"), Comparison.File.Write(SampleReports.TwoHundred().Comparison));

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

    [Fact]
    public async Task the_plan_beside_the_journal_tells_the_folders_of_packages_and_another_plan_does_not()
    {
        var (samples, recipe) = (SampleSweeps.Batches(), new BuildRecipe { Workload = "channel-actors", Folder = "/w", Kind = BuildKind.Dotnet, Feeds = ["/srv/packages"] });
        var arm = new PlannedArm { Id = "head", Dimensions = new Dictionary<string, string>(), Recipe = recipe, Command = ["./w"], Environment = [] };
        var cells = samples.Header.Cells.Select(cell => new PlannedCell
        {
            Id = cell.Id,
            Workload = cell.Workload,
            Mode = "steady",
            Dimensions = cell.Dimensions,
            Parameters = cell.Parameters,
            Arms = [arm],
            Metrics = cell.Metrics,
            Launch = new(1, 1, 1),
            Resources = new(1, 1, 1),
        });
        var plan = new RunPlan { Seed = 7, IsAa = false, Policy = new(), Screen = [], Confirm = [], Estimate = new(1, 1, 1, 1), Cells = [.. cells] };
        plan = plan with { Hash = PlanFile.Hash(plan) };
        samples = samples with { Header = samples.Header with { Plan = plan.Hash } };
        WriteSession(samples);

        (await RunAsync()).Out.ShouldNotContain("--feed");
        File.WriteAllText(Path.Combine(_folder, "plan.json"), PlanFile.File.Write(new(plan)));
        (await RunAsync()).Out.ShouldContain(" --seed 7 --executor process --feed /srv/packages\n");
        WriteSession(samples with { Header = samples.Header with { Plan = "sha256:another" } });
        (await RunAsync()).Out.ShouldNotContain("--feed");
    }

    private void WriteSession(SampleSet samples)
    {
        var seq = 1L;
        byte[] launches = [.. samples.Launches.SelectMany(launch => JournalLine.Of(seq++, launch))];
        File.WriteAllBytes(Path.Combine(_folder, "samples.ndjson"), [.. JournalLine.Of(0, samples.Header), .. launches, .. JournalLine.Of(seq, new SessionEnd("complete"))]);
        File.WriteAllText(Path.Combine(_folder, "comparison.json"), Comparison.File.Write(SampleSweeps.Report(samples).Comparison));
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
