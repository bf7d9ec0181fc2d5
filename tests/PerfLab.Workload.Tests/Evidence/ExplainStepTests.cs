using PerfLab.Building;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Profiles;
using PerfLab.Programs;
using PerfLab.Reports.Why;
using PerfLab.Launching;
using PerfLab.Launching.Processes;
using PerfLab.Runner.Afterwards;

namespace PerfLab.Workload.Tests.Evidence;

/// <summary>All of `explain` but its command line, over a real program.</summary>
public class ExplainStepTests(Lab lab)
{
    [Fact]
    public async Task the_method_that_takes_more_in_head_is_named_with_a_plus_and_its_picture_lies_beside()
    {
        Nightly.Only("40 seconds");
        var (plan, builds) = await PlanAsync();
        await using var launcher = OnceEach(ProcessLauncher.Create());
        var folder = lab.NewFolder();

        var row = await ExplainAsync(plan, builds, launcher, folder);

        (row.Rounds, row.Reference, row.Arm).ShouldBe((ProfileComparison.Rounds, "base", "head"));
        // Not that it is the first: of one launch each, a busy machine may stop any other method for longer.
        var render = row.Methods
            .SingleOrDefault(method => method.Kind == ProfileKind.Processor && method.Method.StartsWith("Pipeline.Render", StringComparison.Ordinal))
            .ShouldNotBeNull(ExplanationText.Plain(new() { Rows = [row] }));
        render.Change.ShouldBeGreaterThan(0);
        render.Arm.ShouldBeGreaterThan(render.Reference);
        (await File.ReadAllTextAsync(Path.Combine(folder, "why-c001-head.svg"))).ShouldContain("Pipeline.Render");
        (await File.ReadAllTextAsync(Path.Combine(folder, "why-c001-head.base.folded"))).ShouldContain("Pipeline.Render");

        // Nobody can look at it again: what is left of the first try would be about other launches.
        var none = await ExplainAsync(plan, Without(builds), launcher, folder);
        none.Rounds.ShouldBe(0);
        Directory.EnumerateFiles(folder).ShouldBeEmpty();
    }

    [Fact]
    public async Task of_several_nodes_it_says_which_was_looked_at()
    {
        Nightly.Only("30 seconds");
        var (plan, builds) = await PlanAsync();
        await using var launcher = ProcessLauncher.Create();
        var cell = plan.Cells.Single();
        PlannedNode[] nodes = [new("server-1", "server"), new("client-1", "client")];

        var row = await ExplainAsync(
            plan with { Cells = [cell with { Arms = [.. cell.Arms.Select(arm => arm with { Nodes = nodes })] }] },
            Without(builds), launcher, lab.NewFolder());

        row.Doubts.ShouldContain("of its 2 nodes the one that reports was looked at: what changed in another is not seen here");
    }

    private static ArmBuilds Without(ArmBuilds builds) =>
        new(new Dictionary<(string, string), BuildResult>
        {
            [("c001", "base")] = builds["c001", "base"],
            [("c001", "head")] = new(null, null, "it did not build"),
        });

    private async Task<(RunPlan Plan, ArmBuilds Builds)> PlanAsync() => await RealCells.PlanAsync(
        lab, Lab.Fixture("culprits"), "net10.0",
        [new("base", Amount("0")), new("head", Amount("1"))], ("work", "600"), ("effect", "processor"));

    private static Dictionary<string, string> Amount(string amount) => new(StringComparer.Ordinal) { ["amount"] = amount };

    private static async Task<ExplainedRow> ExplainAsync(RunPlan plan, ArmBuilds builds, ILauncher launcher, string folder)
    {
        var terminal = new Terminal { Out = TextWriter.Null, Error = TextWriter.Null, Root = Lab.Root, WorkingFolder = folder };
        var step = new ExplainStep(Runner.Flow.Lab.Open(terminal), launcher);
        var explanation = await step.RunAsync(plan, builds, [("c001", "head")], folder, TestContext.Current.CancellationToken);
        // As it is written and read again.
        return Explanation.File.Read(Explanation.File.Write(explanation)).Value!.Rows.ShouldHaveSingleItem();
    }

    /// <summary>Launches each arm once; every later launch of it leaves the same again, under the nonce that was given to it.</summary>
    private AlteredLaunches OnceEach(ILauncher inner)
    {
        var known = new Dictionary<string, (LaunchEnd End, string Nonce)>(StringComparer.Ordinal);
        return new(inner, async (spec, launch) =>
        {
            var arm = spec.Environment.Single(pair => pair.Key == "PERF_LAB_PARAM_AMOUNT").Value;
            var nonce = spec.Environment.Single(pair => pair.Key == "PERF_LAB_NONCE").Value;
            var kept = lab.NewFolder();
            if (!known.TryGetValue(arm, out var first))
            {
                var end = await launch();
                Lab.CopyFolder(Path.GetDirectoryName(end.ResultFile)!, kept);
                known[arm] = (end with { ResultFile = Path.Combine(kept, Path.GetFileName(end.ResultFile)) }, nonce);
                return end;
            }

            Lab.CopyFolder(Path.GetDirectoryName(first.End.ResultFile)!, kept);
            var result = Path.Combine(kept, Path.GetFileName(first.End.ResultFile));
            File.WriteAllText(result, File.ReadAllText(result).Replace(first.Nonce, nonce, StringComparison.Ordinal));
            return first.End with { ResultFile = result };
        });
    }
}
