using System.Text.Json;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Launching;
using PerfLab.Launching.Docker;

namespace PerfLab.Engine.Tests.Docker.Launching;

public sealed class ContainerSpecTests
{
    private static readonly JsonSerializerOptions Readable = new() { WriteIndented = true };
    private static readonly LaunchSpec Launch = new()
    {
        Session = "s1",
        Build = new Build("sha256:b", "/builds/b", NeedsShell: false),
        Command = ["./App", "--fast", "a b"],
        Environment = [new("PERF_LAB_NONCE", "n"), new("DOTNET_TieredPGO", "0"), new("HOME", "/tmp")],
        Resources = new Resources(Cpus: 2, MemoryBytes: 2L << 30, Pids: 512),
        Timeout = TimeSpan.FromMinutes(1),
    };

    private static readonly ContainerPlace Place = new("sha256:i", "2-3", new("v0", ("keeper", "/out0"), "/store/out/0"), "/store/out/hosts", "m/b/n/1/2/x", "/perf-lab/c");

    [Fact]
    public void A_launch_becomes_a_sealed_container()
    {
        var golden = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "fixtures", "container.json"));
        ContainerSpec.From(Launch, Place).ToJsonString(Readable).ShouldBe(golden.TrimEnd());
    }

    [Fact]
    public void Arms_differ_in_nothing_but_image_and_compared_values()
    {
        var head = Launch with { Environment = [new("PERF_LAB_NONCE", "n"), new("DOTNET_TieredPGO", "1"), new("HOME", "/tmp")] };
        var baseText = ContainerSpec.From(Launch, Place).ToJsonString();
        var headText = ContainerSpec.From(head, Place with { Image = "sha256:j" }).ToJsonString();
        headText.ShouldBe(baseText.Replace("sha256:i", "sha256:j", StringComparison.Ordinal)
            .Replace("DOTNET_TieredPGO=0", "DOTNET_TieredPGO=1", StringComparison.Ordinal));
    }

    [Fact]
    public void Settings_of_the_runtime_that_an_image_brings_are_taken_away_and_nothing_else_is()
    {
        var place = Place with
        {
            ImageEnvironment = ["PATH=/usr/bin", "DOTNET_GCHeapCount=2", "COMPlus_TieredCompilation=0", "DOTNET_TieredPGO=1", "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=true", "DOTNET_ROOT=/opt", "APP=1"],
        };
        ContainerSpec.From(Launch, place)["Env"]!.AsArray().Select(item => (string?)item).Where(text => !text!.Contains('=', StringComparison.Ordinal))
            .ShouldBe(["DOTNET_GCHeapCount", "COMPlus_TieredCompilation"]);
        var withoutKnobs = Launch with { Environment = [new("PERF_LAB_NONCE", "n")] };
        ContainerSpec.From(withoutKnobs, place)["Env"]!.AsArray().ShouldAllBe(item => ((string)item!).Contains('=', StringComparison.Ordinal));
    }

    [Fact]
    public void The_seal_of_both_arms_is_the_same_and_another_cage_has_another()
    {
        var head = Launch with { Command = ["./Other", "--slow", "c"], Environment = [new("PERF_LAB_NONCE", "m"), new("DOTNET_TieredPGO", "1"), new("HOME", "/tmp")] };
        var seal = ContainerSeal.Of(ContainerSpec.From(Launch, Place));
        ContainerSeal.Of(ContainerSpec.From(head, Place with { Image = "sha256:j", Out = new("v1", ("keeper", "/out1"), "/store/out/1"), CgroupParent = "/perf-lab/d" })).ShouldBe(seal);
        LaunchSpec[] others =
        [
            Launch with { Resources = Launch.Resources with { Pids = 7 } },
            Launch with { Command = ["./App"] },
            Launch with { Environment = [.. Launch.Environment, new("EXTRA", "1")] },
            Launch with { Environment = [.. Launch.Environment.Reverse()] },
        ];
        others.ShouldAllBe(other => ContainerSeal.Of(ContainerSpec.From(other, Place)) != seal);
        // What an arm may ask for is compared by itself.
        var smaller = Launch with { Resources = Launch.Resources with { MemoryBytes = 1L << 30 } };
        ContainerSeal.Of(ContainerSpec.From(smaller, Place with { Cpus = "0-1" })).ShouldBe(seal);
        ContainerSeal.Of(ContainerSpec.From(Launch, Place with { ImageEnvironment = ["DOTNET_GCHeapCount=2"] })).ShouldBe(seal);
    }

    [Fact]
    public void Without_a_cgroup_of_ours_the_engine_chooses_the_parent()
    {
        ContainerSpec.From(Launch, Place with { CgroupParent = null })["HostConfig"]!.AsObject().ContainsKey("CgroupParent").ShouldBeFalse();
    }
}
