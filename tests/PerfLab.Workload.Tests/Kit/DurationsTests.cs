using PerfLab.WorkloadKit;

namespace PerfLab.Workload.Tests.Kit;

public class DurationsTests
{
    [Theory]
    [InlineData("0.5", 500)]
    [InlineData("2", 2000)]
    [InlineData("2s", 2000)]
    [InlineData("0.25s", 250)]
    [InlineData("500ms", 500)]
    [InlineData("0", 0)]
    public void seconds_are_read_with_and_without_their_unit(string text, int milliseconds) =>
        Durations.Parse("PERF_LAB_MEASURE", text).ShouldBe(TimeSpan.FromMilliseconds(milliseconds));

    [Theory]
    [InlineData("2m")]
    [InlineData("-1")]
    [InlineData("1,5")]
    [InlineData("")]
    [InlineData("s")]
    [InlineData("NaN")]
    [InlineData("1e3")]
    [InlineData("3601")]
    [InlineData("9999999999999999999999s")]
    public void anything_else_is_refused_by_name(string text) =>
        Should.Throw<RefusedException>(() => Durations.Parse("PERF_LAB_MEASURE", text)).Message.ShouldStartWith($"PERF_LAB_MEASURE is '{text}'");
}
