using PerfLab.Machine.Hygiene;
using PerfLab.Machine.SelfTests;
using PerfLab.Runner.Flow.Machines;
using static System.FormattableString;

namespace PerfLab.Runner.Tests.Machine;

public class LaneTests
{
    [Fact]
    public void two_cores_of_this_machine_are_measured_alone_and_beside_each_other()
    {
        var cores = LaneTest.OwnCores();
        Assert.SkipWhen(cores.Count < 2, "this machine gives one core only");
        var figures = LaneTest.Run(TimeProvider.System, [.. cores.TakeLast(2)], pairs: 3).ShouldNotBeNull();
        figures.Select(figure => figure.Kind).ShouldBe(["arithmetic", "memory", "systemCalls"]);
        figures.ShouldAllBe(figure => figure.Lanes == 2 && cores.Contains(figure.Core) && figure.AloneSeconds > 0 && figure.TogetherSeconds > 0 && figure.Spread >= 0);
    }

    [Fact]
    public void a_core_that_is_not_there_is_no_figure() =>
        LaneTest.Run(TimeProvider.System, [8190, 8191], pairs: 3).ShouldBeNull();

    [Theory]
    [InlineData(0, "")]
    [InlineData(1, "")]
    [InlineData(2, "2")]
    [InlineData(3, "2 3")]
    [InlineData(8, "2 4 8")]
    [InlineData(12, "2 4 8 12")]
    public void numbers_of_lanes_that_are_tried(int cores, string lanes) =>
        string.Join(' ', LaneTest.Counts(cores)).ShouldBe(lanes);

    [Theory]
    [InlineData(0.0, 0.0, 0.0, 4)]
    [InlineData(0.009, -0.009, 0.01, 4)]
    [InlineData(0.0, 0.0, 0.011, 2)]
    [InlineData(0.0, 0.2, 0.0, 1)]
    [InlineData(-0.02, 0.0, 0.0, 1)]
    public void lanes_are_quiet_up_to_the_first_number_where_one_kind_of_work_is_disturbed(double two, double twoMemory, double four, int most)
    {
        LaneFigure[] figures = [Figure(2, "arithmetic", two), Figure(2, "memory", twoMemory), Figure(4, "arithmetic", four)];
        LaneTest.MostQuiet(figures).ShouldBe(most);
        var findings = LaneFindings.Of(figures, [4, 5, 6, 7]);
        findings[^1].Value.ShouldBe(Invariant($"{most} of 4 on cores 4-7"));
        findings.Count(finding => finding.Severity == HygieneSeverity.Warn).ShouldBe(figures.Count(figure => Math.Abs(figure.Shift) > 0.01));
    }

    [Fact]
    public void a_finding_has_its_figures_and_what_to_do()
    {
        var found = LaneFindings.Of([Figure(2, "memory", 0.312)], [0, 1])[0];
        (found.Name, found.Value).ShouldBe(("2 lanes, memory", "20.00 ms alone, 26.24 ms beside a busy core: +31.2 % (spread 0.5 %, core 1)"));
        found.Fix.ShouldNotBeNull().ShouldContain("one cell at a time");
        LaneFindings.Of(figures: null, [0, 1]).ShouldHaveSingleItem().Value.ShouldContain("can't be pinned");
    }

    private static LaneFigure Figure(int lanes, string kind, double shift) => new(lanes, kind, 1, 0.02, 0.02 * (1 + shift), shift, 0.005);
}
