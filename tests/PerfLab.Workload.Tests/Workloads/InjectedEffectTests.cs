using System.Text.Json.Nodes;

namespace PerfLab.Workload.Tests.Workloads;

/// <summary>calibrated-spin is the truth of other tests, so its own effects are checked by counting, not by a clock.</summary>
public class InjectedEffectTests(Lab lab)
{
    [Theory]
    [InlineData("0")]
    [InlineData("0.05")]
    [InlineData("0.013")]
    [InlineData("2")]
    public async Task slower_adds_exactly_its_share_of_arithmetic(string slower)
    {
        var result = await LaunchAsync("spin", slower);
        var iterations = long.Parse((string)result["evidence"]!["iterations"]!);
        // 20 units of work, 10 pieces each, 65,536 iterations a piece; less than one iteration may be left over.
        ((double)iterations).ShouldBe(20 * 10 * 65_536 * (1 + double.Parse(slower)), tolerance: 1);
    }

    [Fact]
    public async Task alloc_adds_exactly_its_share_of_blocks()
    {
        var none = await LaunchAsync("alloc", "0");
        var quarter = await LaunchAsync("alloc", "0.25");
        // 200 pieces with 16 blocks of 1 KiB; a quarter more is 800 blocks of 1,024 bytes and 24 of header.
        (Allocated(quarter) - Allocated(none)).ShouldBe(800 * 1048, tolerance: 4096);
        quarter["evidence"]!["iterations"]!.ToString().ShouldBe(none["evidence"]!["iterations"]!.ToString());
    }

    [Fact]
    public async Task noise_differs_between_launches_of_the_same_arm()
    {
        var launches = new[] { await LaunchAsync("noise", "0.5"), await LaunchAsync("noise", "0.5") };
        launches.Select(launch => (string?)launch["evidence"]!["iterations"]).Distinct(StringComparer.Ordinal).Count().ShouldBe(2);
    }

    [Fact]
    public async Task sleep_adds_no_arithmetic()
    {
        var result = await LaunchAsync("sleep", "1");
        ((string?)result["evidence"]!["iterations"]).ShouldBe((20 * 10 * 65_536).ToString());
    }

    private static double Allocated(JsonObject result) => (double)result["metrics"]!["allocated"]!["value"]!;

    private async Task<JsonObject> LaunchAsync(string effect, string slower)
    {
        var manifest = Manifest.Of("calibrated-spin");
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0"));
        var launch = await ShortLaunch.RunAsync(build, manifest.Command,
            ("PERF_LAB_PARAM_EFFECT", effect), ("PERF_LAB_PARAM_SLOWER", slower), ("PERF_LAB_PARAM_WORK", "20"), ("PERF_LAB_WARM_UP", "0.05"));
        ResultShape.ShouldFit(launch, manifest);
        return launch.Result!;
    }
}
