namespace PerfLab.Workload.Tests.Workloads;

public class RealLaunchTests(Lab lab)
{
    // The others are out of support for years, and not every package source still has them.
    private static readonly string[] MustBeThere = ["net8.0", "net9.0", "net10.0"];

    /// <summary>Every workload but those that have tests of their own: whoever is named here is launched.</summary>
    private static readonly string[] Here =
    [
        "channel-actors", "calibrated-spin", "json-round-trip", "http-loopback", "thread-pool-hop", "script", "actor-sweep",
        "actor-instrumentation",
    ];

    public static TheoryData<string> Names => [.. Here];

    public static TheoryData<string, string> Cells()
    {
        var cells = new TheoryData<string, string>();
        // Built for no runtime, and launched by a test of its own.
        // What is built for bare actors is built by the tests of frameworks too.
        foreach (var workload in Here.Where(name => name != "script" && (Nightly.IsAsked || !name.StartsWith("actor-", StringComparison.Ordinal))))
        {
            string[] ordinary = workload == "channel-actors" ? ["netcoreapp3.1", "net8.0", "net10.0"] : ["net10.0"];
            foreach (var release in Nightly.IsAsked ? Manifest.Of(workload).Runtimes : ordinary)
            {
                cells.Add(workload, release);
            }
        }

        return cells;
    }

    [Theory]
    [MemberData(nameof(Cells))]
    public async Task a_workload_builds_and_answers_on_every_runtime_that_it_claims(string workload, string release)
    {
        var manifest = Manifest.Of(workload);
        var recipe = Lab.Recipe(manifest, release);
        if (!MustBeThere.Contains(release))
        {
            var unavailable = (await lab.Builder.BuildAsync(recipe, CancellationToken.None)).Unavailable;
            Assert.SkipWhen(unavailable is not null, unavailable ?? "");
        }

        var build = await lab.BuiltAsync(recipe);
        var launch = await ShortLaunch.RunAsync(build, manifest.Command, ("DOTNET_EnableDiagnostics", "0"));
        ResultShape.ShouldFit(launch, manifest);
        ((string?)launch.Result!["evidence"]!["framework"]).ShouldBe((release.StartsWith("netcoreapp", StringComparison.Ordinal) ? ".NET Core " : ".NET ") + Lab.PatchOf(release));
    }

    [Fact]
    public async Task a_program_for_net8_alone_runs_on_net11()
    {
        Assert.SkipUnless(Nightly.IsAsked, "a build for a runtime of its own: test --all");
        var patch = lab.NewestPatchOf("net11.0");
        Assert.SkipWhen(patch is null, "no package source has .NET 11");
        var manifest = Manifest.Of("channel-actors");
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net8.0") with { RuntimePatch = patch });
        var launch = await ShortLaunch.RunAsync(build, manifest.Command);
        ResultShape.ShouldFit(launch, manifest);
        ((string?)launch.Result!["evidence"]!["framework"]).ShouldBe(".NET " + patch);
    }

    [Fact]
    public void every_workload_folder_is_tested()
    {
        var folders = Directory.GetDirectories(Path.Combine(Lab.Root, "workloads")).Where(folder => File.Exists(Path.Combine(folder, "workload.yaml"))).Select(Path.GetFileName);
        string[] inAkkaTests = ["akka-ping-pong", "akka-remote-ping-pong", "akka-remote-two-processes"];
        string[] inVirtualActorTests = ["virtual-actor-messaging", "virtual-actor-activation"];
        folders.ShouldBe([.. Here, .. inAkkaTests, .. inVirtualActorTests], ignoreOrder: true);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task a_wrong_parameter_is_refused_by_name_before_anything_is_measured(string workload)
    {
        var manifest = Manifest.Of(workload);
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0"));
        var launch = await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_PARAM_PEAR_COUNT", "1"), ("PERF_LAB_WARM_UP", "30"));
        launch.ExitCode.ShouldBe(2);
        launch.Result.ShouldBeNull();
        launch.Errors.ToUpperInvariant().Replace('_', '-').ShouldContain("PEAR-COUNT");
    }

    [Fact]
    public async Task a_script_is_measured_as_it_is()
    {
        var manifest = Manifest.Of("script");
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0"));
        build.NeedsShell.ShouldBeTrue();
        ResultShape.ShouldFit(await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_PARAM_LIMIT", "50")), manifest);
    }

    [Fact]
    public async Task http_at_a_fixed_rate_reports_other_metrics_than_the_closed_loop()
    {
        Nightly.Only("15 seconds");
        var manifest = Manifest.Of("http-loopback");
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0"));
        var launch = await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_MODE", "paced"), ("PERF_LAB_PARAM_ENDPOINT", "json"), ("PERF_LAB_PARAM_RATE", "500"));
        ResultShape.ShouldFit(launch, manifest, "paced");
        launch.Result!["histograms"]!["paced-latency"]!["counts"]!.AsArray().ShouldNotBeEmpty();
    }

    [Fact]
    public async Task the_runtime_itself_says_which_garbage_collector_ran()
    {
        var manifest = Manifest.Of("channel-actors");
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0"));
        var launch = await ShortLaunch.RunAsync(build, manifest.Command, ("DOTNET_gcServer", "1"), ("DOTNET_GCHeapCount", "2"));
        var evidence = launch.Result!["evidence"]!;
        // With one CPU the runtime silently takes the workstation GC.
        ((bool)evidence["gcServer"]!).ShouldBe(System.Environment.ProcessorCount > 1);
        ((string?)evidence["gcConfiguration"]!["ServerGC"]).ShouldBe("True");
    }
}
