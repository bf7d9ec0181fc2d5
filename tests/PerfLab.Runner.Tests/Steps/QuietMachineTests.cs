using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;
using PerfLab.Machine.Watching;
using PerfLab.Programs;
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

    [Fact]
    public async Task while_it_only_waits_others_may_measure_and_it_looks_again_when_they_have_ended()
    {
        var path = Path.Combine(_machine.Folder, "machine.lock");
        var budget = new WaitBudget(Terminal, TimeSpan.FromMinutes(30));
        var turn = await MachineLock.TakeAsync(path, "", budget, CancellationToken.None);
        var other = Task.Run(async () =>
        {
            await Task.Delay(TimeSpan.FromSeconds(5), _clock);
            using var measures = MachineLock.Take(path); // refused, while the lock is held
            await Task.Delay(TimeSpan.FromSeconds(31), _clock);
        });
        var waits = Task.Run(async () => await QuietMachine.FindAsync(
            _ => Task.FromResult(Look(1)), HygienePolicy.Any, budget, Terminal, CancellationToken.None, turn));
        await _clock.RunAsync([other, waits]);

        (Waited, _looks).ShouldBe((TimeSpan.FromSeconds(40), 2));
        Should.Throw<LabException>(() => MachineLock.Take(path), "it is held again").CameBack.ShouldStartWith("machine busy");
    }

    [Fact]
    public async Task what_it_waits_for_is_said_again_when_it_has_changed_but_not_at_every_look()
    {
        var budget = new WaitBudget(Terminal, TimeSpan.FromMinutes(5));
        await _clock.RunAsync(async () =>
        {
            for (var look = 0; look < 12; look++)
            {
                await budget.WaitAsync("quiet", $"other load: {look} %", CancellationToken.None);
            }
        });
        _said.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)
            .ShouldBe(["waiting, at most 5 min: other load: 0 %", "waiting, at most 4 min: other load: 6 %"]);
    }

    private Terminal Terminal => new() { Out = TextWriter.Null, Error = _said, Root = _machine.Folder, WorkingFolder = _machine.Folder, Clock = _clock };

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
