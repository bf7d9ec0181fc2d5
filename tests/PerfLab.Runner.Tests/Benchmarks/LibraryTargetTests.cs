using PerfLab.Building;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Runner.Tests.Benchmarks;

/// <summary>A project that can hold no benchmark is refused by what MSBuild says of it, before anything is built.</summary>
public sealed class LibraryTargetTests : IDisposable
{
    private const string Package = "<PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" />";

    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Theory]
    [NightlyData("run ./lib/ --aa")]
    [InlineData("run lib/Lib.csproj --base . --head .")]
    [NightlyData("list ./lib/")]
    public async Task the_only_project_of_a_folder_is_a_library(string arguments)
    {
        Write("<ItemGroup><PackageReference Include=\"Newtonsoft.Json\" Version=\"13.0.3\" /></ItemGroup>");
        var (code, _, error) = await _lab.RunAsync(arguments);
        code.ShouldBe(2, error);
        error.ShouldContain("Lib.csproj: is a library without benchmarks: by what MSBuild says, its OutputType is Library, "
            + "and it refers neither to BenchmarkDotNet nor to another project.");
        error.ShouldContain("Name the project that holds the benchmarks, or add a PackageReference to BenchmarkDotNet.");
        error.ShouldNotContain("build 1 of");
        Directory.Exists(Path.Combine(_lab.Root, ".perf-lab", "builds")).ShouldBeFalse();
    }

    [Theory]
    [InlineData($"<ItemGroup>{Package}</ItemGroup>")] // benchmarks of a project without Main, as in a test project
    [NightlyData($"<ItemGroup Condition=\"'$(TargetFramework)' == 'net10.0'\">{Package}</ItemGroup>")]
    [InlineData("<ItemGroup><ProjectReference Include=\"../bench/Bench.csproj\" /></ItemGroup>")] // which may bring it along
    [NightlyData("<ItemGroup><Reference Include=\"BenchmarkDotNet\"><HintPath>../x.dll</HintPath></Reference></ItemGroup>")]
    [NightlyData("<PropertyGroup><OutputType>Exe</OutputType></PropertyGroup>")] // a package of one's own may bring it along
    public async Task one_that_may_hold_benchmarks_is_left_to_the_build(string items)
    {
        var problems = new List<Problem>();
        var workload = await BenchmarkProject.ReadAsync(Write(items), new DotnetCli(), problems, TestContext.Current.CancellationToken);
        problems.ShouldBeEmpty();
        workload.ShouldNotBeNull().Name.ShouldBe("Lib");
    }

    private string Write(string items)
    {
        var project = Path.Combine(_lab.Root, "lib", "Lib.csproj");
        Directory.CreateDirectory(Path.GetDirectoryName(project)!);
        File.WriteAllText(project, $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><TargetFrameworks>net8.0;net10.0</TargetFrameworks></PropertyGroup>
              {items}
            </Project>
            """);
        return project;
    }
}
