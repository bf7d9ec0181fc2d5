using System.Text.Json.Nodes;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Tests.Machine;

/// <summary>A launch of ten seconds on cores 2 and 5 that used 12 s of processor time; what else ran there is preemption.</summary>
public sealed class PreemptionTests : IDisposable
{
    private const string Schedstat = "/proc/schedstat";
    private readonly FakeMachine machine = new();
    private readonly FakeClocks clocks = new();

    public void Dispose() => machine.Dispose();

    [Theory]
    [InlineData(0, null)]
    [InlineData(199, null)]
    [InlineData(201, "others ran on the launch's cores for 1.0 % of their time")]
    [InlineData(3000, "others ran on the launch's cores for 15.0 % of their time")]
    public void more_than_1_percent_of_the_cores_time_is_preemption(int milliseconds, string? problem)
    {
        var metal = Round(HygienePolicy.Metal, () => Ran(milliseconds));
        (metal.Voids.SingleOrDefault(), metal.Warnings.Count).ShouldBe((problem, 0));

        foreach (var policy in new[] { HygienePolicy.Azure, HygienePolicy.Any })
        {
            var change = Round(policy, () => Ran(milliseconds));
            (change.Voids.Count, change.Warnings.SingleOrDefault()).ShouldBe((0, problem));
        }
    }

    [Fact]
    public void the_launchs_own_account_is_good_for_a_warning_only()
    {
        var change = Round(HygienePolicy.Metal, () => Ran(3000), """{"processorSeconds":12,"outside":{"cpus":"2,5"}}""");

        change.Voids.ShouldBeEmpty();
        change.Warnings.ShouldHaveSingleItem().ShouldEndWith("(by the launch's own account of its processor time)");
    }

    [Fact]
    public void what_ran_on_other_cores_is_nobodys_business()
    {
        var change = Round(HygienePolicy.Metal, () => machine.Write(Schedstat, Lines((0, 9_000_000_000), (1, 9_000_000_000), (2, 6_000_000_900), (5, 6_000_000_900))));
        change.Voids.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("""{"outside":{"cpus":"2,5"}}""")]
    [InlineData("""{"outside":{"cpuSeconds":1}}""")]
    [InlineData("""{"outside":{"cpus":"","cpuSeconds":1}}""")]
    [InlineData("""{"outside":{"cpus":"0-9999999","cpuSeconds":1}}""")]
    [InlineData("""{"outside":{"cpus":"3","cpuSeconds":1}}""")]
    [InlineData("""{"outside":{"cpus":"2,5","cpuSeconds":-1}}""")]
    [InlineData("""{"outside":{"cpus":"2,5","cpuSeconds":"1"}}""")]
    [InlineData("""{"outside":[]}""")]
    public void a_launch_that_says_nothing_is_not_judged(string evidence) => Quiet(Round(HygienePolicy.Metal, () => Ran(3000), evidence));

    [Theory]
    [InlineData("")]
    [InlineData("cpu2 0 0 0 0 0 0 nine 0 0\ncpu5 0 0 0 0 0 0 9 0 0\n")]
    [InlineData("cpu2 0 0 0 0 0 0 -9 0 0\ncpu5 0 0 0 0 0 0 9 0 0\n")]
    [InlineData("cpu2 0 0 0 0 0 0 99999999999999999999999 0 0\ncpu5 0 0 0 0 0 0 9 0 0\n")]
    [InlineData("cpu2 0 0 0 0 0 0\ncpu5 0 0 0 0 0 0 9 0 0\n")]
    [InlineData("cpu2 0 0 0 0 0 0 99000000000 0 0\n")]
    [InlineData("cpu2 0 0 0 0 0 0 1 0 0\ncpu5 0 0 0 0 0 0 1 0 0\n")]
    public void a_file_that_is_garbage_or_runs_backwards_is_not_judged(string text) => Quiet(Round(HygienePolicy.Metal, () => machine.Write(Schedstat, text)));

    [Fact]
    public void a_file_that_is_missing_or_forbidden_is_not_judged()
    {
        Quiet(Round(HygienePolicy.Metal, () => machine.Remove(Schedstat)));
        Quiet(Round(HygienePolicy.Metal, () => machine.Forbid(Schedstat)));
    }

    [Fact]
    public void a_megabyte_of_anything_is_not_judged() => Quiet(Round(HygienePolicy.Metal, () => machine.Write(Schedstat, new string('9', 1 << 20))));

    [Fact]
    public void a_machine_of_1024_cores_with_its_domains_is_read_to_its_end()
    {
        var domain = $"domain0 {new string('f', 256)} {string.Join(' ', Enumerable.Repeat("12345", 36))}\n";
        string All(long each) => "version 17\ntimestamp 1\n" + string.Concat(Enumerable.Range(0, 1024).Select(cpu => Line(cpu, each) + domain + domain + domain));
        All(0).Length.ShouldBeGreaterThan(1 << 20);
        machine.Write("/sys/devices/system/cpu/online", "0-1023\n");
        machine.Write(Schedstat, All(0));
        var watch = new HygieneWatch(machine.Files, clocks, HygienePolicy.Metal);
        var before = watch.Read();
        clocks.Pass(TimeSpan.FromSeconds(10));
        machine.Write(Schedstat, All(6_300_000_000));

        watch.Compare(before, watch.Read(), Launch("""{"outside":{"cpus":"1022-1023","cpuSeconds":12}}""")).Voids
            .ShouldHaveSingleItem().ShouldBe("others ran on the launch's cores for 3.0 % of their time");
    }

    [Fact]
    public void where_nobody_split_the_cores_the_lab_itself_runs_there_and_nothing_is_judged()
    {
        machine.Write(LabMachine.File, "KIND=metal\n");
        Quiet(Round(HygienePolicy.Metal, () => Ran(3000)));
    }

    private static void Quiet(HygieneChange change)
    {
        change.Voids.ShouldBeEmpty();
        change.Warnings.ShouldBeEmpty();
    }

    private HygieneChange Round(HygienePolicy policy, Action happens, string evidence = """{"outside":{"cpus":"2,5","cpuSeconds":12}}""")
    {
        machine.Restore(Schedstat);
        using var watch = new HygieneWatch(machine.Files, clocks, policy);
        var before = watch.Read();
        clocks.Pass(TimeSpan.FromSeconds(10));
        happens();
        return watch.Compare(before, watch.Read(), Launch(evidence));
    }

    /// <summary>The launch's 12 s and so much of others.</summary>
    private void Ran(int othersMilliseconds) =>
        machine.Write(Schedstat, Lines((0, 1), (1, 1), (2, 6_000_000_900 + (othersMilliseconds * 1_000_000L)), (5, 6_000_000_900)));

    private static JsonObject Launch(string evidence) => JsonNode.Parse(evidence)!.AsObject();

    private static string Lines(params (int Cpu, long Ran)[] cpus) => "version 15\ntimestamp 4297299139\n" + string.Concat(cpus.Select(cpu => Line(cpu.Cpu, cpu.Ran)));

    private static string Line(int cpu, long ran) => $"cpu{cpu} 0 0 0 0 0 0 {ran} 0 30\n";
}
