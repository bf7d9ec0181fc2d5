using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene.Rows;
using PerfLab.Machine.Watching;
using PerfLab.Runner.Terminals;
using PerfLab.Runner.Tests.Azure;
using PerfLab.Runner.Tests.Machine;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>`--wait` before the first launch: for a machine that gets quiet, and for one that never does.</summary>
public sealed class QuietMachineTests : IDisposable
{
    private readonly FakeMachine _machine = new();
    private readonly FakeTimeProvider _clock = FakeTimeProvider.AtTheStart();
    private readonly StringWriter _said = new();
    private int _looks;

    public void Dispose()
    {
        _said.Dispose();
        _machine.Dispose();
    }

    [Fact]
    public async Task one_that_never_gets_quiet_is_measured_when_the_patience_is_over_and_the_load_is_said()
    {
        await FindAsync(TimeSpan.FromMinutes(2), busyLooks: int.MaxValue);

        Waited.ShouldBe(TimeSpan.FromMinutes(2));
        var lines = _said.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);
        lines.Length.ShouldBe(2, "it is said once for what it waits, and once what is there all the same");
        lines[0].ShouldBe("waiting, at most 2 min: other load, just before: 50.0 % of the cores for workloads");
        lines[1].ShouldStartWith("note: other load, just before: 50.0 % of the cores for workloads (");
        lines[1].ShouldNotContain("--wait", customMessage: "it was waited for");
    }

    [Fact]
    public async Task a_lab_that_never_gets_quiet_refuses_when_the_patience_is_over()
    {
        var refusal = await Should.ThrowAsync<LabException>(() => FindAsync(TimeSpan.FromMinutes(2), int.MaxValue, HygienePolicy.Metal));

        Waited.ShouldBe(TimeSpan.FromMinutes(2));
        refusal.CameBack.ShouldContain("other load, just before: 50.0 %");
    }

    [Fact]
    public async Task what_no_wait_mends_is_refused_before_anybody_waits()
    {
        _machine.Write("/sys/devices/system/cpu/cpu5/cpufreq/scaling_governor", "powersave\n");

        var refusal = await Should.ThrowAsync<LabException>(() => FindAsync(TimeSpan.FromMinutes(30), int.MaxValue, HygienePolicy.Metal));

        Waited.ShouldBe(TimeSpan.Zero);
        refusal.CameBack.ShouldContain("governor");
        refusal.CameBack.ShouldNotContain("other load");
    }

    [Fact]
    public async Task one_that_gets_quiet_is_measured_at_once_without_a_note()
    {
        await FindAsync(TimeSpan.FromMinutes(30), busyLooks: 3);

        Waited.ShouldBe(TimeSpan.FromSeconds(30), "it looks again every ten seconds");
        _said.ToString().ShouldNotContain("note:");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)] // as `run` calls it: with the patience of an option that was not given
    public async Task without_wait_nobody_waits_and_the_note_says_how_to(bool isNull)
    {
        await FindAsync(isNull ? null : TimeSpan.Zero, busyLooks: int.MaxValue);

        (Waited, _looks).ShouldBe((TimeSpan.Zero, 1));
        _said.ToString().ShouldContain("--wait 30m waits for it");
    }

    private TimeSpan Waited => _clock.GetUtcNow() - FakeTimeProvider.AtTheStart().GetUtcNow();

    private async Task FindAsync(TimeSpan? wait, int busyLooks, HygienePolicy policy = HygienePolicy.Any)
    {
        var folder = _machine.Folder;
        var terminal = new Terminal { Out = TextWriter.Null, Error = _said, Root = folder, WorkingFolder = folder, Clock = _clock };
        var budget = wait is { } most ? new WaitBudget(terminal, most) : null;
        await _clock.RunAsync(() => QuietMachine.FindAsync(
            _ => Task.FromResult(Look(busyLooks)), policy, budget, terminal, CancellationToken.None));
    }

    private MachineFindings Look(int busyLooks)
    {
        var facts = MachineFacts.Read(_machine.Files, new FakeClocks(), new DiskSpace(50L << 30, 100L << 30),
            new JsonObject { ["executor"] = "docker" });
        facts["busyShare"] = _looks++ < busyLooks ? 0.5 : 0.01;
        return new(facts, FakeFigures.Of(), null, 0);
    }
}
