using PerfLab.Building;

namespace PerfLab.Workload.Tests.Workloads;

/// <summary>The two workloads on virtual actors, in one process; several nodes are launches of the executors.</summary>
public class VirtualActorTests(Lab lab)
{
    private static readonly string[] Workloads = ["virtual-actor-messaging", "virtual-actor-activation"];

    public static TheoryData<string, string, string> Launches()
    {
        var releases = Nightly.IsAsked ? ["net8.0", "net9.0", "net10.0"] : new[] { "net10.0" };
        var workloads = Nightly.IsAsked ? Workloads : Workloads[..1]; // of the same code; each takes a build
        return [.. workloads.SelectMany(workload => releases.SelectMany(release => new[] { "steady", "faithful" }.Select(mode => (workload, release, mode))))];
    }

    [Theory]
    [MemberData(nameof(Launches))]
    public async Task actors_answer_and_every_metric_of_the_mode_is_reported(string workload, string release, string mode)
    {
        var manifest = Manifest.Of(workload);
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, release));
        var launch = await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_MODE", mode), ("PERF_LAB_MEASURE", "1"));
        ResultShape.ShouldFit(launch, manifest, mode);
        ((string?)launch.Result!["evidence"]!["placement"]).ShouldNotBeNull().ShouldStartWith("here ");
    }

    /// <summary>200 ms of each second nothing answers: a fifth of what is due waits, but hardly any of what a closed loop gets to send.</summary>
    [Fact]
    public async Task a_stall_is_seen_by_the_open_loop_and_missed_by_the_closed_one()
    {
        var manifest = Manifest.Of("virtual-actor-messaging");
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0"));
        var open = await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_MEASURE", "2"), ("PERF_LAB_PARAM_STALL", "200"), ("PERF_LAB_PARAM_RATE", "300"));
        var closed = await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_MEASURE", "2"), ("PERF_LAB_PARAM_STALL", "200"), ("PERF_LAB_MODE", "faithful"));

        Share(open, "open-latency", 0.1).ShouldBeGreaterThan(0.05, "of the messages that were due in a stall, half wait 100 ms and more");
        Share(closed, "latency", 0.1).ShouldBeLessThan(Share(open, "open-latency", 0.1));
    }

    [Theory]
    [InlineData("dapr")]
    [NightlyData("dapr-sdk")]
    public async Task dapr_without_its_programs_is_unavailable_by_their_names_and_how_to_get_them(string framework)
    {
        var result = await lab.Builder.BuildAsync(Dapr(framework, "virtual-actor-messaging", lab.NewFolder()), CancellationToken.None);
        result.Failure.ShouldBeNull();
        result.Unavailable.ShouldNotBeNull().ShouldSatisfyAllConditions(
            text => text.ShouldStartWith("daprd not provisioned"),
            text => text.ShouldContain("dapr init --slim"),
            text => text.ShouldContain("source=DIR"));
    }

    [Theory]
    [InlineData("dapr")]
    [NightlyData("dapr-sdk")]
    public async Task dapr_runs_with_its_programs(string framework)
    {
        Assert.SkipUnless(Nightly.IsAsked, "unpacks and starts daprd: with --all only");
        var kit = Path.Combine(Lab.Root, "..", "shared", "dapr");
        Assert.SkipUnless(Directory.Exists(kit), "the kit with daprd and placement is not beside the checkout (../shared/dapr)");
        var folder = lab.NewFolder();
        foreach (var program in new[] { "daprd", "placement" })
        {
            using var unpacking = System.Diagnostics.Process.Start("sh",
                ["-c", $"xz -dkc '{kit}'/{program}-*-linux-amd64.xz > '{folder}/{program}' && chmod +x '{folder}/{program}'"]);
            await unpacking.WaitForExitAsync(TestContext.Current.CancellationToken);
            unpacking.ExitCode.ShouldBe(0);
        }

        foreach (var workload in Workloads)
        {
            var manifest = Manifest.Of(workload);
            var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Dapr(framework, workload, folder)), manifest.Command, ("PERF_LAB_MODE", "faithful"),
                ("PERF_LAB_MEASURE", "2"), (workload.EndsWith("activation", StringComparison.Ordinal) ? "PERF_LAB_PARAM_ACTIVATIONS" : "PERF_LAB_PARAM_CLIENTS", "300"));
            ResultShape.ShouldFit(launch, manifest, "faithful");
        }

        var messaging = Manifest.Of("virtual-actor-messaging");
        await ShouldMeetAsync(await lab.BuiltAsync(Dapr(framework, "virtual-actor-messaging", folder)), messaging);
    }

    /// <summary>As in a cluster, where nothing listens on a loopback that all share.</summary>
    [Fact]
    public async Task nodes_with_addresses_of_their_own_meet()
    {
        var manifest = Manifest.Of("virtual-actor-messaging");
        await ShouldMeetAsync(await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0")), manifest);
    }

    [Theory]
    [InlineData("virtual-actor-messaging")]
    [NightlyData("virtual-actor-activation")]
    public async Task a_wrong_parameter_is_refused_by_name(string workload)
    {
        var manifest = Manifest.Of(workload);
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0")), manifest.Command, ("PERF_LAB_PARAM_CLIENTS", "2"));
        launch.ExitCode.ShouldBe(2);
        launch.Errors.ShouldContain("'clients' is '2'");
    }

    [Theory]
    [InlineData("sut-0", "sut-0=127.0.0.1", "PERF_LAB_NODES has 'sut-0=127.0.0.1'")]
    [InlineData("sut-1", "sut-0=127.0.0.1:21000", "PERF_LAB_NODE is 'sut-1'")]
    public async Task a_node_that_is_told_nonsense_refuses(string node, string nodes, string expected)
    {
        var manifest = Manifest.Of("virtual-actor-messaging");
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0")), manifest.Command,
            ("PERF_LAB_NODE", node), ("PERF_LAB_NODES", nodes));
        launch.ExitCode.ShouldBe(2);
        launch.Errors.ShouldContain(expected);
    }

    private static async Task ShouldMeetAsync(Build build, Manifest manifest)
    {
        const string Nodes = "sut-0=127.0.0.2:10000 client-0=127.0.0.3:10000";
        var launches = await Task.WhenAll(new[] { "sut-0", "client-0" }.Select(node => ShortLaunch.RunAsync(build, manifest.Command,
            ("PERF_LAB_NODE", node), ("PERF_LAB_NODES", Nodes), ("PERF_LAB_MODE", "faithful"), ("PERF_LAB_MEASURE", "1"))));
        launches.ShouldAllBe(launch => launch.ExitCode == 0, string.Join('\n', launches.Select(launch => launch.Errors)));
        ((string?)launches[1].Result!["evidence"]!["placement"]).ShouldBe("sut-0 30");
    }

    private static PerfLab.Core.Planning.Plans.BuildRecipe Dapr(string framework, string workload, string folder) =>
        Lab.Recipe(Manifest.Of(workload), "net10.0", ("PerfLabFramework", framework), ("DaprFolder", folder)) with { Source = folder };

    private static double Share(LaunchOutcome launch, string histogram, double seconds)
    {
        launch.ExitCode.ShouldBe(0, launch.Errors);
        var counts = launch.Result!["histograms"]![histogram]!["counts"]!.AsArray().Select(pair => (Place: (long)pair![0]!, Count: (long)pair[1]!)).ToList();
        return counts.Where(bucket => bucket.Place >= seconds * 1e9).Sum(bucket => bucket.Count) / (double)counts.Sum(bucket => bucket.Count);
    }
}
