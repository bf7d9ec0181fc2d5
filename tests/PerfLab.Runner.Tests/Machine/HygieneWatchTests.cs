using PerfLab.Machine.Facts;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Tests.Machine;

public sealed class HygieneWatchTests : IDisposable
{
    private readonly FakeMachine machine = new();
    private readonly FakeClocks clocks = new();

    public void Dispose() => machine.Dispose();

    [Fact]
    public void a_quiet_round_stands()
    {
        var change = Round(HygienePolicy.Metal, () => clocks.Pass(TimeSpan.FromMinutes(2)));

        change.Voids.ShouldBeEmpty();
        change.Warnings.ShouldBeEmpty();
    }

    [Theory]
    [InlineData(400, "clock step of 0.4 s")]
    [InlineData(-400, "clock step of -0.4 s")]
    public void a_clock_step_voids_under_every_policy(int milliseconds, string reason)
    {
        foreach (var policy in Enum.GetValues<HygienePolicy>())
        {
            Round(policy, () => clocks.Wall += TimeSpan.FromMilliseconds(milliseconds)).Voids.ShouldBe([reason]);
        }
    }

    [Fact]
    public void a_small_correction_of_the_clock_stands() =>
        Round(HygienePolicy.Metal, () => clocks.Wall += TimeSpan.FromMilliseconds(90)).Voids.ShouldBeEmpty();

    [Fact]
    public void being_interrupted_between_the_two_clocks_is_no_step()
    {
        clocks.Gaps.Enqueue(TimeSpan.Zero);
        clocks.Gaps.Enqueue(TimeSpan.FromSeconds(1));

        Round(HygienePolicy.Metal, () => { }).Voids.ShouldBeEmpty();
    }

    [Fact]
    public void a_restart_voids_under_every_policy()
    {
        var change = Round(HygienePolicy.Any, () => machine.Write("/proc/sys/kernel/random/boot_id", "aaaaaaaa-5c1e-4d0a-9d55-0e6f3a1b2c3d\n"));

        change.Voids.ShouldBe(["the machine was restarted (boot id 1f7b2a90 became aaaaaaaa)"]);
    }

    [Theory]
    [InlineData("/proc/vmstat", "pswpin 3\npswpout 4\n", "7 pages")]
    [InlineData("/proc/stat", "cpu  200 0 200 10598 0 0 0 2 0 0\n", "0.2 %")]
    public void swapping_and_steal_void_in_a_lab_and_warn_elsewhere(string path, string text, string reason)
    {
        var lab = Round(HygienePolicy.Azure, () => machine.Write(path, text));
        lab.Voids.ShouldHaveSingleItem().ShouldContain(reason);

        foreach (var policy in new[] { HygienePolicy.Any, HygienePolicy.Hosted })
        {
            machine.Write(path, FakeMachine.Quiet[path]);
            var elsewhere = Round(policy, () => machine.Write(path, text));
            elsewhere.Voids.ShouldBeEmpty();
            elsewhere.Warnings.ShouldHaveSingleItem().ShouldContain(reason);
        }
    }

    [Fact]
    public void a_little_steal_is_accepted_on_a_virtual_machine_only()
    {
        void LittleSteal() => machine.Write("/proc/stat", "cpu  5000 0 200 14799 0 0 0 1 0 0\n");

        Round(HygienePolicy.Azure, LittleSteal).Voids.ShouldBeEmpty();
        machine.Write("/proc/stat", FakeMachine.Quiet["/proc/stat"]);
        Round(HygienePolicy.Metal, LittleSteal).Voids.ShouldHaveSingleItem();
    }

    [Theory]
    [InlineData("/proc/sys/kernel/random/boot_id")]
    [InlineData("/proc/vmstat")]
    [InlineData("/proc/stat")]
    public void what_vanishes_is_not_judged(string path) => Round(HygienePolicy.Metal, () => machine.Remove(path)).Voids.ShouldBeEmpty();

    private HygieneChange Round(HygienePolicy policy, Action happens)
    {
        var watch = new HygieneWatch(machine.Files, clocks, policy);
        var before = watch.Read();
        happens();
        var after = watch.Read();
        return watch.Compare(before, after);
    }
}
