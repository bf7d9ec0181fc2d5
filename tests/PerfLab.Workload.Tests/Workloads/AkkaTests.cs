using PerfLab.Core.Planning.Plans;

namespace PerfLab.Workload.Tests.Workloads;

/// <summary>The Akka.NET workloads on the newest Akka.NET that the package sources have; a checkout of it is played by the stand-in of the fixtures.</summary>
public class AkkaTests(Lab lab)
{
    private static readonly string[] Workloads = ["akka-ping-pong", "akka-remote-ping-pong", "akka-remote-two-processes"];

    public static TheoryData<string> All() => [.. Workloads];

    // The remote ones share their code; each takes a build.
    public static TheoryData<string, string> Modes() => Nightly.IsAsked
        ? [.. Workloads.SelectMany(workload => new[] { (workload, "steady"), (workload, "faithful") })]
        : [("akka-ping-pong", "steady"), ("akka-ping-pong", "faithful")];

    // The remote ones share their code: the oldest target shows whether it compiles, and the newest is launched by every other test.
    public static TheoryData<string, string> Runtimes() =>
    [
        .. Manifest.Of("akka-ping-pong").Runtimes.Select(release => ("akka-ping-pong", release)),
        ("akka-remote-ping-pong", "netcoreapp3.1"), ("akka-remote-two-processes", "netcoreapp3.1"),
    ];

    [Theory]
    [MemberData(nameof(All))]
    public async Task the_lowest_version_that_can_be_had_runs(string workload)
    {
        Nightly.Only("15 seconds");
        var manifest = Manifest.Of(workload);
        var lowest = lab.LowestOf(workload, "akka");
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Akka(manifest, "net10.0", lowest)), manifest.Command);
        ResultShape.ShouldFit(launch, manifest);
        Loaded(launch).ShouldBe(lowest);
    }

    /// <summary>`source=`: the checkout's own projects are built, whatever version is named.</summary>
    [Theory]
    [InlineData("akka-ping-pong")]
    [InlineData("akka-remote-ping-pong")]
    public async Task a_checkout_of_akka_is_built_and_loaded(string workload)
    {
        Nightly.Only("15 seconds");
        var manifest = Manifest.Of(workload);
        var source = Lab.Fixture("akka-stand-in");
        var recipe = Lab.Recipe(manifest, "net10.0", ("PerfLabFramework", "akka"), ("AkkaVersion", "1.5.30"), ("AkkaSource", source)) with { Source = source };
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(recipe), manifest.Command);
        ResultShape.ShouldFit(launch, manifest);
        Loaded(launch).ShouldBe("0.0.0-stand-in");
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task both_modes_answer_and_tell_which_akka_was_loaded(string workload, string mode)
    {
        var manifest = Manifest.Of(workload);
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Akka(manifest, "net10.0")), manifest.Command, ("PERF_LAB_MODE", mode), Repeat(workload));
        ResultShape.ShouldFit(launch, manifest, mode);
        Loaded(launch).ShouldBe(lab.NewestOf(workload, "akka"));
    }

    [Theory]
    [MemberData(nameof(Runtimes))]
    public async Task it_builds_and_answers_on_every_runtime_that_it_claims_and_that_can_be_had(string workload, string release)
    {
        Nightly.Only("15 seconds");
        var manifest = Manifest.Of(workload);
        manifest.Runtimes.ShouldContain(release);
        var result = await lab.Builder.BuildAsync(Akka(manifest, release), CancellationToken.None);
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
    [NightlyData("akka-remote-ping-pong", "clients", "0")]
    [NightlyData("akka-remote-two-processes", "pear-count", "1")]
    public async Task a_wrong_parameter_is_refused_by_name_before_anything_is_measured(string workload, string name, string value)
    {
        var manifest = Manifest.Of(workload);
        var parameter = "PERF_LAB_PARAM_" + name.ToUpperInvariant().Replace('-', '_');
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Akka(manifest, "net10.0")), manifest.Command, (parameter, value), ("PERF_LAB_WARM_UP", "30"));
        launch.ExitCode.ShouldBe(2);
        launch.Result.ShouldBeNull();
        launch.Errors.ShouldContain(name);
    }

    // It is the other one that is launched where nothing is said
    [Theory]
    [NightlyData("actor-base")]
    [InlineData("receive-actor")]
    public async Task either_kind_of_client_plays(string client)
    {
        var manifest = Manifest.Of("akka-ping-pong");
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Akka(manifest, "net10.0")), manifest.Command,
            ("PERF_LAB_PARAM_CLIENT", client), ("PERF_LAB_PARAM_PAIRS", "1"), ("PERF_LAB_PARAM_IN_FLIGHT", "1"), ("PERF_LAB_PARAM_THROUGHPUT", "1"));
        ResultShape.ShouldFit(launch, manifest);
    }

    [Fact]
    public async Task the_other_process_runs_the_same_runtime_and_the_same_garbage_collector()
    {
        Nightly.Only("25 seconds");
        var manifest = Manifest.Of("akka-remote-two-processes");
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Akka(manifest, "net10.0")), manifest.Command, ("DOTNET_gcServer", "1"));
        ResultShape.ShouldFit(launch, manifest);
        var evidence = launch.Result!["evidence"]!;
        ((string)evidence["echoSide"]!).ShouldBe(
            $"another process, {(string?)evidence["framework"]}, server GC {(bool)evidence["gcServer"]!}, {Environment.ProcessorCount} processors");
    }

    /// <summary>The version of the Akka.dll that the launch says it loaded.</summary>
    private static string Loaded(LaunchOutcome launch) =>
        ((string)launch.Result!["evidence"]!["assemblies"]!.AsArray().Single(assembly => (string?)assembly!["name"] == "Akka")!["version"]!).Split('+')[0];

    private BuildRecipe Akka(Manifest manifest, string release, string? version = null) =>
        Lab.Recipe(manifest, release, ("PerfLabFramework", "akka"), ("AkkaVersion", version ?? lab.NewestOf(manifest.Name, "akka")));

    // Small sweeps: 42 cells in memory, 106 clients over connections.
    private static (string Name, string Value) Repeat(string workload) => ("PERF_LAB_PARAM_REPEAT", workload == "akka-ping-pong" ? "100000" : "100");
}
