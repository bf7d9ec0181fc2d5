using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>All arms of a round in turns are alive at once: a machine with memory for one of them is told so before anything is built.</summary>
public sealed class TurnsMemoryTests
{
    [Fact]
    public void a_machine_with_memory_for_one_arm_is_refused_with_the_figures()
    {
        using var session = new SessionFixture((0, 13), turns: new(10, 0.05));
        var one = session.Plan.Cells[0].Resources.MemoryBytes;

        var problem = LaunchProblems.Of(session.Launcher, session.Plan, new((2 * one) - 1)).ShouldHaveSingleItem();
        (problem.Where, problem.What).ShouldBe(("--pairing", FormattableString.Invariant(
            $"{session.Plan.Cells[0].Workload} can't be measured in turns: together its arms take 2 times {one >> 20} MiB, and {((2 * one) - 1) >> 20} MiB are free on this machine.")));

        LaunchProblems.Of(session.Launcher, session.Plan, new(2 * one)).ShouldBeEmpty();
        LaunchProblems.Of(session.Launcher, session.Plan, new(null)).ShouldBeEmpty();
    }

    [Fact]
    public void one_arm_after_the_other_takes_memory_for_one()
    {
        using var session = new SessionFixture((0, 13));
        LaunchProblems.Of(session.Launcher, session.Plan, new(session.Plan.Cells[0].Resources.MemoryBytes)).ShouldBeEmpty();
    }

    [Fact]
    public void the_kernel_says_how_much_is_free() => MachineRoom.Now(null).FreeBytes!.Value.ShouldBeGreaterThan(1 << 20);
}
