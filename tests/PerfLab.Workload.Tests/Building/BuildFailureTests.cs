using PerfLab.Building.Tools;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Workload.Tests.Building;

public sealed class BuildFailureTests : IDisposable
{
    private readonly FakeSdk _sdk = new();

    [Fact]
    public async Task a_failure_shows_ten_errors_once_each_and_where_the_rest_is()
    {
        var errors = Enumerable.Range(1, 12).Select(line => $"/src/A.cs({line},1): error CS0103: The name 'x{line}' does not exist [/src/App.csproj]");
        _sdk.Tell("output", string.Join('\n', errors.Concat(errors)));
        var failure = (await BuildAsync(_sdk.Recipe)).Failure.ShouldNotBeNull();
        failure.ShouldContain("fake does not build for net10.0 on 10.0.14");
        failure.Split('\n').Count(line => line.Contains("error CS0103", StringComparison.Ordinal)).ShouldBe(10);
        failure.ShouldContain("… and 2 more");
        (await File.ReadAllLinesAsync(failure.Split("The whole log: ")[1])).Length.ShouldBe(24);
    }

    [Fact]
    public async Task a_command_of_the_project_that_fails_says_why_and_not_only_that()
    {
        _sdk.Tell("output", """
              Determining projects to restore...
              Version 3.2.0 of package fixie.console is not found in NuGet feeds.
            /src/A.csproj(15,5): error MSB3073: The command "dotnet tool restore" exited with code 1.
            """);
        var failure = (await BuildAsync(_sdk.Recipe)).Failure.ShouldNotBeNull();
        failure.ShouldContain("\n  Version 3.2.0 of package fixie.console is not found in NuGet feeds.\n  /src/A.csproj(15,5): error MSB3073");
        failure.ShouldNotContain("Determining");
    }

    [Fact]
    public async Task a_package_that_is_missing_is_no_failure()
    {
        _sdk.Tell("output", "/src/App.csproj : error NU1101: Unable to find package Akka. No packages exist with this id in source(s): nuget.org");
        var result = await BuildAsync(_sdk.Recipe);
        result.Failure.ShouldBeNull();
        result.Unavailable.ShouldNotBeNull().ShouldStartWith("package Akka is not available here: no package source has it.");
    }

    [Fact]
    public void a_version_that_was_replaced_is_unavailable_only_when_it_was_asked_for()
    {
        const string Warning = "/src/app.csproj : warning NU1603: app depends on Newtonsoft.Json (>= 11.0.2) but Newtonsoft.Json 11.0.2 was not found. Newtonsoft.Json 12.0.1 was resolved instead.";
        RestoreProblems.Explain(Warning, _sdk.Recipe).ShouldBeNull();
        var asked = _sdk.Recipe with { Properties = new Dictionary<string, string>(StringComparer.Ordinal) { ["NewtonsoftVersion"] = "11.0.2" } };
        RestoreProblems.Explain(Warning, asked).ShouldNotBeNull().ShouldStartWith("package Newtonsoft.Json 11.0.2 is not available here: no package source has it (nearest: 12.0.1).");
    }

    [Fact]
    public void all_packages_that_are_missing_are_named_each_with_its_own_nearest()
    {
        const string Errors = """
            /src/a.csproj : error NU1101: Unable to find package Sylvan.IsoDate. No packages exist with this id in source(s): nuget.org
            /src/a.csproj : error NU1102: Unable to find package CsvHelper with version (>= 33.0.0)
            /src/a.csproj : error NU1102:   - Found 3 version(s) in nuget.org [ Nearest version: 2.9.12 ]
            /src/b.csproj : error NU1102: Unable to find package CsvHelper with version (>= 33.0.0)
            /src/b.csproj : error NU1102:   - Found 3 version(s) in nuget.org [ Nearest version: 2.9.12 ]
            """;
        RestoreProblems.Explain(Errors, _sdk.Recipe).ShouldNotBeNull().ShouldStartWith(
            "2 packages are not available here, since no package source has them: Sylvan.IsoDate, CsvHelper 33.0.0 (nearest: 2.9.12). ");
    }

    [Fact]
    public void the_pack_of_another_target_is_no_missing_runtime()
    {
        const string Error = "/src/lib.csproj : error NU1102: Unable to find package Microsoft.NETCore.App.Ref with version (= 7.0.20)";
        RestoreProblems.Explain(Error, _sdk.Recipe).ShouldNotBeNull().ShouldStartWith("package Microsoft.NETCore.App.Ref 7.0.20 is not available here");
        RestoreProblems.Explain(Error, _sdk.Recipe with { TargetFramework = "net7.0" }).ShouldNotBeNull().ShouldStartWith("runtime 10.0.14 is not available here");
    }

    [Fact]
    public async Task what_was_taken_instead_is_noted_each_time()
    {
        _sdk.Tell("warning", "/src/app.csproj : warning NU1603: app depends on Some.Library (>= 1.0.2) but Some.Library 1.0.2 was not found. Some.Library 1.1.0 was resolved instead.");
        for (var time = 0; time < 2; time++)
        {
            (await BuildAsync(_sdk.Recipe)).Notes.ShouldBe(["package Some.Library 1.1.0 was taken, because no package source has the 1.0.2 that app needs"]);
        }

        _sdk.Publishes.ShouldBe(1);
    }

    [Fact]
    public void a_missing_runtime_pack_names_the_patch_and_how_to_see_what_there_is()
    {
        const string Error = """
            /src/app.csproj : error NU1102: Unable to find package Microsoft.NETCore.App.Runtime.linux-x64 with version (= 8.0.5)
            /src/app.csproj : error NU1102:   - Found 16 version(s) in nuget.org [ Nearest version: 8.0.29 ]
            """;
        var text = RestoreProblems.Explain(Error, _sdk.Recipe with { RuntimePatch = "8.0.5" }).ShouldNotBeNull();
        text.ShouldContain("runtime 8.0.5 is not available here: no package source has Microsoft.NETCore.App.Runtime.linux-x64 8.0.5.");
        text.ShouldContain("'perf-lab list runtimes' shows what there is");
    }

    [Theory]
    [InlineData("error CS0246: The type or namespace name 'BenchmarkDotNet' could not be found", "brings no BenchmarkDotNet along")]
    [InlineData("error CS1061: 'Job' does not contain a definition for 'WithStrategy'", "brings a BenchmarkDotNet that the program which runs benchmarks was not written for: reference 0.13 to 0.16.")]
    public void errors_in_the_labs_own_driver_are_told_as_what_the_project_lacks(string error, string expected)
    {
        var output = $"/lab/workloads/benchmark-driver/BenchmarkRun.cs(73,23): {error} [/lab/workloads/benchmark-driver/PerfLab.BenchmarkDriver.csproj]";
        CompileErrors.Explain(output, _sdk.Recipe with { IsBenchmarkDotNet = true }, "/log").ShouldContain(expected);
        CompileErrors.Explain(output, _sdk.Recipe, "/log").ShouldContain(error);
        CompileErrors.Explain(output.Replace("benchmark-driver", "mine"), _sdk.Recipe with { IsBenchmarkDotNet = true }, "/log").ShouldContain(error);
    }

    [Fact]
    public async Task missing_folders_and_projects_are_named()
    {
        (await BuildAsync(_sdk.Recipe with { Folder = "/no/such/folder" })).Failure.ShouldNotBeNull().ShouldContain("/no/such/folder");
        (await BuildAsync(_sdk.Recipe with { Project = "Other.csproj" })).Failure.ShouldNotBeNull().ShouldContain("Other.csproj");
    }

    [Fact]
    public async Task a_missing_sdk_says_what_to_do()
    {
        var builder = new Builder(_sdk.Store, new DotnetCli("/no/such/dotnet"));
        var missing = await Should.ThrowAsync<DotnetMissingException>(builder.BuildAsync(_sdk.Recipe, CancellationToken.None));
        missing.Tried.ShouldStartWith("starting '/no/such/dotnet' in ");
        missing.DoNext.ShouldContain("install the .NET 10 SDK");
    }

    [Fact]
    public async Task a_dockerfile_goes_to_the_engine_where_there_is_one()
    {
        var recipe = _sdk.Recipe with { Kind = BuildKind.Docker };
        (await BuildAsync(recipe)).Unavailable.ShouldNotBeNull().ShouldContain("--executor docker");
        var built = new BuildResult(new Build("sha256:1", "/", NeedsShell: false, Image: "sha256:2"), null, null);
        var builder = new Builder(_sdk.Store, new DotnetCli(_sdk.Dotnet)) { DockerfileBuild = (_, _) => Task.FromResult(built) };
        (await builder.BuildAsync(recipe, CancellationToken.None)).ShouldBe(built);
    }

    public void Dispose() => _sdk.Dispose();

    private Task<BuildResult> BuildAsync(BuildRecipe recipe) => _sdk.NewBuilder().BuildAsync(recipe, CancellationToken.None);
}
