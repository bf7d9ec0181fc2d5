using System.Globalization;
using System.Text.Json.Nodes;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Tests.Machine;

/// <summary>A launch of ten seconds on a machine of two cores, by the lines of /proc/stat (proc_stat(5): hundredths of a second).</summary>
public sealed class OtherWorkTests : IDisposable
{
    private const string Stat = "/proc/stat";
    private readonly FakeMachine machine = new();
    private readonly FakeClocks clocks = new();

    public void Dispose() => machine.Dispose();

    [Theory]
    [InlineData("""{"outside":{"cpuSeconds":9}}""", 1900, 0.5)] // 19 of 20 s were busy, 9 of them its own
    [InlineData("""{"processorSeconds":9}""", 1900, 0.5)]
    [InlineData("""{"outside":{"cpuSeconds":9}}""", 900, 0.0)]
    [InlineData("""{"outside":{"cpuSeconds":9}}""", 890, 0.0)] // its own time is finer than the kernel's ticks
    [InlineData("""{}""", 1900, null)]
    [InlineData("""{"outside":{"cpuSeconds":-1}}""", 1900, null)]
    [InlineData("""{"outside":{"cpuSeconds":"9"}}""", 1900, null)]
    public void what_was_busy_and_not_the_launchs_was_others(string evidence, int busy, double? share) => Others(evidence, busy, busy).ShouldBe(share);

    [Theory]
    [InlineData("0", 1.0)]
    [InlineData("1", 0.0)]
    [InlineData("7", null)]
    public void a_launch_that_is_kept_to_a_core_shares_that_one(string cpus, double? share) =>
        Others("{\"outside\":{\"cpuSeconds\":0,\"cpus\":\"" + cpus + "\"}}", 1000, busyOfTheFirst: 1000).ShouldBe(share);

    private double? Others(string evidence, int busy, int busyOfTheFirst)
    {
        machine.Write(Stat, Lines((2000, 0), (1000, 0), (1000, 0)));
        using var watch = new HygieneWatch(machine.Files, clocks, HygienePolicy.Any);
        var before = watch.Read();
        clocks.Pass(TimeSpan.FromSeconds(10));
        machine.Write(Stat, Lines((4000 - busy, busy), (2000 - Math.Min(1000, busyOfTheFirst), Math.Min(1000, busyOfTheFirst)), (2000, 0)));
        return watch.Compare(before, watch.Read(), JsonNode.Parse(evidence)!.AsObject()).Others;
    }

    private static string Lines(params (int Idle, int User)[] cores) => string.Concat(cores.Select((core, index) =>
        string.Create(CultureInfo.InvariantCulture, $"cpu{(index == 0 ? " " : (index - 1).ToString(CultureInfo.InvariantCulture))} {core.User} 0 0 {core.Idle} 0 0 0 0 0 0\n"))) + "intr 1\n";
}
