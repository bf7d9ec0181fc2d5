using PerfLab.Machine.Hygiene;

namespace PerfLab.Runner.Tests.Machine;

public sealed class SelfTestTests
{
    [Fact]
    public void the_figures_are_those_of_the_repeats()
    {
        var clocks = new FakeClocks();
        var times = new Queue<double>([9, 1.0, 1.1, 1.2, 1.0, 2.0]);

        var result = SelfTest.Run(clocks, repeats: 5, () => clocks.Pass(TimeSpan.FromSeconds(times.Dequeue())));

        result.Seconds.ShouldBe([1.0, 1.1, 1.2, 1.0, 2.0], "the first does not count");
        result.MedianSeconds.ShouldBe(1.1);
        result.Spread.ShouldBe(1.4826 * 0.1 / 1.1, 1e-9);
        result.Worst.ShouldBe(1.0, 1e-9);
    }

    [Fact]
    public void every_kind_of_work_takes_time_on_a_real_clock() => SelfTest.RunAll(TimeProvider.System, repeats: 3).Parts.ShouldAllBe(part => part.Result.MedianSeconds > 0);

    [Fact]
    public void the_arithmetic_is_really_done() => Arithmetic.Once().ShouldBe(7652700173344428266ul, "12 million steps of xorshift64 (13, 7, 17), computed elsewhere");

    [Fact]
    public void a_clock_that_stands_still_gives_no_division_by_zero()
    {
        var result = SelfTest.Run(new FakeClocks(), repeats: 3, () => { });

        (result.Spread, result.Worst).ShouldBe((0, 0));
    }
}
