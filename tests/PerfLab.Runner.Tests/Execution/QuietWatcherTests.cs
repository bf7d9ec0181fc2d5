using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Watching;
using PerfLab.Runner.Tests.Machine;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>What is watched all the time while blocks run: pauses of the machine, maintenance that Azure announces.</summary>
public sealed class QuietWatcherTests : IDisposable
{
    private const string Freeze = "Freeze, Scheduled, not before Mon, 19 Sep 2016 18:29:47 GMT";
    private readonly FakeMachine machine = new();
    private readonly FakeClocks clocks = new();
    private readonly TickGaps pauses;
    private readonly SeenEvents events = new();
    private Verdict? verdict;

    public QuietWatcherTests() => pauses = new TickGaps(clocks);

    public void Dispose() => machine.Dispose();

    [Theory]
    [InlineData(HygienePolicy.Azure)]
    [InlineData(HygienePolicy.Metal)]
    public async Task a_pause_strikes_its_block_and_no_other(HygienePolicy policy)
    {
        var samples = await RunAsync(policy, number => Tick(number == 3 ? 51 : 50));

        samples.Voids.Count.ShouldBe((int)(BlockWatch.Length.TotalSeconds / 40), "rounds of 40 s make a block, and the pause came in one");
        samples.Voids.ShouldAllBe(voided => voided.Reason.StartsWith("block up to launch ") && voided.Reason.EndsWith("the machine stood still for 51 ms (paused by its host, or starved)"));
        var longest = Closed(samples).Select(check => check["longestPauseSeconds"]!.GetValue<double>()).ToList();
        longest[0].ShouldBe(0.051, 1e-9);
        longest.Skip(1).ShouldAllBe(seconds => seconds <= 0.0501);
    }

    [Fact]
    public async Task elsewhere_than_in_a_lab_a_pause_is_a_warning()
    {
        var samples = await RunAsync(HygienePolicy.Any, number => Tick(number == 3 ? 800 : 25));

        samples.Voids.ShouldBeEmpty();
        samples.MachineChecks.Count(check => check["warnings"] is not null && check["warnings"]!.ToJsonString().Contains("stood still for 800 ms")).ShouldBe(1);
    }

    [Fact]
    public async Task maintenance_that_is_announced_ends_and_strikes_the_block_and_its_end_is_waited_for()
    {
        clocks.Waiting = () =>
        {
            pauses.Tick();
            _ = pauses.TakeLongest();
            events.Saw(clocks.Monotonic > TimeSpan.FromHours(5.2) ? [] : [Freeze]);
        };
        var samples = await RunAsync(HygienePolicy.Azure, number => events.Saw(number == 3 ? [Freeze] : []));

        samples.Voids.Count.ShouldBe(2, "the rounds up to the announcement");
        samples.Voids.ShouldAllBe(voided => voided.Reason.EndsWith($"Azure announced maintenance of this machine: {Freeze}"));
        samples.MachineChecks.Select(check => check["scheduledEvents"]?.GetValue<string>()).OfType<string>().Distinct().ShouldBe([Freeze, "none"]);
        clocks.Monotonic.ShouldBeGreaterThan(TimeSpan.FromHours(5.2));
    }

    [Fact]
    public async Task maintenance_that_never_ends_is_waited_for_20_minutes_and_gives_no_verdict()
    {
        var begun = clocks.Monotonic;
        var samples = await RunAsync(HygienePolicy.Azure, _ => events.Saw([Freeze]));

        samples.Launches.Count.ShouldBe(13 * 2 * 4, "a round is tried once and repeated three times");
        samples.MachineChecks.ShouldContain(check => check.ToJsonString().Contains("was not over after 20 minutes"));
        (clocks.Monotonic - begun - (samples.Launches.Count * TimeSpan.FromSeconds(20))).ShouldBe(BlockReadings.MostWait, "a machine that waits is billed: once a session");
        verdict.ShouldBe(Verdict.TooNoisy);
    }

    [Fact]
    public async Task nobody_who_can_say_is_unknown_and_said_once()
    {
        var samples = await RunAsync(HygienePolicy.Azure, _ => events.Saw(null));

        samples.Voids.ShouldBeEmpty();
        var closed = Closed(samples);
        closed.Count.ShouldBeGreaterThan(2);
        closed.ShouldAllBe(check => check["scheduledEvents"]!.GetValue<string>() == "unknown");
        closed.Count(check => check["warnings"] is not null).ShouldBe(1);
    }

    private async Task<SampleSet> RunAsync(HygienePolicy policy, Action<int> during)
    {
        using var session = new SessionFixture((0, 13))
        {
            Files = machine.Files,
            Clock = clocks,
            Policy = policy,
            SelfTest = () => FakeFigures.Of(),
            Pauses = pauses,
            Events = policy == HygienePolicy.Azure ? events : null,
        };
        session.Launcher.Script = (number, launch) =>
        {
            for (var passed = 0; passed < 20_000; passed += 50)
            {
                Tick(50);
            }

            during(number);
            return new(100 * (1 + SessionFixture.Slower(launch)));
        };
        var samples = await session.RunAsync();
        verdict = session.Compare().Cells.Single().Verdict;
        return samples;
    }

    private void Tick(int milliseconds)
    {
        clocks.Pass(TimeSpan.FromMilliseconds(milliseconds));
        pauses.Tick();
    }

    private static List<JsonObject> Closed(SampleSet samples) => [.. samples.MachineChecks.Where(check => check["launches"] is not null)];
}
