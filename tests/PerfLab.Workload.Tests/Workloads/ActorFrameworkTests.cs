using PerfLab.Core.Planning.Plans;

namespace PerfLab.Workload.Tests.Workloads;

/// <summary>
/// actor-sweep and actor-instrumentation beyond their bare form: both modes, every way to instrument, and the frameworks, in the newest
/// version that the package sources have. A checkout of one is played by the stand-in of the fixtures.
/// </summary>
public class ActorFrameworkTests(Lab lab)
{
    private static readonly Dictionary<string, string> Versions = new() { ["akka"] = "AkkaVersion", ["proto"] = "ProtoVersion", ["orleans"] = "OrleansVersion" };

    [Theory]
    [NightlyData("akka", "net8.0")]
    [NightlyData("akka", "net10.0")]
    [NightlyData("proto", "net8.0")]
    [NightlyData("proto", "net10.0")]
    public async Task a_framework_sweeps_in_both_modes(string framework, string release)
    {
        var manifest = Manifest.Of("actor-sweep");
        var build = await lab.BuiltAsync(On(manifest, release, framework));
        // More pairs than threads: some may wait for as long as the launch lasts, and must settle all the same.
        var steady = await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_PARAM_ACTORS", "24"));
        ResultShape.ShouldFit(steady, manifest);
        ((string)steady.Result!["evidence"]!["pairsThatMoved"]!).ShouldEndWith(" of 12");
        var faithful = await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_MODE", "faithful"), ("PERF_LAB_PARAM_REPEAT", "100000"));
        ResultShape.ShouldFit(faithful, manifest, "faithful");
    }

    [Fact]
    public async Task the_faithful_sweep_ends_after_four_cells_that_are_no_better()
    {
        var manifest = Manifest.Of("actor-sweep");
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0"));
        var launch = await ShortLaunch.RunAsync(build, manifest.Command,
            ("PERF_LAB_MODE", "faithful"), ("PERF_LAB_PARAM_REPEAT", "100000"));
        ResultShape.ShouldFit(launch, manifest, "faithful");
        double[] cells = [.. launch.Result!["windows"]!["peak"]!.AsArray().Select(rate => (double)rate!)];
        var best = Array.IndexOf(cells, cells.Max());
        Value(launch, "peak").ShouldBe(cells[best]);
        Value(launch, "two-actors").ShouldBe(cells[0]);
        ((string?)launch.Result["evidence"]!["actorsAtPeak"]).ShouldBe((2 * (best + 1)).ToString());
        ((string)launch.Result["evidence"]!["cells"]!).Split(' ').Length.ShouldBe(cells.Length);
        (cells.Length == 19 ? best >= 14 : cells.Length == best + 5).ShouldBeTrue($"best was {best + 1} of {cells.Length}");
    }

    [Theory]
    [InlineData("actor-sweep", "actors", "5")]
    [InlineData("actor-instrumentation", "messages", "3001")]
    [InlineData("actor-instrumentation", "reader", "phobos")]
    public async Task a_value_that_makes_no_sense_is_refused_by_name(string workload, string name, string value)
    {
        var manifest = Manifest.Of(workload);
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0")), manifest.Command,
            ("PERF_LAB_PARAM_" + name.ToUpperInvariant(), value), ("PERF_LAB_WARM_UP", "30"));
        launch.ExitCode.ShouldBe(2);
        launch.Result.ShouldBeNull();
        launch.Errors.ShouldContain($"'{name}' is '{value}'");
    }

    // The reader itself holds what it saw against what was handled, so a launch that ends with 0 saw everything.
    // The readers are the same with each framework, and the bare form has them all.
    [Theory]
    [InlineData("bare", "metrics", "opentelemetry", "all", "formatted")]
    [InlineData("bare", "tracing", "opentelemetry", "all", "formatted")]
    [NightlyData("bare", "both", "opentelemetry", "all", "cached")]
    [InlineData("bare", "both", "opentelemetry", "none", "formatted")]
    [InlineData("bare", "both", "listener", "all", "formatted")]
    [NightlyData("bare", "tracing", "listener", "none", "formatted")]
    [NightlyData("bare", "both", "none", "all", "formatted")]
    [NightlyData("akka", "off", "opentelemetry", "all", "formatted")]
    [NightlyData("akka", "both", "opentelemetry", "all", "formatted")]
    [NightlyData("akka", "both", "listener", "none", "cached")]
    [NightlyData("proto", "off", "opentelemetry", "all", "formatted")]
    [NightlyData("proto", "both", "opentelemetry", "all", "formatted")]
    [NightlyData("proto", "both", "listener", "all", "formatted")]
    [NightlyData("orleans", "off", "opentelemetry", "all", "formatted")]
    [NightlyData("orleans", "both", "opentelemetry", "all", "formatted")]
    [NightlyData("orleans", "both", "listener", "all", "formatted")]
    [NightlyData("orleans", "both", "none", "all", "formatted")]
    public async Task every_way_to_instrument_sees_every_message(string framework, string instrumentation, string reader, string sampling, string names)
    {
        var manifest = Manifest.Of("actor-instrumentation");
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(On(manifest, "net10.0", framework)), manifest.Command,
            ("PERF_LAB_PARAM_INSTRUMENTATION", instrumentation), ("PERF_LAB_PARAM_READER", reader),
            ("PERF_LAB_PARAM_SAMPLING", sampling), ("PERF_LAB_PARAM_NAMES", names));
        ResultShape.ShouldFit(launch, manifest);
        long.TryParse((string?)launch.Result!["evidence"]!["heapGrowthBytes"], out _).ShouldBeTrue();
        // A number in an object of its own is 24 bytes in every third message; a span is far more than that, in every message.
        var spans = instrumentation is "tracing" or "both" && reader != "none" && sampling == "all";
        // A call of Orleans has an answer, too: 220 bytes by itself, 385 with meters that nobody reads.
        Value(launch, "allocated").ShouldBeInRange(spans ? 200 : 8, spans ? 5000 : framework == "orleans" ? 600 : 200);
    }

    [Fact]
    public async Task the_old_protocol_reports_13_runs_and_the_old_figures()
    {
        var manifest = Manifest.Of("actor-instrumentation");
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0")), manifest.Command,
            ("PERF_LAB_MODE", "faithful"), ("PERF_LAB_PARAM_INSTRUMENTATION", "both"), ("PERF_LAB_PARAM_MESSAGES", "3000"));
        ResultShape.ShouldFit(launch, manifest, "faithful");
        launch.Result!["windows"]!["mean-throughput"]!.AsArray().Count.ShouldBe(13);
        foreach (var figure in new[] { "heapGrowthBytes", "gen0", "gen1", "gen2" })
        {
            double.TryParse((string?)launch.Result["evidence"]![figure], out _).ShouldBeTrue(figure);
        }
    }

    /// <summary>`source=`: the checkout's own projects are built.</summary>
    [Fact]
    public async Task a_checkout_of_a_framework_is_built_and_loaded()
    {
        Nightly.Only("20 seconds");
        var manifest = Manifest.Of("actor-instrumentation");
        var source = Lab.Fixture("proto-stand-in");
        var recipe = Lab.Recipe(manifest, "net10.0", ("PerfLabFramework", "proto"), ("ProtoVersion", "0.0.0"), ("ProtoSource", source)) with { Source = source };
        ResultShape.ShouldFit(await ShortLaunch.RunAsync(await lab.BuiltAsync(recipe), manifest.Command, ("PERF_LAB_PARAM_INSTRUMENTATION", "both")), manifest);
    }

    [Fact]
    public async Task what_a_framework_does_not_offer_is_refused()
    {
        Nightly.Only("20 seconds");
        var manifest = Manifest.Of("actor-instrumentation");
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(On(manifest, "net10.0", "proto")), manifest.Command, ("PERF_LAB_PARAM_NAMES", "cached"));
        launch.ExitCode.ShouldBe(2);
        launch.Errors.ShouldContain("'names' is 'cached'");
    }

    private static double Value(LaunchOutcome launch, string metric) => (double)launch.Result!["metrics"]![metric]!["value"]!;

    private BuildRecipe On(Manifest manifest, string release, string framework) => framework == "bare"
        ? Lab.Recipe(manifest, release)
        : Lab.Recipe(manifest, release, ("PerfLabFramework", framework), (Versions[framework], lab.NewestOf(manifest.Name, framework)));
}
