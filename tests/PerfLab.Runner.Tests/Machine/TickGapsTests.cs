using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Tests.Machine;

public sealed class TickGapsTests
{
    private readonly FakeClocks clocks = new();
    private readonly TickGaps gaps;

    public TickGapsTests() => gaps = new TickGaps(clocks);

    [Fact]
    public void the_longest_gap_between_two_ticks_is_taken_once()
    {
        Ticks(25, 25, 230, 25);

        gaps.TakeLongest().ShouldBe(TimeSpan.FromMilliseconds(230));
        Ticks(25);
        gaps.TakeLongest().ShouldBe(TimeSpan.FromMilliseconds(25));
    }

    [Fact]
    public void a_gap_that_has_not_ended_counts_as_it_is()
    {
        Ticks(25);
        clocks.Pass(TimeSpan.FromMilliseconds(90));

        gaps.TakeLongest().ShouldBe(TimeSpan.FromMilliseconds(90));
        clocks.Pass(TimeSpan.FromMilliseconds(10));
        gaps.Tick();
        gaps.TakeLongest().ShouldBe(TimeSpan.FromMilliseconds(100), "it is one gap of 100 ms, and belongs to whoever asks next too");
    }

    [Fact]
    public void a_wall_clock_that_is_set_is_no_gap()
    {
        Ticks(25);
        clocks.Wall += TimeSpan.FromHours(1);
        Ticks(25);

        gaps.TakeLongest().ShouldBe(TimeSpan.FromMilliseconds(25));
    }

    [Theory]
    [InlineData(50, null)]
    [InlineData(51, "the machine stood still for 51 ms (paused by its host, or starved)")]
    [InlineData(30_000, "the machine stood still for 30000 ms (paused by its host, or starved)")]
    public void more_than_50_ms_is_a_pause(int milliseconds, string? problem) => SeenMeanwhile.Pause(TimeSpan.FromMilliseconds(milliseconds)).ShouldBe(problem);

    [Fact]
    public void the_thread_ticks_until_it_is_stopped()
    {
        var looked = new CountingClock();
        using (new PauseWatch(looked, cpus: [0]))
        {
            SpinWait.SpinUntil(() => looked.Count > 4, TimeSpan.FromSeconds(30)).ShouldBeTrue();
        }

        var count = looked.Count;
        Thread.Sleep(4 * PauseWatch.Tick);
        looked.Count.ShouldBe(count, "it was waited for");
    }

    private void Ticks(params int[] milliseconds)
    {
        foreach (var gap in milliseconds)
        {
            clocks.Pass(TimeSpan.FromMilliseconds(gap));
            gaps.Tick();
        }
    }

    private sealed class CountingClock : TimeProvider
    {
        private int count;

        public int Count => Volatile.Read(ref count);

        public override long GetTimestamp() => Interlocked.Increment(ref count);
    }
}
