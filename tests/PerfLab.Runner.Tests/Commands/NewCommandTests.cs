using PerfLab.Building.Manifests;
using PerfLab.Core.Files;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>`new workload`: what it writes is a workload, and nothing of anybody is overwritten. That it runs is in TemplateTests and, with --bdn, in the test of the workflows.</summary>
public sealed class NewCommandTests : IDisposable
{
    private static readonly string[] Holes = ["$NAME", "$PROJECT", "$FOLDER", "$ARMS"];
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Theory]
    [InlineData("fast-parse", "fast-parse", "FastParse.csproj")]
    [NightlyData("My.Bench", "my-bench", "MyBench.csproj")]
    [InlineData("sub/2nd", "2nd", "W2nd.csproj")]
    public async Task the_new_folder_is_a_workload_and_the_next_command_is_said(string named, string name, string project)
    {
        var (code, output, error) = await _lab.RunAsync("new workload " + named);
        code.ShouldBe(0, error);
        output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .ShouldBe([$"./{named}/{project}", $"./{named}/Program.cs", $"./{named}/workload.yaml", $"./{named}/README.md"]);
        error.ShouldContain($"next: ./perf-lab run ./{named} --base way=concat --head way=builder");
        var problems = new List<Problem>();
        var workload = WorkloadManifest.Read(Path.Combine(_lab.Root, named), problems, isNamed: false);
        problems.ShouldBeEmpty();
        (workload!.Name, workload.Build.Project).ShouldBe((name, project));
        Directory.EnumerateFiles(Path.Combine(_lab.Root, named)).Select(File.ReadAllText).ShouldAllBe(text => !Holes.Any(text.Contains));
        (code, _, error) = await _lab.RunAsync($"run ./{named} --base way=concat --head way=builder --dry-run");
        code.ShouldBe(0, error);
    }

    [Theory]
    [InlineData("fast-parse", "FastParse.Benchmarks.csproj")]
    [InlineData("BenchmarkDotNet", "Benchmarkdotnet.Benchmarks.csproj")] // a project called like a package does not restore
    public async Task with_bdn_it_is_a_project_of_benchmarkdotnet_with_its_manifest(string named, string project)
    {
        var (code, output, error) = await _lab.RunAsync($"new workload {named} --bdn");
        code.ShouldBe(0, error);
        output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .ShouldBe([$"./{named}/{project}", $"./{named}/Benchmarks.cs", $"./{named}/Program.cs", $"./{named}/workload.yaml", $"./{named}/README.md"]);
        error.ShouldContain($"next: ./perf-lab run ./{named} --base pgo=off --head pgo=on");
        error.ShouldContain($"./{named}/Benchmarks.cs");
        Directory.EnumerateFiles(Path.Combine(_lab.Root, named)).Select(File.ReadAllText).ShouldAllBe(text => !Holes.Any(text.Contains));
        (code, output, error) = await _lab.RunAsync($"run ./{named} --base pgo=off --head pgo=on --runtime net10.0 --dry-run");
        code.ShouldBe(0, error);
        output.ShouldContain("Adding.ByInterface(Count: 1000)");
    }

    [Fact]
    public async Task nothing_is_overwritten()
    {
        Directory.CreateDirectory(Path.Combine(_lab.Root, "mine"));
        await File.WriteAllTextAsync(Path.Combine(_lab.Root, "mine", "notes"), "precious", TestContext.Current.CancellationToken);
        var (code, _, error) = await _lab.RunAsync("new workload mine");
        code.ShouldBe(2);
        error.ShouldContain("mine is there already, and nothing is overwritten. Name a new folder.");
        Directory.EnumerateFiles(Path.Combine(_lab.Root, "mine")).ShouldHaveSingleItem();
        (await _lab.RunAsync("new workload perf-lab.yaml")).Code.ShouldBe(2);
    }

    [Theory]
    [InlineData("new workload", "workload")]
    [InlineData("new workload ..", "is there already")]
    [InlineData("new workload __", "has no letter or digit")]
    [InlineData("new wrokload x", "Did you mean workload?")]
    public async Task a_wrong_name_is_wrong_use(string arguments, string said)
    {
        var (code, _, error) = await _lab.RunAsync(arguments);
        code.ShouldBe(2, error);
        error.ShouldContain(said);
    }
}
