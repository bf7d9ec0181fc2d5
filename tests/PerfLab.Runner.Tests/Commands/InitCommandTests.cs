using System.Diagnostics;
using PerfLab.Building.Templates;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>What is refused before anything is built or written. That the written files work is in PerfLab.Workload.Tests, on a real project.</summary>
public sealed class InitCommandTests : IDisposable
{
    private const string From = "--from octo-org/perf-lab@0123456789012345678901234567890123456789";

    private readonly LabFixture _lab = new();

    public InitCommandTests()
    {
        File.Delete(Path.Combine(_lab.Root, "perf-lab.yaml"));
        Git("init", "--quiet");
    }

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task outside_of_a_repository_there_is_nothing_to_set_up()
    {
        Directory.Delete(Path.Combine(_lab.Root, ".git"), recursive: true);
        await RefusedAsync("", "is in no git repository");
    }

    [Fact]
    public async Task a_repository_without_benchmarks_is_told_how_to_begin() =>
        await RefusedAsync("", "no project of this repository refers to BenchmarkDotNet", "new workload benchmarks/NAME --bdn");

    [Fact]
    public async Task of_several_projects_one_is_to_be_named()
    {
        Project("a/A.csproj");
        Project("b/B.fsproj");
        Write("c/C.csproj", "<Project />");
        await RefusedAsync("", "several projects refer to BenchmarkDotNet: a/A.csproj, b/B.fsproj.", "init github a/A.csproj");
    }

    [Theory]
    [InlineData(".github/workflows/benchmark.yml")]
    [InlineData("perf-lab.yaml")]
    [InlineData("benchmarks/a/workload.yaml")]
    public async Task what_is_there_is_not_overwritten(string file)
    {
        Project("a/A.csproj");
        Write(file, file == "perf-lab.yaml" ? "schema: perf-lab/config/1\n" : "mine\n");
        await RefusedAsync("a/A.csproj", $"{file}: is there already, and nothing is overwritten.");
        File.ReadAllText(Path.Combine(_lab.Root, file)).ShouldStartWith(file == "perf-lab.yaml" ? "schema" : "mine");
    }

    [Theory]
    [InlineData("README.md", "is no project file")]
    [InlineData("../elsewhere/A.csproj", "is not in")]
    [InlineData("a/Nowhere.csproj", "there is no such project file")]
    public async Task a_project_that_is_none_is_refused(string project, string said) => await RefusedAsync(project, said);

    [Theory]
    [InlineData("octo-org/perf-lab")]
    [InlineData("octo-org/perf-lab@main")]
    [InlineData("octo-org/perf-lab@0123456")]
    [InlineData("https://github.com/octo-org/perf-lab@0123456789012345678901234567890123456789")]
    public async Task perf_lab_is_named_by_a_whole_commit(string from)
    {
        var (code, _, error) = await _lab.RunAsync($"init github --from {from}");
        code.ShouldBe(ExitCode.WrongUse);
        error.ShouldContain("is not OWNER/NAME@COMMIT with all 40 digits");
    }

    [Fact]
    public void the_files_hold_every_benchmark_as_it_is_called()
    {
        var files = new GitHubTemplate("octo-org/perf-lab", new string('a', 40)).Of("bench/My.Bench.csproj", Benchmarks("A.B(x: \"$NAME\")", "A.C(y: a\nb)"))
            .ToDictionary(file => file.Path, file => file.Text);
        files[".github/workflows/benchmark.yml"].ShouldEndWith($"    uses: octo-org/perf-lab/.github/workflows/benchmark-hosted.yml@{new string('a', 40)}\n");
        files["perf-lab.yaml"].ShouldContain("  pr: { workloads: [my-bench], set: { runtime: [net10.0] } }\n");
        files["benchmarks/my-bench/workload.yaml"].ShouldContain("project: \"../../bench/My.Bench.csproj\", runtimes: [net8.0, net10.0]");
        files["benchmarks/my-bench/workload.yaml"].ShouldContain("    values:\n      - \"A.B(x: \\\"$NAME\\\")\"\n      - \"A.C(y: a\\nb)\"\n");
    }

    [Fact]
    public void the_workflow_is_the_examples() =>
        new GitHubTemplate("OWNER/perf-lab", new string('0', 40)).Of("a/A.csproj", Benchmarks("A")).Single(file => file.Path == GitHubTemplate.Workflow).Text
            .ShouldBe(File.ReadAllText(Path.Combine(Repository(), "examples/library/.github/workflows/benchmark.yml")));

    private static Workload Benchmarks(params string[] names) => new()
    {
        Name = "My.Bench",
        Summary = "",
        Folder = "/r/bench",
        Build = new() { Kind = BuildKind.Dotnet, Project = "My.Bench.csproj", Runtimes = ["net8.0", "net10.0"] },
        Parameters = [new() { Name = "benchmark", Type = ParameterType.Text, Default = names[0], Values = names }],
        Command = ["x"],
        Modes = [],
        Launch = new(1, 1, 60),
        Resources = new(2, 1, 1),
    };

    private static string Repository()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "perf-lab.sln")))
        {
            folder = folder.Parent!;
        }

        return folder.FullName;
    }

    private async Task RefusedAsync(string project, params string[] said)
    {
        var (code, _, error) = await _lab.RunAsync($"init github {project} {From}");
        code.ShouldBe(ExitCode.WrongUse, error);
        said.ShouldAllBe(text => error.Contains(text), error);
        Directory.Exists(Path.Combine(_lab.Root, ".github")).ShouldBe(project.Length > 0 && File.Exists(Path.Combine(_lab.Root, ".github/workflows/benchmark.yml")));
    }

    private void Project(string path) => Write(path, "<Project><ItemGroup><PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" /></ItemGroup></Project>");

    private void Write(string path, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(_lab.Root, path))!);
        File.WriteAllText(Path.Combine(_lab.Root, path), text);
    }

    private void Git(params string[] arguments)
    {
        using var git = Process.Start(new ProcessStartInfo("git", arguments) { WorkingDirectory = _lab.Root })!;
        git.WaitForExit();
        git.ExitCode.ShouldBe(0);
    }
}
