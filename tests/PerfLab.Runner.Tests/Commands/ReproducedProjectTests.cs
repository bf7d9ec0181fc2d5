using PerfLab.Building;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>The line that measures a row of a project again, from a session's files alone: it must be one that can be typed.</summary>
public sealed class ReproducedProjectTests : IDisposable
{
    private const string Reproduce = "How to reproduce";

    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Theory]
    [InlineData("compare session")]
    [InlineData("compare session/samples.ndjson")]
    [InlineData("compare session --plan session")]
    [InlineData("report session")]
    public async Task a_sessions_folder_names_the_project_by_its_path(string arguments)
    {
        await SessionAsync();
        var (_, output, _) = await _lab.RunAsync($"{arguments} --plain");
        output.ShouldContain("./perf-lab run ./bench/My.Bench.csproj --filter A.Parse --base pgo=off --head pgo=on");
    }

    [Fact]
    public async Task without_a_plan_no_line_is_better_than_one_that_can_not_be_typed()
    {
        await SessionAsync();
        File.Delete(Path.Combine(_lab.Root, "session", "plan.json"));
        (await _lab.RunAsync("compare session --plain")).Out.ShouldNotContain(Reproduce);

        // A suite that names the project makes its name a word of the command line.
        var yaml = File.ReadAllText(Path.Combine(_lab.Root, "perf-lab.yaml"));
        File.WriteAllText(Path.Combine(_lab.Root, "perf-lab.yaml"),
            yaml.Replace("suites:\n", "suites:\n  pr: { workloads: [bench/My.Bench.csproj] }\n", StringComparison.Ordinal));
        (await _lab.RunAsync("compare session --plain")).Out.ShouldContain("./perf-lab run My.Bench --filter A.Parse ");
    }

    [Fact]
    public async Task a_project_that_is_not_here_any_more_has_no_line()
    {
        await SessionAsync();
        File.Delete(Path.Combine(_lab.Root, "bench", "My.Bench.csproj"));
        (await _lab.RunAsync("compare session --plain")).Out.ShouldNotContain(Reproduce);
    }

    /// <summary>A session of a project as `run` leaves it: plan.json, samples.ndjson and comparison.json.</summary>
    private async Task SessionAsync()
    {
        var project = Path.Combine(_lab.Root, "bench", "My.Bench.csproj");
        var session = Directory.CreateDirectory(Path.Combine(_lab.Root, "session")).FullName;
        Directory.CreateDirectory(Path.GetDirectoryName(project)!);
        File.WriteAllText(project, "<Project/>");
        var workload = BenchmarkProject.Of(project, ["net10.0"]) with { Parameters = [BenchmarkProject.Parameter(["A.Parse"])] };
        var request = new BenchmarkRequest
        {
            Targets = [project],
            Arms = [Arm("base", "off"), Arm("head", "on")],
            Rounds = (0, 13),
            Seed = 7,
        };
        var planned = Planner.Plan(request, new([workload], (text, _) => (new(text, text, "10.0.0", null), null)));
        var plan = planned.Plan.ShouldNotBeNull(string.Join("; ", planned.Problems)) with { Request = AskedRequest.Of(request) };
        plan = plan with { Hash = PlanFile.Hash(plan) };
        await File.WriteAllTextAsync(Path.Combine(session, "plan.json"), PlanFile.File.Write(new(plan)), TestContext.Current.CancellationToken);
        await File.WriteAllBytesAsync(Path.Combine(session, "samples.ndjson"), Journal(plan), TestContext.Current.CancellationToken);
        var (_, comparison, error) = await _lab.RunAsync("compare session --json");
        comparison.ShouldNotBeEmpty(error);
        await File.WriteAllTextAsync(Path.Combine(session, "comparison.json"), comparison, TestContext.Current.CancellationToken);
    }

    private static ArmRequest Arm(string id, string pgo) => new(id, new Dictionary<string, string> { ["pgo"] = pgo });

    private static byte[] Journal(RunPlan plan)
    {
        var cell = plan.Cells.ShouldHaveSingleItem();
        var header = new SessionHeader
        {
            Session = "by-hand",
            Plan = plan.Hash,
            Seed = plan.Seed,
            Started = History.Journals.Start,
            Executor = "process",
            Policy = plan.Policy,
            Cells = [cell.ToCell(arm => $"sha256:{arm}", _ => null, unavailable: null)],
        };
        var launches = Enumerable.Range(0, 13).SelectMany(round => cell.Arms.Select((arm, position) => new Launch
        {
            Cell = cell.Id,
            Stage = Stage.Confirm,
            Round = round,
            Position = position,
            Arm = arm.Id,
            Started = header.Started.AddSeconds(round),
            WallSeconds = 1,
            Outcome = Outcome.Measured,
            Metrics = new Dictionary<string, double> { ["time"] = 1 + (0.1 * position) + (0.001 * (round % 5)) },
        }));
        JournalRecord[] records = [header, .. launches, new SessionEnd("complete")];
        return [.. records.SelectMany((record, seq) => JournalLine.Of(seq, record))];
    }
}
