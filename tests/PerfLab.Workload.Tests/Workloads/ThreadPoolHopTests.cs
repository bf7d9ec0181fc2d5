using PerfLab.WorkloadKit;
using PerfLab.Workloads.ThreadPoolHop;

namespace PerfLab.Workload.Tests.Workloads;

/// <summary>thread-pool-hop: that the pool is really in between, and only where it should be.</summary>
public class ThreadPoolHopTests(Lab lab)
{
    [Fact]
    public async Task each_method_allocates_its_task_with_a_hop_and_without()
    {
        Nightly.Only("25 seconds");
        var (hop, none) = (await LaunchAsync(("FROM", "pool")), await LaunchAsync(("FROM", "pool"), ("HOP", "none")));
        var deep = await LaunchAsync(("FROM", "pool"), ("DEPTH", "24"));
        // A method that waits has its state in its task: a little more than a hundred bytes. One that need not has a task of 72. The runtime
        // counts by blocks of 8 KB for each thread, so on a busy machine, where a window has few operations, a figure may be far off.
        hop.Bytes.ShouldBeInRange(6 * 50, 6 * 500);
        deep.Bytes.ShouldBeInRange(24 * 50, 24 * 500);
        none.Bytes.ShouldBeInRange(6 * 50, 6 * 150);
        hop.Rate.ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task a_thread_that_waits_for_each_gets_every_answer()
    {
        var launch = await LaunchAsync(("FROM", "thread"));
        launch.Rate.ShouldBeGreaterThan(0);
        launch.Bytes.ShouldBeInRange(6 * 40, 6 * 1000);
    }

    [Theory]
    [InlineData(true, 1000, 1000, null)]
    [InlineData(true, 1000, 999, "1000 operations hopped, and the thread pool ran 999.")]
    [InlineData(false, 1_000_000, 20, null)]
    [InlineData(false, 1_000_000, 1_000_000, "nothing was to hop, and the thread pool ran 1000000.")]
    public void a_hop_that_was_none_is_a_wrong_answer(bool hops, long operations, long ran, string? wrong)
    {
        if (wrong is null)
        {
            Hops.Check(hops, operations, ran);
        }
        else
        {
            Should.Throw<WrongAnswerException>(() => Hops.Check(hops, operations, ran)).Message.ShouldContain(wrong);
        }
    }

    private async Task<(double Rate, double Bytes)> LaunchAsync(params (string Name, string Value)[] parameters)
    {
        var manifest = Manifest.Of("thread-pool-hop");
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0"));
        (string, string)[] all = [.. parameters.Select(one => ($"PERF_LAB_PARAM_{one.Name}", one.Value)), ("PERF_LAB_WARM_UP", "1")];
        var launch = await ShortLaunch.RunAsync(build, manifest.Command, all);
        ResultShape.ShouldFit(launch, manifest);
        var metrics = launch.Result!["metrics"]!;
        return ((double)metrics["throughput"]!["value"]!, (double)metrics["allocated"]!["value"]!);
    }
}
