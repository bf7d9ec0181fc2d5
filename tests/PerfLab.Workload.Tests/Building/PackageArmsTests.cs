using System.IO.Compression;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Workload.Tests.Building;

/// <summary>`package=`: versions of packages that the source here serves, in projects that refer to them in every way there is.</summary>
public sealed class PackageArmsTests(Lab lab)
{
    private const string Direct = """<PackageReference Include="Newtonsoft.Json" Version="13.0.1" />""";

    // It needs Newtonsoft.Json 12.0.1 or later.
    private const string Transitive = """<PackageReference Include="Newtonsoft.Json.Bson" Version="1.0.2" />""";

    [Theory]
    [InlineData("a reference of its own", Direct, null)]
    [InlineData("a package that refers to it", Transitive, null)]
    [InlineData("central package management", """<PackageReference Include="Newtonsoft.Json" />""", "")]
    [InlineData("central package management, overridden", """<PackageReference Include="Newtonsoft.Json" VersionOverride="13.0.3" />""", "")]
    [InlineData("central package management, a transitive pin", """<PackageReference Include="Newtonsoft.Json.Bson" />""",
        "<CentralPackageTransitivePinningEnabled>true</CentralPackageTransitivePinningEnabled>")]
    public async Task the_version_that_an_arm_names_is_what_its_program_holds(string how, string reference, string? central)
    {
        if (how is not "a reference of its own")
        {
            Nightly.Only("20 seconds");
        }

        var folder = Project(reference);
        if (central is not null)
        {
            Write(folder, "Directory.Packages.props", $"""
                <Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally>{central}</PropertyGroup>
                <ItemGroup><PackageVersion Include="Newtonsoft.Json" Version="13.0.1" /><PackageVersion Include="Newtonsoft.Json.Bson" Version="1.0.2" /></ItemGroup></Project>
                """);
        }

        // An older one than the project asks for, so that nothing but the arm can have brought it; then a newer one.
        foreach (var version in Nightly.IsAsked ? ["12.0.3", "13.0.3"] : new[] { "12.0.3" })
        {
            var result = await BuildAsync(folder, $"Newtonsoft.Json@{version}");
            var build = result.Build.ShouldNotBeNull($"{how}: {result.Failure ?? result.Unavailable}");
            var assembly = PublishedPackages.Assemblies(build.Folder, ["./App"], PackageChoice.Of($"newtonsoft.json@{version}")).ShouldHaveSingleItem();
            (assembly.Name, assembly.Version).ShouldBe(("Newtonsoft.Json", version), how);
            assembly.Says.ShouldStartWith(version + "+");
        }
    }

    [Fact]
    public async Task a_checkout_is_compared_with_a_release_by_replacing_the_reference_to_its_project()
    {
        var folder = Project("""<ProjectReference Include="../lib/Newtonsoft.Json.Bson.csproj" />""");
        Write(folder, "../lib/Newtonsoft.Json.Bson.csproj",
            """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>""");
        var released = await BuildAsync(folder, "Newtonsoft.Json.Bson@1.0.2");

        var build = released.Build.ShouldNotBeNull(released.Failure);
        PublishedPackages.Assemblies(build.Folder, ["./App"], PackageChoice.Of("Newtonsoft.Json.Bson@1.0.2")).ShouldHaveSingleItem().Says.ShouldStartWith("1.0.2+");
        File.Exists(Path.Combine(build.Folder, "Newtonsoft.Json.dll")).ShouldBeTrue();
        // What the checkout does not bring along: the project in the reference's place has no reference at all.
        if (Nightly.IsAsked)
        {
            var own = (await BuildAsync(folder, null)).Build.ShouldNotBeNull();
            File.Exists(Path.Combine(own.Folder, "Newtonsoft.Json.dll")).ShouldBeFalse();
        }
    }

    [Fact]
    public async Task what_NuGet_refuses_is_said_in_its_words_and_in_ours()
    {
        Nightly.Only("15 seconds");
        var downgraded = (await BuildAsync(Project(Transitive), "Newtonsoft.Json@9.0.1")).Failure.ShouldNotBeNull();
        downgraded.ShouldStartWith("NuGet refuses package=Newtonsoft.Json@9.0.1 beside what else app needs. Name another version, or those that go with it, too");
        downgraded.ShouldContain("NU1605");
        downgraded.ShouldContain("Detected package downgrade: Newtonsoft.Json from 12.0.1 to 9.0.1");

        var missing = (await BuildAsync(Project(Direct), "Newtonsoft.Json@99.0.0")).Unavailable.ShouldNotBeNull();
        missing.ShouldStartWith("package Newtonsoft.Json 99.0.0 is not available here: no package source has it (nearest: ");
    }

    [Fact]
    public async Task an_unsigned_package_is_refused_where_the_project_asks_for_a_signature()
    {
        Nightly.Only("10 seconds");
        var folder = Project("""<PackageReference Include="Un.Signed" Version="1.0.0" />""");
        Write(folder, "nuget.config", """
            <configuration><config><add key="signatureValidationMode" value="require" /></config>
            <packageSources><clear /><add key="unsigned" value="../feed" /></packageSources></configuration>
            """);
        Package(Path.Combine(folder, "../feed"), "Un.Signed", "1.1.0");

        var failure = (await BuildAsync(folder, "Un.Signed@1.1.0")).Failure.ShouldNotBeNull();
        failure.ShouldStartWith("NuGet refuses package=Un.Signed@1.1.0 for its signature: the nuget.config of app asks for one. In its own words:");
        failure.ShouldContain("NU3004");
    }

    [Fact]
    public async Task a_package_that_nothing_refers_to_is_named_with_those_that_there_are()
    {
        Nightly.Only("10 seconds");
        var failure = (await BuildAsync(Project(Transitive), "Serilog@4.2.0")).Failure.ShouldNotBeNull();
        failure.ShouldContain("package=Serilog@4.2.0: App is not made of it. No project refers to Serilog, nor does a package that it is made of.");
        failure.ShouldContain("Newtonsoft.Json.Bson");
    }

    private string Project(string references)
    {
        var folder = Path.Combine(lab.NewFolder(), "app");
        Write(folder, "App.csproj", $"""
            <Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><NuGetAudit>false</NuGetAudit>
            </PropertyGroup><ItemGroup>{references}</ItemGroup></Project>
            """);
        Write(folder, "Program.cs", "System.Console.WriteLine();\n");
        return folder;
    }

    private static void Write(string folder, string name, string text)
    {
        var path = Path.GetFullPath(Path.Combine(folder, name));
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }

    /// <summary>A package of nothing, as `dotnet pack` leaves it: nobody signed it.</summary>
    private static void Package(string folder, string id, string version)
    {
        Directory.CreateDirectory(folder);
        using var package = ZipFile.Open(Path.Combine(folder, $"{id}.{version}.nupkg"), ZipArchiveMode.Create);
        using (var about = new StreamWriter(package.CreateEntry($"{id}.nuspec").Open()))
        {
            about.Write("""<package xmlns="http://schemas.microsoft.com/packaging/2010/07/nuspec.xsd"><metadata>""");
            about.Write($"<id>{id}</id><version>{version}</version><authors>a</authors><description>d</description></metadata></package>");
        }

        package.CreateEntry("lib/netstandard2.0/_._");
    }

    private Task<BuildResult> BuildAsync(string folder, string? packages) => lab.Builder.BuildAsync(
        new BuildRecipe
        {
            Workload = "app",
            Folder = folder,
            Kind = BuildKind.Dotnet,
            Project = "App.csproj",
            TargetFramework = "net10.0",
            RuntimePatch = Lab.PatchOf("net10.0"),
            Properties = packages is null ? new Dictionary<string, string>()
                : new Dictionary<string, string>(StringComparer.Ordinal) { [Recipes.PackagesProperty] = packages },
        },
        CancellationToken.None);
}
