using PerfLab.Building;
using PerfLab.Building.Tools;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Workload.Tests.Building;

/// <summary>What only the real SDK can prove: the same bits anywhere, packages from a folder, libraries from a checkout.</summary>
public class RealBuildTests(Lab lab)
{
    [Fact]
    public async Task publishes_in_different_folders_give_one_identity()
    {
        Nightly.Only("a minute");
        var near = Path.Combine(lab.NewFolder(), "library-user");
        var far = Path.Combine(lab.NewFolder(), "a,b=c d", "deeper", "library-user");
        var identities = new List<string>();
        // As the lab builds, and with the compiler that builds of other tests were made with.
        var nearBuilder = new Builder(lab.NewFolder(), new DotnetCli()) { KitProject = Lab.Kit };
        var farBuilder = lab.NewBuilder(Guid.NewGuid().ToString("n"));
        foreach (var (builder, folder, library) in new[]
        {
            (nearBuilder, near, Path.Combine(lab.NewFolder(), "lib")),
            (farBuilder, far, Path.Combine(lab.NewFolder(), "another-folder", "lib")),
        })
        {
            Lab.CopyFolder(Lab.Fixture("library-user"), folder);
            Lab.CopyFolder(Lab.Fixture("small-library-v1"), library);
            var result = await builder.BuildAsync(FromSource(library) with { Folder = folder }, CancellationToken.None);
            identities.Add(result.Build.ShouldNotBeNull(result.Failure ?? result.Unavailable).Identity);
            Directory.GetFileSystemEntries(folder).Length.ShouldBe(3, "nothing is written beside the sources");
            File.Exists(Path.Combine(library, "packages.lock.json")).ShouldBeFalse();
        }

        identities[0].ShouldBe(identities[1]);
    }

    [Fact]
    public async Task a_library_is_built_from_the_checkout_that_source_names_with_its_own_settings()
    {
        Nightly.Only("a minute");
        var steps = new List<double>();
        foreach (var version in new[] { "small-library-v1", "small-library-v2" })
        {
            var build = (await lab.Builder.BuildAsync(FromSource(Lab.Fixture(version)), CancellationToken.None)) is var result
                ? result.Build.ShouldNotBeNull(result.Failure ?? result.Unavailable) : null!;
            var launch = await ShortLaunch.RunAsync(build, User.Command);
            ResultShape.ShouldFit(launch, User);
            steps.Add((double)launch.Result!["metrics"]!["steps"]!["value"]!);
            var library = launch.Result["evidence"]!["assemblies"]!.AsArray().Single(assembly => (string?)assembly!["name"] == "SmallLibrary");
            ((string?)library!["version"]).ShouldBe("1.2.3");
        }

        steps.ShouldBe([4096, 8192]);
    }

    [Fact]
    public async Task packages_of_a_private_source_come_from_a_feed_folder()
    {
        Nightly.Only("40 seconds");
        // A version of its own a run: NuGet keeps what it has unpacked once.
        var version = $"1.0.0-t{DateTime.UtcNow.Ticks}";
        var recipe = Recipe(("PerfLabFramework", "small-library"), ("SmallLibraryVersion", version));
        var without = await lab.Builder.BuildAsync(recipe, CancellationToken.None);
        without.Unavailable.ShouldNotBeNull().ShouldContain("PerfLab.Fixtures.SmallLibrary");

        var feed = lab.NewFolder();
        await PackAsync(version, feed);
        try
        {
            var with = await lab.Builder.BuildAsync(recipe with { Feeds = [lab.NewFolder(), feed] }, CancellationToken.None);
            var launch = await ShortLaunch.RunAsync(with.Build.ShouldNotBeNull(with.Failure ?? with.Unavailable), User.Command);
            ResultShape.ShouldFit(launch, User);
        }
        finally
        {
            Directory.Delete(Path.Combine(PackageFolder.Global(), "perflab.fixtures.smalllibrary", version), recursive: true);
        }
    }

    [Theory]
    [InlineData("net8.0", "8.0.1")]
    [NightlyData("net6.0", "6.0.36")]
    public async Task a_runtime_that_no_source_has_is_unavailable_by_patch_and_says_how_to_see_what_there_is(string release, string patch)
    {
        Assert.SkipWhen(PackageFolder.Holds(PackageFolder.Global(), "Microsoft.NETCore.App.Runtime.linux-x64", patch), $"this machine can get {patch}");
        var recipe = FromSource(Lab.Fixture("small-library-v1")) with { TargetFramework = release, RuntimePatch = patch };
        var result = await lab.Builder.BuildAsync(recipe, CancellationToken.None);
        Assert.SkipWhen(result.Build is not null, $"this machine can get {patch}");
        result.Unavailable.ShouldNotBeNull(result.Failure).ShouldContain($"runtime {patch} is not available here");
        result.Unavailable!.ShouldContain("list runtimes");
    }

    [Fact]
    public async Task a_program_that_does_not_compile_fails_with_its_first_errors_and_the_log()
    {
        var folder = Path.Combine(lab.NewFolder(), "library-user");
        Lab.CopyFolder(Lab.Fixture("library-user"), folder);
        await File.WriteAllTextAsync(Path.Combine(folder, "Broken.cs"), "class Broken { int x = \"text\"; }");
        var result = await lab.Builder.BuildAsync(FromSource(Lab.Fixture("small-library-v1")) with { Folder = folder }, CancellationToken.None);
        result.Failure.ShouldNotBeNull().ShouldContain("Broken.cs(1,");
        result.Failure!.ShouldContain("CS0029");
        File.Exists(result.Failure.Split("The whole log: ")[1]).ShouldBeTrue();
    }

    private static Manifest User { get; } = Manifest.In(Lab.Fixture("library-user"));

    private static BuildRecipe Recipe(params (string Name, string Value)[] properties) => Lab.Recipe(User, "net10.0", properties);

    private static BuildRecipe FromSource(string library) =>
        Recipe(("PerfLabFramework", "small-library"), ("SmallLibraryVersion", "1.2.3"), ("SmallLibrarySource", library)) with { Source = library };

    private async Task PackAsync(string version, string feed)
    {
        var library = lab.NewFolder();
        Lab.CopyFolder(Lab.Fixture("small-library-v1"), library);
        var pack = await new DotnetCli().RunAsync(
            ["pack", Path.Combine(library, "SmallLibrary.csproj"), "-o", feed, $"-p:SmallLibraryVersion={version}", "-p:UseSharedCompilation=false", "-nodeReuse:false", "-m:1"], library, CancellationToken.None);
        pack.ExitCode.ShouldBe(0, pack.Output);
    }
}
