using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Runner.Commands;

namespace PerfLab.Workload.Tests.Evidence;

/// <summary>What real runtimes leave, setting by setting.</summary>
public class RealEvidenceTests(Lab lab)
{
    // A bit of the same flags as pgo
    [Theory]
    [InlineData("net10.0", "pgo", "full", "ReadyToRun", "0", "settings event flags 7")]
    [InlineData("net10.0", "tiering", "off", "TieredCompilation", "0", "no settings event in a complete rundown")]
    [NightlyData("net10.0", "quick-jit-for-loops", "off", "TC_QuickJitForLoops", "0", "settings event flags 13")]
    public async Task each_knob_shows_in_what_the_runtime_reports(string release, string knob, string value, string setting, string reported, string by)
    {
        var launch = (await RealCells.RunAsync(lab, Manifest.Of("channel-actors").Folder, release, (knob, value))).Launches.Single();
        launch.Outcome.ShouldBe(Outcome.Measured, launch.Reason);
        var proof = launch.Evidence["proof"]!["settings"]![setting]!;
        (proof["is"]!.GetValue<string>(), proof["by"]!.GetValue<string>(), proof["strength"]!.GetValue<string>()).ShouldBe((reported, by, "direct"));
    }

    [Fact]
    public async Task what_is_left_to_the_runtime_is_what_it_does_by_itself()
    {
        var launch = (await RealCells.RunAsync(lab, Manifest.Of("channel-actors").Folder, "net10.0", ("tiering", "default"), ("pgo", "default"), ("readytorun", "default"), ("gc", "default"))).Launches.Single();
        launch.Outcome.ShouldBe(Outcome.Measured, launch.Reason);
        var settings = launch.Evidence["proof"]!["settings"]!;
        foreach (var (setting, value) in new[] { ("TieredCompilation", "1"), ("TieredPGO", "1"), ("ReadyToRun", "1"), ("gcServer", "0") })
        {
            settings[setting]!["planned"].ShouldBeNull();
            (settings[setting]!["is"]!.GetValue<string>(), settings[setting]!["strength"]!.GetValue<string>()).ShouldBe((value, "direct"), setting);
        }
    }

    [Fact]
    public async Task the_defaults_of_a_runtime_are_read_from_it()
    {
        Nightly.Only("25 seconds");
        Assert.SkipWhen(System.Environment.ProcessorCount < 2, "server GC needs two processors");
        using StringWriter output = new(), error = new();
        var terminal = new Terminal { Out = output, Error = error, Root = Lab.Root, WorkingFolder = Lab.Root, MachineLock = Path.Combine(lab.NewFolder(), "machine.lock") };
        var code = await CommandLine.InvokeAsync(["list", "knobs", "--runtime", "net10.0", "--executor", "process", "--json"], terminal, TestContext.Current.CancellationToken);
        code.ShouldBe(0, error.ToString());
        var rows = JsonNode.Parse(output.ToString())!["knobs"]!.AsArray().ToDictionary(row => row!["knob"]!.GetValue<string>(), row => row!.AsObject().Single(pair => pair.Key.StartsWith("net10.0.", StringComparison.Ordinal)).Value!.GetValue<string>());
        rows.Remove("osr"); // only where a loop was replaced
        rows.ShouldBe(new Dictionary<string, string> { ["tiering"] = "on", ["pgo"] = "on", ["readytorun"] = "on", ["quick-jit-for-loops"] = "on", ["gc"] = "workstation", ["datas"] = "on" }, ignoreOrder: true);
    }

    [Fact]
    public async Task server_gc_gets_a_proof_launch_with_gc_events_and_its_heaps_are_counted()
    {
        Nightly.Only("20 seconds");
        Assert.SkipWhen(System.Environment.ProcessorCount < 2, "server GC needs two processors");
        var launch = (await RealCells.RunAsync(lab, Manifest.Of("json-round-trip").Folder, "net10.0", ("gc", "server"), ("datas", "on"))).Launches.Single();
        launch.Outcome.ShouldBe(Outcome.Measured, launch.Reason);
        var proof = launch.Evidence["proof"]!;
        proof["settings"]!["gcServer"]!["is"]!.GetValue<string>().ShouldBe("1");
        proof["settings"]!["GCDynamicAdaptationMode"]!["by"]!.GetValue<string>().ShouldStartWith("GC event SizeAdaptation");
        proof["proofLaunch"]!["collections"]!.GetValue<int>().ShouldBeGreaterThan(0);
        launch.Evidence["gcConfiguration"]!["HeapCount"]!.GetValue<string>().ShouldBe("2");
    }

    [Fact]
    public async Task on_netcoreapp31_a_proof_launch_shows_the_tiers_and_the_rest_is_called_indirect()
    {
        Nightly.Only("15 seconds");
        var launch = (await RealCells.RunAsync(lab, Manifest.Of("channel-actors").Folder, "netcoreapp3.1")).Launches.Single();
        launch.Outcome.ShouldBe(Outcome.Measured, launch.Reason);
        var proof = launch.Evidence["proof"]!;
        proof["settings"]!["TieredCompilation"]!["by"]!.GetValue<string>().ShouldEndWith("in the proof launch in tiers");
        proof["settings"]!["TieredPGO"]!["strength"]!.GetValue<string>().ShouldBe("direct");
        proof["indirect"]!.AsArray().Select(setting => setting!.GetValue<string>()).ShouldBe(["TC_QuickJitForLoops"]);
    }
}
