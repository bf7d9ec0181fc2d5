using System.Text.Json.Nodes;
using PerfLab.Launching.Processes;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>What a launch was counted to do, as far as this machine grants it.</summary>
public sealed class LaunchCountersTests : IAsyncDisposable
{
    private readonly ScriptFixture scripts = new();

    public ValueTask DisposeAsync() => scripts.DisposeAsync();

    [Fact]
    public async Task what_is_granted_is_counted_for_the_launch_and_all_that_it_starts()
    {
        var granted = ((string)LaunchCounters.Describe()["granted"]!).Split(' ', StringSplitOptions.RemoveEmptyEntries);
        Assert.SkipWhen(granted.Length == 0, "this machine grants no counters");
        var idle = (await scripts.Run("sleep 0.3")).Evidence["counters"]!.AsObject();
        var busy = (await scripts.Run("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done & wait; true")).Evidence["counters"]!.AsObject();

        busy.Select(counter => counter.Key).ShouldBe(granted.Where(name => busy.ContainsKey(name)));
        if (granted.Contains("taskClockSeconds", StringComparer.Ordinal))
        {
            idle["taskClockSeconds"]!.GetValue<double>().ShouldBeLessThan(0.2);
            busy["taskClockSeconds"]!.GetValue<double>().ShouldBeGreaterThan(2 * idle["taskClockSeconds"]!.GetValue<double>(), "a child did the work");
        }
    }

    [Fact]
    public void a_machine_that_grants_none_gives_no_counters_and_no_error()
    {
        using var none = LaunchCounters.Open([new Counter("nothing", Type: 99, Config: 0)]);
        var evidence = new JsonObject();
        none.ReadInto(evidence);
        evidence.ShouldBeEmpty();
    }

    [Fact]
    public void every_counter_is_either_granted_or_refused()
    {
        var said = LaunchCounters.Describe();
        $"{said["granted"]} {said["refused"]}".Split(' ', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal)
            .ShouldBe(Counter.All.Select(counter => counter.Name).Order(StringComparer.Ordinal));
    }
}
