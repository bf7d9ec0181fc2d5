using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Reports;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting;

/// <summary>What a pasted line measures is what the row measured: the same launcher, and a machine that is checked as strictly.</summary>
public sealed class ReproduceLineTests
{
    [Theory]
    [InlineData("docker", "azure", " --seed 7 --executor docker --policy azure")]
    [InlineData("process", "metal", " --seed 7 --executor process --policy metal")]
    [InlineData("process", "any", " --seed 7 --executor process")]
    [InlineData("process", "hosted", " --seed 7 --executor process")]
    [InlineData("kubernetes", "any", " --seed 7 --executor kubernetes")]
    [InlineData("process;id", "azure;id", " --seed 7")]
    [InlineData(null, null, " --seed 7")]
    public void a_line_names_the_executor_and_a_policy_that_was_stricter_than_any(string? executor, string? policy, string expected) =>
        ReproduceLine.For(Cell, "head", new Policy(), new(7) { Executor = executor, MachinePolicy = policy })!.ShouldEndWith(expected);

    [Fact]
    public void a_line_names_the_least_warm_up_that_was_asked_for() =>
        ReproduceLine.For(Cell, "head", new Policy(), new(7) { WarmUpSeconds = 2.5 })!.ShouldEndWith(" --rounds 8+20 --warm-up 2.5 --pairing launches --seed 7");

    [Fact]
    public void a_line_names_how_arms_were_paired_but_where_they_could_not_take_turns()
    {
        Line(Cell with { Turns = new(30, 0.05) }).ShouldEndWith(" --rounds 8+20 --pairing turns:30x50ms --seed 7");
        Line(Cell).ShouldEndWith(" --rounds 8+20 --pairing launches --seed 7");
        Line(Cell with { NoTurns = "head has no slices" }).ShouldEndWith(" --rounds 8+20 --seed 7");

        static string Line(Cell cell) => ReproduceLine.For(cell, "head", new Policy(), new(7))!;
    }

    [Fact]
    public void a_line_names_knobs_that_were_chosen_and_none_that_are_settled_so_anyway()
    {
        var cell = Cell with
        {
            Dimensions = new Dictionary<string, string>
            {
                ["runtime"] = "net10.0.1",
                ["tiering"] = "on",
                ["gc"] = "workstation",
                ["osr"] = "off",
                ["framework"] = "stj@1.2",
            },
            Arms = [.. new[] { ("base", "off"), ("head", "on") }.Select(arm => new Arm { Id = arm.Item1, Dimensions = new Dictionary<string, string> { ["pgo"] = arm.Item2 } })],
        };
        ReproduceLine.For(cell, "head", new Policy(), new(7))
            .ShouldBe("./perf-lab run json --base pgo=off --head pgo=on --set framework=stj@1.2 --set osr=off --set runtime=net10.0.1 --set documents=1000 --rounds 8+20 --pairing launches --seed 7");
    }

    [Fact]
    public void a_line_names_the_current_sdk() =>
        ReproduceLine.For(Cell, "head", new Policy(), new(7) { CurrentSdk = true })!.ShouldEndWith(" --sdk current --rounds 8+20 --pairing launches --seed 7");

    [Fact]
    public void a_command_has_no_executor_to_choose()
    {
        var cell = Cell with
        {
            Workload = "command",
            Arms = [.. new[] { "base", "head" }.Select(arm => new Arm { Id = arm, Dimensions = new Dictionary<string, string> { ["command"] = arm } })],
        };
        ReproduceLine.For(cell, "head", new Policy(), new(7) { Executor = "process", MachinePolicy = "metal" })
            .ShouldBe("./perf-lab run --command 'head' --against 'base' --rounds 8+20 --seed 7 --policy metal");
        ReproduceLine.For(cell with { Turns = TurnPlan.OfCommands }, "head", new Policy(), new(7))
            .ShouldBe("./perf-lab run --command 'head' --against 'base' --rounds 8+20 --pairing turns:10x50ms --seed 7");
    }

    [Fact]
    public void a_journal_says_both()
    {
        var samples = SamplePairs.Many(1);
        Line(samples.Header with { Executor = "docker", Machine = new JsonObject { ["policy"] = "azure" } }).ShouldEndWith(" --executor docker --policy azure");
        Line(samples.Header with { Executor = "docker", Machine = new JsonObject { ["policy"] = 7 } }).ShouldEndWith(" --executor docker");

        string Line(SessionHeader header)
        {
            var (comparison, context) = SampleSweeps.Report(samples with { Header = header });
            return Report.From(comparison, context).Rows.Single().Reproduce!;
        }
    }

    private static Cell Cell => SampleReports.Cell("c1", "json", "net8.0.33", "on");
}
