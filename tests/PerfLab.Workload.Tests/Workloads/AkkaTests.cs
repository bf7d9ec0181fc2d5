using System.Text.Json.Nodes;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Workload.Tests.Workloads;

/// <summary>
/// The Akka.NET workloads. Where no package source has Akka.NET they must be unavailable by name; their code is compiled and launched all the
/// same, against the stand-in of the fixtures. Where a source has it, the real one is launched.
/// </summary>
public class AkkaTests(Lab lab)
{
    private const string StandIn = "0.0.0-stand-in";

    private static readonly string[] Workloads = ["akka-ping-pong", "akka-remote-ping-pong", "akka-remote-two-processes"];

    public static TheoryData<string> All() => [.. Workloads];

    public static TheoryData<string, string> Modes() => [.. Workloads.SelectMany(workload => new[] { (workload, "steady"), (workload, "faithful") })];

    // The remote ones share their code: the oldest target shows whether it compiles, and the newest is launched by every other test.
    public static TheoryData<string, string> Runtimes() => [.. Manifest.Of("akka-ping-pong").Runtimes.Select(release => ("akka-ping-pong", release)),
        ("akka-remote-ping-pong", "netcoreapp3.1"), ("akka-remote-two-processes", "netcoreapp3.1")];

    [Theory]
    [MemberData(nameof(All))]
    public async Task the_newest_and_the_lowest_version_run_or_are_unavailable_by_the_name_of_the_package(string workload)
    {
        var manifest = Manifest.Of(workload);
        foreach (var version in new[] { lab.NewestOf(workload, "akka"), (string)((Dictionary<object, object>)manifest.Map("frameworks")["akka"])["from"] })
        {
            var result = await lab.Builder.BuildAsync(Lab.Recipe(manifest, "net10.0", ("PerfLabFramework", "akka"), ("AkkaVersion", version)), CancellationToken.None);
            result.Failure.ShouldBeNull(version);
            if (result.Build is null)
            {
                result.Unavailable.ShouldNotBeNull().ShouldSatisfyAllConditions(
                    text => text.ShouldStartWith("package Akka"),
                    text => text.ShouldContain("--feed"),
                    text => text.ShouldContain("source="));
                if (!result.Unavailable!.Contains("nearest:", StringComparison.Ordinal))
                {
                    return; // No source has any version: asking for the others would say the same.
                }

                continue;
            }

            var launch = await ShortLaunch.RunAsync(result.Build, manifest.Command);
            ResultShape.ShouldFit(launch, manifest);
            ((string)Akka(launch)["version"]!).Split('+')[0].ShouldBe(version);
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task both_modes_answer_and_tell_which_build_of_akka_was_loaded(string workload, string mode)
    {
        var manifest = Manifest.Of(workload);
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(FromSource(manifest, "net10.0")), manifest.Command, ("PERF_LAB_MODE", mode), Repeat(workload));
        ResultShape.ShouldFit(launch, manifest, mode);
        ((string?)Akka(launch)["version"]).ShouldBe(StandIn);
        ((string?)Akka(launch)["targetFramework"]).ShouldBe(".NETStandard,Version=v2.0");
    }

    [Theory]
    [MemberData(nameof(Runtimes))]
    public async Task it_builds_and_answers_on_every_runtime_that_it_claims_and_that_can_be_had(string workload, string release)
    {
        var manifest = Manifest.Of(workload);
        manifest.Runtimes.ShouldContain(release);
        var result = await lab.Builder.BuildAsync(FromSource(manifest, release), CancellationToken.None);
        result.Failure.ShouldBeNull();
        if (result.Build is null)
        {
            result.Unavailable.ShouldNotBeNull().ShouldStartWith($"runtime {Lab.PatchOf(release)} is not available here");
            return;
        }

        var launch = await ShortLaunch.RunAsync(result.Build, manifest.Command);
        ResultShape.ShouldFit(launch, manifest);
        ((string)launch.Result!["evidence"]!["framework"]!).ShouldEndWith(" " + Lab.PatchOf(release));
    }

    [Theory]
    [InlineData("akka-ping-pong", "client", "async")]
    [InlineData("akka-ping-pong", "pear-count", "1")]
    [InlineData("akka-remote-ping-pong", "clients", "0")]
    [InlineData("akka-remote-two-processes", "pear-count", "1")]
    public async Task a_wrong_parameter_is_refused_by_name_before_anything_is_measured(string workload, string name, string value)
    {
        var manifest = Manifest.Of(workload);
        var parameter = "PERF_LAB_PARAM_" + name.ToUpperInvariant().Replace('-', '_');
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(FromSource(manifest, "net10.0")), manifest.Command, (parameter, value), ("PERF_LAB_WARM_UP", "30"));
        launch.ExitCode.ShouldBe(2);
        launch.Result.ShouldBeNull();
        launch.Errors.ShouldContain(name);
    }

    [Theory]
    [InlineData("actor-base")]
    [InlineData("receive-actor")]
    public async Task either_kind_of_client_plays(string client)
    {
        var manifest = Manifest.Of("akka-ping-pong");
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(FromSource(manifest, "net10.0")), manifest.Command,
            ("PERF_LAB_PARAM_CLIENT", client), ("PERF_LAB_PARAM_PAIRS", "1"), ("PERF_LAB_PARAM_IN_FLIGHT", "1"), ("PERF_LAB_PARAM_THROUGHPUT", "1"));
        ResultShape.ShouldFit(launch, manifest);
    }

    [Fact]
    public async Task the_other_process_runs_the_same_runtime_and_the_same_garbage_collector()
    {
        var manifest = Manifest.Of("akka-remote-two-processes");
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(FromSource(manifest, "net10.0")), manifest.Command, ("DOTNET_gcServer", "1"));
        ResultShape.ShouldFit(launch, manifest);
        var evidence = launch.Result!["evidence"]!;
        ((string)evidence["echoSide"]!).ShouldBe(
            $"another process, {(string?)evidence["framework"]}, server GC {(bool)evidence["gcServer"]!}, {Environment.ProcessorCount} processors");
    }

    private static JsonNode Akka(LaunchOutcome launch) =>
        launch.Result!["evidence"]!["assemblies"]!.AsArray().Single(assembly => (string?)assembly!["name"] == "Akka")!;

    private static BuildRecipe FromSource(Manifest manifest, string release)
    {
        var source = Lab.Fixture("akka-stand-in");
        return Lab.Recipe(manifest, release, ("PerfLabFramework", "akka"), ("AkkaVersion", "1.5.30"), ("AkkaSource", source)) with { Source = source };
    }

    // Small sweeps: 42 cells in memory, 106 clients over connections.
    private static (string Name, string Value) Repeat(string workload) => ("PERF_LAB_PARAM_REPEAT", workload == "akka-ping-pong" ? "100000" : "100");
}
