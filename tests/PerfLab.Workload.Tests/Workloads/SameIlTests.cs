using PerfLab.Building;

namespace PerfLab.Workload.Tests.Workloads;

public class SameIlTests(Lab lab)
{
    [Theory]
    [InlineData("channel-actors", "net8.0", "net10.0")]
    [InlineData("channel-actors", "net8.0", "net11.0")]
    [InlineData("channel-actors", "netcoreapp3.1", "net10.0")]
    [InlineData("http-loopback", "netcoreapp3.1", "net10.0")]
    public async Task one_il_runs_on_several_runtimes_and_has_one_identity(string workload, string target, string newest)
    {
        Nightly.Only("40 seconds");
        var manifest = Manifest.Of(workload);
        var identities = new List<(string Build, string? Il)>();
        foreach (var release in new[] { "net8.0", newest })
        {
            var recipe = Lab.Recipe(manifest, "net8.0") with { TargetFramework = target, RuntimePatch = lab.PatchHere(release) };
            var build = await lab.BuiltAsync(recipe);
            ResultShape.ShouldFit(await ShortLaunch.RunAsync(build, manifest.Command), manifest);
            identities.Add((build.Identity, IlIdentity.Of(build.Folder)));
        }

        identities[0].Il.ShouldNotBeNull().ShouldBe(identities[1].Il);
        identities[0].Build.ShouldNotBe(identities[1].Build);
    }

    [Theory]
    [NightlyData("net10.0", "net8.0")]
    [NightlyData("net8.0", "netcoreapp3.1")]
    public async Task another_target_framework_is_another_il(string release, string target)
    {
        var manifest = Manifest.Of("channel-actors");
        var old = await lab.BuiltAsync(Lab.Recipe(manifest, release) with { TargetFramework = target });
        var today = await lab.BuiltAsync(Lab.Recipe(manifest, release));
        IlIdentity.Of(old.Folder).ShouldNotBe(IlIdentity.Of(today.Folder));
        IlIdentity.Assemblies(today.Folder).Keys.ShouldBe(["ChannelActors.dll", "PerfLab.WorkloadKit.dll"]);
    }

    [Fact]
    public async Task dotnet_core_3_1_reads_the_old_prefix_and_no_other()
    {
        Nightly.Only("20 seconds");
        var manifest = Manifest.Of("channel-actors");
        var recipe = Lab.Recipe(manifest, "netcoreapp3.1");
        var unavailable = (await lab.Builder.BuildAsync(recipe, CancellationToken.None)).Unavailable;
        Assert.SkipWhen(unavailable is not null, unavailable ?? "");
        var build = await lab.BuiltAsync(recipe);
        foreach (var (variable, isServer) in new[] { ("COMPlus_gcServer", true), ("DOTNET_gcServer", false) })
        {
            var launch = await ShortLaunch.RunAsync(build, manifest.Command, (variable, "1"));
            ((bool)launch.Result!["evidence"]!["gcServer"]!).ShouldBe(isServer && System.Environment.ProcessorCount > 1, variable);
        }
    }
}
