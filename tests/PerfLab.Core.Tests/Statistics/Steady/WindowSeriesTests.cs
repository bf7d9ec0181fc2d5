using System.Text.Json.Nodes;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Tests.Statistics.Steady;

/// <summary>Evidence is what a workload says: anything may be in it.</summary>
public sealed class WindowSeriesTests
{
    [Fact]
    public void what_the_kit_writes_is_read()
    {
        var series = Read("""{"warmUpSeconds":0.1,"ends":[0.1,0.2,0.31],"rates":[0,2.5e7,3e7],"compiled":[40,2,0]}""");
        series.ShouldNotBeNull();
        series.Seconds.ShouldBe(0.31);
        series.Start(2).ShouldBe(0.2);
        series.Compiled.ShouldBe([40, 2, 0]);
    }

    [Fact]
    public void the_warm_up_is_what_ended_before_measuring_began()
    {
        var warmUp = Read("""{"warmUpSeconds":0.2,"ends":[0.1,0.2,0.31],"rates":[0,2.5e7,3e7],"compiled":[40,2,0]}""")!.UntilMeasured();
        warmUp.Ends.ShouldBe([0.1, 0.2]);
        warmUp.Rates.ShouldBe([0, 2.5e7]);
        warmUp.Compiled.ShouldBe([40, 2]);
        warmUp.Seconds.ShouldBe(0.2);
    }

    [Fact]
    public void a_runtime_that_can_not_tell_what_it_compiled_leaves_it_out() =>
        Read("""{"warmUpSeconds":0,"ends":[0.1],"rates":[1]}""")!.Compiled.ShouldBeEmpty();

    [Theory]
    [InlineData("7")]
    [InlineData("[]")]
    [InlineData("""{"warmUpSeconds":0,"ends":[],"rates":[]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0.1,0.2],"rates":[1]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0.2,0.1],"rates":[1,1]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0,0.1],"rates":[1,1]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0.1,1e300],"rates":[1,1]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0.1],"rates":[-1]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0.1],"rates":["1"]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0.1],"rates":[null]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0.1],"rates":[[1]]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0.1],"rates":[1e308]}""")]
    [InlineData("""{"warmUpSeconds":9,"ends":[0.1],"rates":[1]}""")]
    [InlineData("""{"warmUpSeconds":-1,"ends":[0.1],"rates":[1]}""")]
    [InlineData("""{"warmUpSeconds":"0","ends":[0.1],"rates":[1]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0.1],"rates":[1],"compiled":[1,2]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0.1],"rates":[1],"compiled":[1e20]}""")]
    [InlineData("""{"warmUpSeconds":0,"ends":[0.1],"rates":[1],"compiled":{}}""")]
    [InlineData("""{"ends":[0.1],"rates":[1]}""")]
    public void what_can_not_be_true_is_no_series(string windows) => Read(windows).ShouldBeNull();

    [Fact]
    public void more_windows_than_any_kit_writes_are_not_looked_at()
    {
        string Windows(int count) => $$"""{"warmUpSeconds":0,"ends":[{{string.Join(',', Enumerable.Range(1, count))}}],"rates":[{{string.Join(',', Enumerable.Range(1, count))}}]}""";
        Read(Windows(WindowSeries.Most)).ShouldNotBeNull();
        Read(Windows(WindowSeries.Most + 1)).ShouldBeNull();
    }

    private static WindowSeries? Read(string windows) => WindowSeries.From(new JsonObject { ["windows"] = JsonNode.Parse(windows) });
}
