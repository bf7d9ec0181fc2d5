using PerfLab.Launching;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Launching;

public sealed class ExitTableTests
{
    [Theory]
    [InlineData(0, false, "", EndKind.Exited)]
    [InlineData(1, false, "", EndKind.Exited)]
    [InlineData(127, false, "sh: no-such-program: not found", EndKind.Exited)]
    [InlineData(127, false, "[FATAL tini (7)] exec ./x failed: No such file or directory", EndKind.NotStarted)]
    [InlineData(126, false, "[FATAL tini (7)] exec ./x failed: Permission denied", EndKind.NotStarted)]
    [InlineData(134, false, "Unhandled exception.", EndKind.Exited)]
    [InlineData(134, false, "Out of memory.\nAborted", EndKind.OutOfMemory)]
    [InlineData(139, false, "Out of memory.", EndKind.OutOfMemory)]
    [InlineData(0, false, "Out of memory.", EndKind.Exited)]
    [InlineData(137, true, "", EndKind.OutOfMemory)]
    [InlineData(0, true, "", EndKind.OutOfMemory)]
    [InlineData(7, true, "", EndKind.OutOfMemory)]
    [InlineData(137, false, "", EndKind.KilledFromOutside)]
    [InlineData(143, false, "", EndKind.Exited)]
    [InlineData(255, false, "", EndKind.Exited)]
    public void An_end_that_the_runner_did_not_cause_is_told_by_code_memory_flag_and_output(int exitCode, bool outOfMemory, string tail, EndKind expected) =>
        ExitTable.Judge(new ContainerState(false, exitCode, outOfMemory), EndedBy.Itself, tail).How.ShouldBe(expected);

    [Fact]
    public void What_the_runner_did_comes_before_every_code()
    {
        var killed = new ContainerState(false, 137, true);
        ExitTable.Judge(killed, EndedBy.Deadline, "").How.ShouldBe(EndKind.TimedOut);
        ExitTable.Judge(killed, EndedBy.OutputLimit, "").How.ShouldBe(EndKind.Flooded);
    }
}
