using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;

namespace PerfLab.Runner.Tests.Benchmarks;

/// <summary>Which project is meant by a folder or a solution.</summary>
public sealed class BenchmarkSearchTests : IDisposable
{
    private const string WithPackage = "<Project><ItemGroup><PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" /></ItemGroup></Project>";
    private const string Without = "<Project />";

    private readonly string _root = Directory.CreateTempSubdirectory("perf-lab-search").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public void the_only_project_of_a_folder_is_meant_wherever_its_package_is_named()
    {
        var project = Write("bench/My.fsproj", Without);
        Meant("bench").ShouldBe((project, ""));
    }

    [Fact]
    public void of_several_the_one_with_the_package_is_meant()
    {
        Write("bench/A.csproj", Without);
        Meant("bench").Meant.ShouldEndWith("A.csproj");
        var project = Write("bench/B.csproj", WithPackage);
        Meant("bench").ShouldBe((project, ""));
    }

    [Fact]
    public void two_with_the_package_are_named_and_none_is_taken()
    {
        var (a, b) = (Write("bench/A.csproj", WithPackage), Write("bench/B.csproj", WithPackage));
        Meant("bench").ShouldBe((At("bench"), $"{At("bench")}: several projects refer to BenchmarkDotNet: {a}, {b}. Name one, for example {a}"));
    }

    [Fact]
    public void several_without_it_are_said_to_be_none()
    {
        Write("bench/A.csproj", Without);
        Write("bench/B.csproj", Without);
        Meant("bench").Problem.ShouldContain("none of its 2 projects refers to BenchmarkDotNet. Name the project");
    }

    [Fact]
    public void a_folder_with_a_manifest_is_the_workload_and_one_without_anything_is_left_as_it_is()
    {
        Write("mine/My.csproj", WithPackage);
        Write($"mine/{WorkloadManifest.FileName}", "");
        Meant("mine").ShouldBe((At("mine"), ""));
        Directory.CreateDirectory(At("empty"));
        Meant("empty").ShouldBe((At("empty"), ""));
        Meant("nowhere").ShouldBe((At("nowhere"), ""));
    }

    [Theory]
    [InlineData("All.sln", "Project(\"{9A19}\") = \"My\", \"bench\\My.csproj\", \"{1111}\"\r\nEndProject\r\nProject(\"{9A19}\") = \"Lib\", \"src\\Lib.csproj\", \"{2222}\"\r\n")]
    [InlineData("All.slnx", "<Solution><Project Path=\"bench/My.csproj\" /><Project Path=\"src/Lib.csproj\" /></Solution>")]
    public void a_solution_means_the_project_in_it_that_has_the_package(string solution, string text)
    {
        Write("src/Lib.csproj", Without);
        var project = Write("bench/My.csproj", WithPackage);
        Write(solution, text);
        Meant(solution).ShouldBe((project, ""));
        Write("src/Lib.csproj", WithPackage);
        Meant(solution).Problem.ShouldContain("several projects refer to BenchmarkDotNet");
    }

    [Fact]
    public void a_solution_that_is_not_there_or_holds_nothing_says_so()
    {
        Meant("No.sln").Problem.ShouldContain("there is no such solution");
        Write("Empty.slnx", "<Solution />");
        Meant("Empty.slnx").Problem.ShouldContain("none of its 0 projects");
    }

    private (string Meant, string Problem) Meant(string target)
    {
        var problems = new List<Problem>();
        var meant = BenchmarkSearch.Meant(At(target), WorkloadManifest.FileName, problems);
        return (meant, string.Join('\n', problems));
    }

    private string Write(string file, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(At(file))!);
        File.WriteAllText(At(file), text);
        return At(file);
    }

    private string At(string file) => Path.Combine(_root, file);
}
