using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;
using PerfLab.Machine.Watching;
using PerfLab.Runner.Tests.Machine;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>The machine misbehaves while a session measures: what was taken then is repeated, and a verdict never comes from it.</summary>
public sealed class MachineFaultTests : IDisposable
{
    private const string Throttled = "/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count";
    private const string BootId = "/proc/sys/kernel/random/boot_id";
    private readonly FakeMachine machine = new();
    private readonly FakeClocks clocks = new();

    public void Dispose() => machine.Dispose();

    public static TheoryData<string, string> OneFault() => new()
    {
        { "clock jump", "clock step of 30 s" },
        { "clock set back", "clock step of -3600 s" },
        { "boot id", "the machine was restarted" },
        { "throttled", "clocked itself down for heat" },
        { "kernel message", "Machine check" },
        { "swap", "pages were swapped" },
        { "quota", "a quota of processor time" },
        { "steal", "% of the processor time went to other machines" },
        { "memory", "all work waited for memory" },
    };

    [Theory]
    [MemberData(nameof(OneFault))]
    public async Task a_fault_during_a_launch_voids_its_round_once_and_the_verdict_is_the_same(string fault, string reason)
    {
        using var session = Metal((0, 13));
        session.Launcher.Script = (number, launch) =>
        {
            clocks.Pass(TimeSpan.FromSeconds(2));
            if (number == 5)
            {
                Happen(fault);
            }

            return Slower(launch);
        };
        var samples = await session.RunAsync();
        samples.Voids.ShouldHaveSingleItem().Reason.ShouldContain(reason);
        var row = session.Compare().Cells.Single();
        (row.Verdict, row.Rounds).ShouldBe((Verdict.Regressed, 13));
    }

    [Theory]
    [InlineData("throttled")]
    [InlineData("swap")]
    [InlineData("clock jump")]
    public async Task a_fault_that_stays_ends_after_three_repeats_without_a_verdict(string fault)
    {
        using var session = Metal((0, 13));
        session.Launcher.Script = (_, launch) =>
        {
            clocks.Pass(TimeSpan.FromSeconds(2));
            Happen(fault);
            return Slower(launch);
        };
        var samples = await session.RunAsync();
        samples.Complete.ShouldBeTrue();
        samples.Launches.Count.ShouldBe(13 * 2 * 4, "a round is tried once and repeated three times");
        var row = session.Compare().Cells.Single();
        row.Verdict.ShouldBe(Verdict.TooNoisy);
        row.Warnings.ShouldContain(warning => warning.Contains("too noisy, no verdict"));
    }

    [Theory]
    [InlineData("throttled")]
    [InlineData("swap")]
    [InlineData("kernel message")]
    public async Task elsewhere_than_in_a_lab_it_is_a_warning(string fault)
    {
        using var session = new SessionFixture((0, 13)) { Files = machine.Files, Clock = clocks };
        session.Launcher.Script = (number, launch) =>
        {
            clocks.Pass(TimeSpan.FromSeconds(2));
            if (number == 5)
            {
                Happen(fault);
            }

            return Slower(launch);
        };
        var samples = await session.RunAsync();
        samples.Voids.ShouldBeEmpty();
        samples.Launches.Count(launch => launch.Hygiene.Count > 0).ShouldBe(1);
    }

    [Fact]
    public async Task the_change_of_the_year_and_of_summer_time_are_nothing()
    {
        clocks.Wall = new(2026, 12, 31, 23, 59, 0, TimeSpan.FromHours(13));
        using var session = Metal((0, 13));
        session.Launcher.Script = (_, launch) =>
        {
            clocks.Pass(TimeSpan.FromMinutes(3));
            return Slower(launch);
        };
        (await session.RunAsync()).Voids.ShouldBeEmpty();
        session.Compare().Cells.Single().Verdict.ShouldBe(Verdict.Regressed);
    }

    [Fact]
    public async Task a_self_test_that_is_off_strikes_the_whole_block_and_its_rounds_are_repeated()
    {
        var tests = 0;
        // The second check ends the first block.
        using var session = Metal((0, 13), () => FakeFigures.Of(++tests == 2 ? 1.05 : 1));
        session.Launcher.Script = (_, launch) =>
        {
            clocks.Pass(TimeSpan.FromSeconds(20));
            return Slower(launch);
        };
        var samples = await session.RunAsync();
        var struck = (int)(BlockWatch.Length.TotalSeconds / 40);
        samples.Voids.Count.ShouldBe(struck);
        samples.Voids.ShouldAllBe(voided => voided.Reason.Contains("self-test was off") && voided.Reason.Contains("arithmetic +5.0 %"));
        samples.Launches.Count.ShouldBe((13 + struck) * 2);
        samples.MachineChecks.Count.ShouldBeGreaterThan(3);
        session.Compare().Cells.Single().Rounds.ShouldBe(13);
    }

    [Fact]
    public async Task a_machine_that_stays_slower_than_it_was_gives_no_verdict()
    {
        var tests = 0;
        using var session = Metal((0, 13), () => FakeFigures.Of(++tests == 1 ? 1 : 1.05));
        session.Launcher.Script = (_, launch) =>
        {
            clocks.Pass(TimeSpan.FromSeconds(20));
            return Slower(launch);
        };
        var samples = await session.RunAsync();
        samples.Launches.Count.ShouldBe(13 * 2 * 4);
        session.Compare().Cells.Single().Verdict.ShouldBe(Verdict.TooNoisy);
    }

    [Fact]
    public async Task a_setting_that_changed_between_two_checks_strikes_the_block()
    {
        using var session = Metal((0, 13), () => FakeFigures.Of());
        session.Launcher.Script = (number, launch) =>
        {
            clocks.Pass(TimeSpan.FromSeconds(5));
            if (number == 20)
            {
                machine.Write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
            }

            return Slower(launch);
        };
        var samples = await session.RunAsync();
        samples.Voids.ShouldNotBeEmpty();
        samples.Voids.ShouldAllBe(voided => voided.Reason.Contains("frequency.governor was 'performance' and is 'powersave (0), performance (5)'"));
        session.Compare().Cells.Single().Rounds.ShouldBe(13);
    }

    [Fact]
    public async Task a_hot_machine_is_waited_for()
    {
        using var session = Metal((0, 13), () => FakeFigures.Of());
        session.Launcher.Script = (number, launch) =>
        {
            clocks.Pass(TimeSpan.FromSeconds(30));
            if (number == 3)
            {
                machine.Write("/sys/class/hwmon/hwmon0/temp1_input", "72000\n");
            }

            return Slower(launch);
        };
        var waited = 0;
        clocks.Waiting = () =>
        {
            if (++waited == 4)
            {
                machine.Restore("/sys/class/hwmon/hwmon0/temp1_input");
            }
        };
        (await session.RunAsync()).Voids.ShouldBeEmpty();
        waited.ShouldBe(4);
    }

    [Fact]
    public async Task base_and_head_that_saw_different_machines_are_refused()
    {
        using var session = Metal((0, 13));
        session.Launcher.Script = (_, launch) => Slower(launch) with { Evidence = SessionFixture.Slower(launch) > 0 ? """{"processors":1}""" : """{"processors":2}""" };
        var samples = await session.RunAsync();
        samples.Launches.ShouldContain(launch => launch.Outcome == Outcome.Refused && launch.Reason!.Contains("processors is "));
        session.Compare().Cells.Single().Verdict.ShouldBe(Verdict.Failed);
    }

    [Theory]
    [InlineData("2-3,5", "5")]
    [InlineData(null, null)]
    public async Task launches_get_cores_that_are_kept_for_workloads_as_many_as_they_ask_for(string? kept, string? given)
    {
        using var session = new SessionFixture((0, 13)) { Cpus = kept };
        await session.RunAsync();
        session.Launcher.Launched.ShouldAllBe(launch => launch.Cpus == given);
    }

    private SessionFixture Metal((int Screen, int Confirm) rounds, Func<SelfTestFigures>? selfTest = null) =>
        new(rounds) { Files = machine.Files, Clock = clocks, Policy = HygienePolicy.Metal, SelfTest = selfTest };

    private static FakeEnd Slower(LaunchSpec launch) => new(100 * (1 + SessionFixture.Slower(launch)));

    private void Happen(string fault)
    {
        switch (fault)
        {
            case "clock jump":
                clocks.Wall += TimeSpan.FromSeconds(30);
                break;
            case "clock set back":
                clocks.Wall -= TimeSpan.FromHours(1);
                break;
            case "boot id":
                machine.Write(BootId, Guid.NewGuid().ToString("D") + "\n");
                break;
            case "throttled":
                machine.Write(Throttled, $"{long.Parse(File.ReadAllText(machine.Files.At(Throttled))) + 1}\n");
                break;
            case "kernel message":
                machine.Append("/dev/kmsg", "4,7,200,-;mce: [Hardware Error]: Machine check events logged\n");
                break;
            case "swap":
                machine.Write("/proc/vmstat", $"pswpin {clocks.Monotonic.Ticks}\npswpout 4\noom_kill 0\n");
                break;
            case "quota":
                machine.Write("/sys/fs/cgroup/system.slice/runner.service/cpu.stat", "nr_throttled 7\n");
                break;
            case "steal":
                machine.Write("/proc/stat", "cpu  100 0 100 9900 0 0 0 30 0 0\n");
                break;
            case "memory":
                machine.Write("/proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=900000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=900000\n");
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(fault), fault, "unknown fault");
        }
    }
}
