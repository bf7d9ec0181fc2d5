using PerfLab.Launching;
using PerfLab.Launching.Processes;

namespace PerfLab.Runner.Tests.Execution.Processes;

public sealed class EndTableTests
{
    private const int Kill = 9;
    private static readonly LaunchLimits Limits = new(TimeSpan.FromSeconds(60), 2L << 30, 16 << 20);

    [Theory]
    [InlineData(0, 0L, EndKind.Exited)]
    [InlineData(137 << 8, 0L, EndKind.Exited)]
    [InlineData(Kill, 1L, EndKind.OutOfMemory)]
    [InlineData(7 << 8, 1L, EndKind.OutOfMemory)]
    [InlineData(0, 1L, EndKind.OutOfMemory)]
    [InlineData(Kill, 0L, EndKind.KilledFromOutside)]
    [InlineData(15, 0L, EndKind.KilledFromOutside)]
    [InlineData(11, 0L, EndKind.Exited)]
    [InlineData(6, 0L, EndKind.Exited)]
    [InlineData(6 | 0x80, 0L, EndKind.Exited)]
    public void a_status_that_we_did_not_cause(int raw, long kills, EndKind how) =>
        EndTable.Of(Ended(raw) with { MemoryKills = kills }).How.ShouldBe(how);

    [Theory]
    [InlineData(137 << 8, EndKind.KilledFromOutside)]
    [InlineData(143 << 8, EndKind.KilledFromOutside)]
    [InlineData(139 << 8, EndKind.Exited)]
    [InlineData(Kill, EndKind.KilledFromOutside)]
    public void a_sandbox_passes_signals_on_as_codes(int raw, EndKind how) =>
        EndTable.Of(Ended(raw) with { Sandboxed = true }).How.ShouldBe(how);

    [Theory]
    [InlineData(6, EndKind.OutOfMemory)]
    [InlineData(134 << 8, EndKind.OutOfMemory)]
    [InlineData(139 << 8, EndKind.OutOfMemory)]
    [InlineData(1 << 8, EndKind.Exited)]
    [InlineData(0, EndKind.Exited)]
    public void the_runtimes_last_words_count_only_with_an_abort(int raw, EndKind how) =>
        EndTable.Of(Ended(raw) with { ManagedOutOfMemory = true }).How.ShouldBe(how);

    [Fact]
    public void what_the_lab_did_comes_before_what_it_looks_like()
    {
        EndTable.Of(Ended(Kill) with { Intervention = Intervention.Deadline }).ShouldBe((EndKind.TimedOut, "no end after 60 s: stopped by the lab"));
        EndTable.Of(Ended(0) with { Intervention = Intervention.Flood }).ShouldBe((EndKind.Flooded, "printed more than 16 MiB: stopped by the lab"));
    }

    [Fact]
    public void without_a_memory_limit_a_kill_may_have_been_the_kernel()
    {
        EndTable.Of(Ended(Kill)).Reason!.ShouldContain("want of memory");
        EndTable.Of(Ended(Kill) with { MemoryKills = 0 }).Reason!.ShouldNotContain("want of memory");
        EndTable.Of(Ended(Kill) with { MemoryKills = 1 }).Reason.ShouldBe("killed by the kernel at the limit of 2048 MiB");
    }

    [Theory]
    [InlineData(6, false, "aborted (SIGABRT)")]
    [InlineData(134 << 8, true, "aborted (SIGABRT)")]
    [InlineData(134 << 8, false, null)]
    [InlineData(255 << 8, true, null)]
    [InlineData(3 << 8, true, null)]
    public void a_signal_is_named(int raw, bool sandboxed, string? name) =>
        EndTable.Of(Ended(raw) with { Sandboxed = sandboxed }).Reason.ShouldBe(name);

    private static Ending Ended(int raw) => new() { Intervention = Intervention.None, Status = new WaitStatus(raw), Limits = Limits };
}
