namespace PerfLab.Workload.Tests.Workloads;

/// <summary>
/// Virtual actors on frameworks that the package source may lack: unavailable by name then. PERF_LAB_TEST_FEED names a folder that has them;
/// with it they are launched, in one process, where the client is a program of its own to them all the same.
/// </summary>
public class VirtualActorFrameworkTests(Lab lab)
{
    private static readonly string? Feed = Environment.GetEnvironmentVariable("PERF_LAB_TEST_FEED");

    [Theory]
    [InlineData("orleans", "OrleansVersion", "Microsoft.Orleans.")]
    [InlineData("proto-actor", "ProtoVersion", "Proto.Cluster")]
    [InlineData("akka-sharding", "AkkaVersion", "Akka.Cluster.Sharding")]
    public async Task a_framework_runs_or_is_unavailable_by_the_name_of_its_package(string framework, string property, string package)
    {
        // Both workloads compile the same files of a framework: without packages one of them says it all.
        foreach (var workload in Feed is null ? ["virtual-actor-messaging"] : new[] { "virtual-actor-messaging", "virtual-actor-activation" })
        {
            var manifest = Manifest.Of(workload);
            var version = lab.NewestOf(workload, framework);
            var recipe = Lab.Recipe(manifest, "net10.0", ("PerfLabFramework", framework), (property, version)) with { Feeds = Feed is null ? [] : [Feed] };
            var result = await lab.Builder.BuildAsync(recipe, CancellationToken.None);
            result.Failure.ShouldBeNull();
            if (result.Build is null)
            {
                result.Unavailable.ShouldNotBeNull().ShouldSatisfyAllConditions(text => text.ShouldStartWith($"package {package}"), text => text.ShouldContain("--feed"));
                continue;
            }

            foreach (var mode in new[] { "steady", "faithful" })
            {
                // Long enough that 300 clients agree with Little's law; a cold framework needs more of a warm-up than the floor.
                var launch = await ShortLaunch.RunAsync(result.Build, manifest.Command, ("PERF_LAB_MODE", mode), ("PERF_LAB_WARM_UP", "2"), ("PERF_LAB_MEASURE", "2"),
                    workload.EndsWith("activation", StringComparison.Ordinal) ? ("PERF_LAB_PARAM_ACTIVATIONS", "3000") : ("PERF_LAB_PARAM_CLIENTS", "100"));
                ResultShape.ShouldFit(launch, manifest, mode);
                ((string?)launch.Result!["evidence"]!["placement"]).ShouldNotBeNull().ShouldStartWith("here ");
            }
        }
    }
}
