namespace PerfLab.Workload.Tests.Workloads;

/// <summary>Virtual actors on the frameworks, in one process, where the client is a program of its own to them all the same.</summary>
public class VirtualActorFrameworkTests(Lab lab)
{
    public static TheoryData<string, string, string> Cells() => [.. new[] { "virtual-actor-messaging", "virtual-actor-activation" }
        .SelectMany(workload => new[] { (workload, "orleans", "OrleansVersion"), (workload, "proto-actor", "ProtoVersion"), (workload, "akka-sharding", "AkkaVersion") })];

    [Theory]
    [MemberData(nameof(Cells))]
    public async Task a_framework_runs_in_both_modes(string workload, string framework, string property)
    {
        Nightly.Only("20 seconds to a minute");
        var manifest = Manifest.Of(workload);
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0", ("PerfLabFramework", framework), (property, lab.NewestOf(workload, framework))));
        foreach (var mode in new[] { "steady", "faithful" })
        {
            // Long enough that 300 clients agree with Little's law; a cold framework needs more of a warm-up than the floor.
            var launch = await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_MODE", mode), ("PERF_LAB_WARM_UP", "2"), ("PERF_LAB_MEASURE", "2"),
                workload.EndsWith("activation", StringComparison.Ordinal) ? ("PERF_LAB_PARAM_ACTIVATIONS", "3000") : ("PERF_LAB_PARAM_CLIENTS", "100"));
            ResultShape.ShouldFit(launch, manifest, mode);
            ((string?)launch.Result!["evidence"]!["placement"]).ShouldNotBeNull().ShouldStartWith("here ");
        }
    }
}
