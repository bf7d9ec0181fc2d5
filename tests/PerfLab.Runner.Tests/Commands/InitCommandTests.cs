using System.Diagnostics;
using PerfLab.Building.Manifests;
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

    [Theory]
    [InlineData("bench/My.Bench.csproj", "bench/My.Bench.csproj")]
    [InlineData("be nch/My, $RUNTIME: #.csproj", "\"be nch/My, $RUNTIME: #.csproj\"")]
    public void the_files_name_the_project_and_none_of_its_benchmarks(string project, string written)
    {
        var files = new GitHubTemplate("octo-org/perf-lab", new string('a', 40)).Of(project, "net10.0").ToDictionary(file => file.Path, file => file.Text);
        files.Keys.ShouldBe([".github/workflows/benchmark.yml", "perf-lab.yaml"]);
        files[".github/workflows/benchmark.yml"].ShouldEndWith($"    uses: octo-org/perf-lab/.github/workflows/benchmark-hosted.yml@{new string('a', 40)}\n");
        files["perf-lab.yaml"].ShouldContain($"  pr: {{ workloads: [{written}], set: {{ runtime: [net10.0] }} }}");
        Write("perf-lab.yaml", files["perf-lab.yaml"]);
        LabConfig.ProblemsOf(Path.Combine(_lab.Root, "perf-lab.yaml")).ShouldBeEmpty();
        LabConfig.Read(_lab.Root, [])!.Suites.ShouldHaveSingleItem().Workloads.ShouldBe([project]);
    }

    [Fact]
    public void the_workflow_is_the_examples() =>
        new GitHubTemplate("OWNER/perf-lab", new string('0', 40)).Of("a/A.csproj", "net10.0").Single(file => file.Path == GitHubTemplate.Workflow).Text
            .ShouldBe(File.ReadAllText(Path.Combine(Repository(), "examples/library/.github/workflows/benchmark.yml")));

    [Fact]
    public async Task one_command_writes_two_files_for_one_commit_also_beside_two_solutions()
    {
        Project("a/A.csproj");
        Write("One.sln", "");
        Write("Two.slnx", "<Solution />");
        var error = await WrittenAsync();
        error.ShouldContain("git add .github perf-lab.yaml && git commit");
        error.ShouldContain("push it to the default branch");
        error.ShouldContain("look: this repository has no remote 'origin'; it has to be on GitHub");
        error.ShouldContain("look: a/A.csproj is not in git yet; only what is pushed is measured");
        Git("add", ".github", "perf-lab.yaml");
    }

    [Fact]
    public async Task a_fork_is_told_that_its_default_branch_may_not_be_the_one_that_counts()
    {
        Project("a/A.csproj");
        Git("remote", "add", "origin", "git@github.com:me/library.git");
        Git("remote", "add", "upstream", "https://github.com/octo-org/library");
        var error = await WrittenAsync();
        error.ShouldContain("look: there is an 'upstream', so origin may be your fork");
        error.ShouldMatch("look: (gh could not be asked about|GitHub knows no) me/library"); // what gh answers: GitHubSettingsTests
        error.ShouldNotContain("no remote");
    }

    [Fact]
    public async Task a_perf_lab_yaml_that_is_there_is_told_what_to_add()
    {
        Project("a/A.csproj");
        Write("perf-lab.yaml", "schema: perf-lab/config/1\n");
        await RefusedAsync("a/A.csproj", "perf-lab.yaml: is there already", "`workloads: [a/A.csproj]`", "Move it away, run this again");
        await RefusedAsync("a/#1,x.csproj", "`workloads: [\"a/#1,x.csproj\"]`");
    }

    [Fact]
    public async Task below_the_top_what_it_says_can_be_typed_there()
    {
        Project("a/A.csproj");
        _lab.WorkingFolder = Directory.CreateDirectory(At("a/docs")).FullName;
        Git("add", "a");
        var error = await WrittenAsync();
        error.ShouldContain("  git add :/.github :/perf-lab.yaml && git commit");
        error.ShouldNotContain("is not in git yet");
        File.Delete(At("perf-lab.yaml"));
        Directory.Delete(At(".github"), recursive: true);
        Project("b/B.csproj");
        var (code, _, several) = await _lab.RunAsync($"init github {From}");
        code.ShouldBe(ExitCode.WrongUse);
        several.ShouldContain("Name one: ./perf-lab init github ../A.csproj");
    }

    [Theory]
    [InlineData("a/")]
    [InlineData("One.sln")]
    public async Task a_folder_or_a_solution_stands_for_the_only_project_in_it(string named)
    {
        Project("a/A.csproj");
        Project("b/B.csproj");
        Write("One.sln", "Project(\"{0}\") = \"A\", \"a\\A.csproj\", \"{1}\"\n");
        Write("Two.sln", "Project(\"{0}\") = \"B\", \"b\\B.csproj\", \"{2}\"\n");
        await WrittenAsync(named);
    }

    [Fact]
    public async Task half_of_it_is_not_left_where_the_rest_can_not_be_written()
    {
        Project("a/A.csproj");
        Write(".github", "a file\n");
        var (code, output, error) = await _lab.RunAsync($"init github {From}");
        (code, output).ShouldBe((ExitCode.Failed, ""), error);
        error.ShouldContain($"writing {At(".github/workflows/benchmark.yml")}");
        error.ShouldContain("run this again; no file was left");
        File.Exists(At("perf-lab.yaml")).ShouldBeFalse();
    }

    [Theory]
    [InlineData("https://me:hush@github.com/me/library.git", "me/library")]
    [InlineData("https://me:hush@example.org/me/library.git", "origin is https://example.org/me/library.git, which is not on github.com")]
    [NightlyData("https://hush@example.org@github.com/me/library.git", "origin is https://github.com/me/library.git, which is not on github.com")]
    public async Task an_address_with_a_token_in_it_is_understood_and_not_shown(string origin, string said)
    {
        Project("a/A.csproj");
        Git("remote", "add", "origin", origin);
        var error = await WrittenAsync();
        error.ShouldContain(said);
        error.ShouldNotContain("hush");
    }

    private async Task<string> WrittenAsync(string named = "")
    {
        var (code, output, error) = await _lab.RunAsync($"init github {named} {From}");
        code.ShouldBe(ExitCode.Done, error);
        output.ShouldBe(".github/workflows/benchmark.yml\nperf-lab.yaml\n");
        LabConfig.Read(_lab.Root, [])!.Suites.ShouldHaveSingleItem().Workloads.ShouldBe(["a/A.csproj"]);
        return error;
    }

    private string At(string path) => Path.Combine(_lab.Root, path);

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

    private void Project(string path) => Write(path, "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup><ItemGroup><PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" /></ItemGroup></Project>");

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
