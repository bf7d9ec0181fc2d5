using System.IO.Compression;
using PerfLab.Building;
using PerfLab.Building.Runtimes;
using PerfLab.Building.Tools;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Workload.Tests.Building;

/// <summary>A package source that lacks what is needed, or has previews of it only: NuGet's own words, from the SDK that is here.</summary>
public sealed class MissingDependencyTests(Lab lab)
{
    private const string Upper = "PerfLab.Fixtures.Upper", Lower = "PerfLab.Fixtures.Lower";

    private readonly string _feed = lab.NewFolder();

    // Versions of its own a run: NuGet keeps what it has unpacked once.
    private readonly string _run = $"{DateTime.UtcNow.Ticks % 1_000_000_000}";

    [Theory]
    [InlineData("9.0.0", "9.0.0")]
    [NightlyData("[1.0.0]", "1.0.0")]
    public async Task what_is_missing_is_named_with_who_needs_it_and_which_versions_there_are(string range, string version)
    {
        Pack(Upper, V("1"), $"<dependency id=\"{Lower}\" version=\"{range}\" />");
        Pack(Lower, "1.1.0");
        Pack(Lower, "1.2.0");
        (await BuildAsync()).Unavailable.ShouldNotBeNull().ShouldStartWith(
            $"package {Lower} {version}, which {Upper} {V("1")} needs, is not available here: no package source has it "
            + $"(nearest: {(version == "9.0.0" ? "1.2.0" : "1.1.0")}; there is: 1.2.0, 1.1.0). "
            + "Name another version of what needs it, add a folder");
    }

    [Fact]
    public async Task what_is_there_as_a_preview_only_is_named_as_one()
    {
        Nightly.Only("10 seconds");
        Pack(Upper, V("1"), $"<dependency id=\"{Lower}\" version=\"1.0.0\" />");
        Pack(Lower, "1.0.0-beta1");
        (await BuildAsync()).Unavailable.ShouldNotBeNull().ShouldContain(
            $"{Lower} 1.0.0, which {Upper} {V("1")} needs, is not available here: no package source has it "
            + "(nearest: 1.0.0-beta1; there is: 1.0.0-beta1)");
    }

    [Fact]
    public void a_source_says_which_previews_it_has_where_it_has_nothing_else()
    {
        Pack(Lower, "1.0.0-beta1");
        var store = lab.NewFolder();
        // The only source: nobody far away is waited for.
        File.WriteAllText(Path.Combine(store, "nuget.config"),
            $"<configuration><packageSources><clear /><add key=\"feed\" value=\"{_feed}\" /></packageSources></configuration>\n");
        new RuntimeCatalog(store, new DotnetCli()) { Packages = store }.VersionsOf(Lower).ShouldBe(["1.0.0-beta1"]);
    }

    [Fact]
    public async Task the_next_version_that_NuGet_takes_is_noted_with_who_wanted_another()
    {
        Nightly.Only("15 seconds");
        Pack(Upper, V("1"), $"<dependency id=\"{Lower}\" version=\"{V("1")}\" />");
        Pack(Lower, V("2"));
        var result = await BuildAsync();
        result.Build.ShouldNotBeNull(result.Failure ?? result.Unavailable);
        result.Notes.ShouldHaveSingleItem()
            .ShouldBe($"package {Lower} {V("2")} was taken, because no package source has the {V("1")} that {Upper} {V("1")} needs");
        foreach (var (id, version) in new[] { (Upper, V("1")), (Lower, V("2")) })
        {
            Directory.Delete(Path.Combine(PackageFolder.Global(), id.ToLowerInvariant(), version), recursive: true);
        }
    }

    private string V(string major) => $"{major}.0.{_run}";

    private Task<BuildResult> BuildAsync()
    {
        var folder = Path.Combine(lab.NewFolder(), "app");
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, "App.csproj"), $"""
            <Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>
            <TargetFramework>net10.0</TargetFramework><NuGetAudit>false</NuGetAudit></PropertyGroup>
            <ItemGroup><PackageReference Include="{Upper}" Version="[{V("1")}]" /></ItemGroup></Project>
            """);
        File.WriteAllText(Path.Combine(folder, "Program.cs"), "System.Console.WriteLine();\n");
        var builder = new Builder(lab.NewFolder(), lab.Dotnet)
        {
            KitProject = Lab.Kit,
            VersionsThereAre = (id, feeds) => new RuntimeCatalog(lab.NewFolder(), new DotnetCli()) { Feeds = feeds }.VersionsOf(id),
        };
        return builder.BuildAsync(
            new BuildRecipe
            {
                Workload = "app",
                Folder = folder,
                Kind = BuildKind.Dotnet,
                Project = "App.csproj",
                TargetFramework = "net10.0",
                RuntimePatch = Lab.PatchOf("net10.0"),
                Feeds = [_feed],
            },
            TestContext.Current.CancellationToken);
    }

    /// <summary>A package is a zip file with a .nuspec: https://learn.microsoft.com/nuget/reference/nuspec</summary>
    private void Pack(string id, string version, string dependencies = "")
    {
        using var zip = ZipFile.Open(Path.Combine(_feed, $"{id}.{version}.nupkg"), ZipArchiveMode.Create);
        using var nuspec = new StreamWriter(zip.CreateEntry($"{id}.nuspec").Open());
        nuspec.Write($"""
            <?xml version="1.0"?><package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd"><metadata>
            <id>{id}</id><version>{version}</version><authors>a</authors><description>d</description>
            <dependencies><group targetFramework="net8.0">{dependencies}</group></dependencies></metadata></package>
            """);
    }
}
