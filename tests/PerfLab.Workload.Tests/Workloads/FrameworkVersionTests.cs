using PerfLab.Building;
using PerfLab.Building.Runtimes;
using PerfLab.Building.Tools;

namespace PerfLab.Workload.Tests.Workloads;

public class FrameworkVersionTests(Lab lab)
{
    [Theory]
    [NightlyData("9.0.1", "net8.0")]
    [InlineData("13.0.4", "net10.0")]
    public async Task the_version_that_was_asked_for_is_the_one_that_ran(string version, string release)
    {
        var manifest = Manifest.Of("json-round-trip");
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, release, ("PerfLabFramework", "newtonsoft"), ("NewtonsoftVersion", version)));
        var launch = await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_PARAM_DOCUMENTS", "50"));
        ResultShape.ShouldFit(launch, manifest);
        var loaded = launch.Result!["evidence"]!["assemblies"]!.AsArray().Single(assembly => (string?)assembly!["name"] == "Newtonsoft.Json");
        ((string)loaded!["version"]!).Split('+')[0].ShouldBe(version);
    }

    [Fact]
    public async Task a_framework_in_the_runtime_brings_no_package_along()
    {
        Nightly.Only("20 seconds");
        var manifest = Manifest.Of("json-round-trip");
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net9.0", ("PerfLabFramework", "stj")));
        File.Exists(Path.Combine(build.Folder, "Newtonsoft.Json.dll")).ShouldBeFalse();
        ResultShape.ShouldFit(await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_PARAM_DOCUMENTS", "50")), manifest);
    }

    [Fact]
    public async Task a_package_version_that_no_source_has_is_unavailable_by_name_with_those_that_there_are()
    {
        Nightly.Only("25 seconds");
        var builder = new Builder(lab.NewFolder(), lab.Dotnet)
        {
            KitProject = Lab.Kit,
            VersionsThereAre = (id, _) => new RuntimeCatalog(lab.NewFolder(), new DotnetCli()).VersionsOf(id),
        };
        var result = await builder.BuildAsync(Lab.Recipe(Manifest.Of("json-round-trip"), "net10.0", ("PerfLabFramework", "newtonsoft"), ("NewtonsoftVersion", "13.0.99")), CancellationToken.None);
        result.Build.ShouldBeNull();
        result.Failure.ShouldBeNull();
        result.Unavailable.ShouldNotBeNull().ShouldSatisfyAllConditions(
            text => text.ShouldContain("Newtonsoft.Json 13.0.99"),
            text => text.ShouldMatch(@"; there is: [^)]*\b13\.0\.4\b"),
            text => text.ShouldContain("--feed"),
            text => text.ShouldContain("source="));
    }
}
