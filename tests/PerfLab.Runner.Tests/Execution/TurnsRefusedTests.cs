using PerfLab.Launching;
using PerfLab.Runner.Tests.Execution.Kubernetes;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>Who can't freeze what it launches takes no turns: that is told before anything is built.</summary>
public sealed class TurnsRefusedTests
{
    [Fact]
    public void an_executor_that_can_not_freeze_is_refused_with_what_to_type()
    {
        using var session = new SessionFixture((0, 13), turns: new(10, 0.05));
        session.Launcher.TakesTurns = false;

        LaunchProblems.Of(session.Launcher, session.Plan, new()).ShouldHaveSingleItem().ToString().ShouldBe(
            "--pairing: script can't be measured in turns: the fake executor can't freeze what it launches. "
            + "Leave --pairing out: what can't take turns is launched one arm after the other.");
    }

    [Fact]
    public void one_cell_in_turns_is_enough_and_without_any_nothing_is_refused()
    {
        using var session = new SessionFixture((0, 13), cells: 2);
        session.Launcher.TakesTurns = false;
        LaunchProblems.Of(session.Launcher, session.Plan, new()).ShouldBeEmpty();

        var cells = session.Plan.Cells;
        LaunchProblems.Of(session.Launcher, session.Plan with { Cells = [cells[0], cells[1] with { Turns = new(10, 0.05) }] }, new())
            .ShouldHaveSingleItem().Where.ShouldBe("--pairing");
    }

    [Fact]
    public async Task a_cluster_takes_no_turns()
    {
        using var session = new SessionFixture((0, 13), turns: new(10, 0.05));
        using var cluster = new FakeCluster("n1");
        await using var launcher = cluster.Launcher();

        LaunchProblems.Of(launcher, session.Plan, new()).ShouldHaveSingleItem().What
            .ShouldEndWith("the kubernetes executor can't freeze what it launches.");
    }
}
