using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.House;

/// <summary>A reference between projects is an arrow that the compiler keeps; here stands which may be drawn.</summary>
public sealed class ProjectsTests
{
    private static readonly Dictionary<string, string[]> Allowed = new()
    {
        ["PerfLab.Core"] = [],
        ["PerfLab.Reports"] = ["PerfLab.Core"],
        ["PerfLab.History"] = ["PerfLab.Reports"],
        ["PerfLab.Machine"] = ["PerfLab.Core"],
        ["PerfLab.Building"] = ["PerfLab.Core"],
        ["PerfLab.Launching"] = ["PerfLab.Building", "PerfLab.Machine", "PerfLab.Profiling"],
        ["PerfLab.Kubernetes"] = ["PerfLab.Launching"],
        ["PerfLab.Profiling"] = ["PerfLab.Core"],
        ["PerfLab.Programs"] = ["PerfLab.Building"],
        ["PerfLab.Lab"] = ["PerfLab.Machine", "PerfLab.Programs"],
        ["PerfLab.Runner"] = ["PerfLab.History", "PerfLab.Kubernetes", "PerfLab.Programs"],
    };

    [Fact]
    public void every_project_refers_to_those_below_it_and_no_other() =>
        Projects.All.Keys.Select(project => $"{project} -> {string.Join(", ", Projects.References(project))}")
            .ShouldBe(Allowed.Select(row => $"{row.Key} -> {string.Join(", ", row.Value)}"), ignoreOrder: true);

    [Fact]
    public void nothing_is_started_that_is_no_part_but_the_program_of_the_machines() =>
        Projects.All.Keys.SelectMany(project => Projects.Started(project).Select(other => $"{project} starts {other}"))
            .ShouldBe(["PerfLab.Runner starts PerfLab.Lab"]);

    [Fact]
    public void the_azure_libraries_come_with_the_program_of_the_machines_alone() =>
        Projects.All.Keys.Where(project => Projects.Closure(project).Keys.Any(IsAzures)).ShouldBe(["PerfLab.Lab"]);

    /// <summary>When they are published, both programs lie in one folder, which has one file of a name.</summary>
    [Fact]
    public void what_both_programs_bring_is_of_one_version()
    {
        var (measuring, machines) = (Projects.Closure("PerfLab.Runner"), Projects.Closure("PerfLab.Lab"));
        var both = measuring.Keys.Intersect(machines.Keys).ToList();

        both.Count.ShouldBeGreaterThan(2);
        both.Where(package => measuring[package] != machines[package])
            .Select(package => $"{package}: {measuring[package]} and {machines[package]}")
            .ShouldBeEmpty("Name the newer one in Directory.Packages.props.");
    }

    private static bool IsAzures(string package) =>
        package.StartsWith("Azure.", StringComparison.Ordinal) || package.StartsWith("Microsoft.Identity", StringComparison.Ordinal);

    [Theory]
    [InlineData("YamlDotNet", "PerfLab.Building")]
    [InlineData("Microsoft.Data.Sqlite.Core", "PerfLab.History")]
    [InlineData("Npgsql", "PerfLab.History")]
    [InlineData("System.CommandLine", "PerfLab.Programs")]
    [InlineData("Spectre.Console", "PerfLab.Runner")]
    [InlineData("Microsoft.Diagnostics.Tracing.TraceEvent", "PerfLab.Profiling")]
    public void a_library_is_loaded_in_one_place(string package, string project) =>
        Projects.All.Keys.Where(name => Projects.Packages(name).Contains(package)).ShouldBe([project]);

    // What the solution leaves out is built late or never. The driver needs somebody's project with benchmarks: the lab alone builds it.
    [Fact]
    public void the_solution_has_every_project_that_builds_by_itself()
    {
        var solution = Repository.Read("perf-lab.sln").Replace('\\', '/');
        new[] { "runner", "workloads", "benchmarks", "tests" }
            .SelectMany(top => Directory.EnumerateFiles(Path.Combine(Repository.Root, top), "*.csproj", SearchOption.AllDirectories))
            .Select(path => Path.GetRelativePath(Repository.Root, path).Replace('\\', '/'))
            .Where(path => !path.Split('/').Intersect(Repository.NotOurs).Any() && !solution.Contains($"\"{path}\""))
            .ShouldBe(["workloads/benchmark-driver/PerfLab.BenchmarkDriver.csproj"]);
    }
}
