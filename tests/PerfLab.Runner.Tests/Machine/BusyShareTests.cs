using PerfLab.Machine.Facts;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Tests.Machine;

/// <summary>Half a second of a machine of four cores before the first launch, 200 ticks of the kernel: what others did, and what the lab did itself.</summary>
public sealed class BusyShareTests : IDisposable
{
    private const string Stat = "/proc/stat", Own = "/proc/self/stat", Conf = "/etc/perf-lab/machine.conf";
    private readonly FakeMachine _machine = new();

    public void Dispose() => _machine.Dispose();

    [Theory]
    [InlineData(60, 50, 0.05)] // its JIT compiles on another thread
    [InlineData(60, 64, 0.0)] // the kernel counts each by a clock of its own
    public async Task what_the_lab_does_itself_is_no_load_of_others(int busy, int own, double share)
    {
        _machine.Write(Conf, "");
        (await ShareAsync(busy, own)).ShouldBe(share);
    }

    [Fact]
    public async Task where_the_cores_are_split_the_lab_runs_on_others() => (await ShareAsync(60, 50)).ShouldBe(0.3);

    [Fact]
    public async Task a_kernel_that_hides_the_labs_own_time_counts_it_with_the_rest()
    {
        _machine.Write(Conf, "");
        (await ShareAsync(60, null)).ShouldBe(0.3);
    }

    private async Task<double> ShareAsync(int busy, int? own)
    {
        Write(0, own is null ? null : 0);
        var inspection = new MachineInspection
        {
            Files = _machine.Files,
            Store = _machine.Folder,
            SelfTestRepeats = 3,
            Time = new Waited(() => Write(busy, own)),
        };
        var found = await inspection.RunAsync(HygienePolicy.Any, events: null, TestContext.Current.CancellationToken);
        return (double)found.Facts["busyShare"]!;
    }

    // Cores 2 and 5 are those for workloads where they are split; all four do the same here.
    private void Write(int busy, int? own)
    {
        var each = busy / 4;
        var idle = 1000 + (busy > 0 ? 50 - each : 0);
        string Core(string name, int of) => FormattableString.Invariant($"{name} {(100 + each) * of} 0 0 {idle * of} 0 0 0 0 0 0\n");
        _machine.Write(Stat, Core("cpu ", 4) + Core("cpu0", 1) + Core("cpu1", 1) + Core("cpu2", 1) + Core("cpu5", 1) + "intr 1\n");
        if (own is { } ticks)
        {
            // Two of them in the kernel; those of children that have ended follow.
            var (user, system) = (500 + Math.Max(0, ticks - 2), 40 + Math.Min(2, ticks));
            _machine.Write(Own, FormattableString.Invariant(
                $"4711 (a) b) R 1 4711 4711 0 -1 4194304 900 800 7 6 {user} {system} 99 99 20 0 12 0 5000\n"));
        }
    }

    /// <summary>The machine's clock; when somebody begins to wait by it, something happens meanwhile.</summary>
    private sealed class Waited(Action meanwhile) : TimeProvider
    {
        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            meanwhile();
            return base.CreateTimer(callback, state, dueTime, period);
        }
    }
}
