using PerfLab.Core.Model;

namespace PerfLab.Workload.Tests.Benchmarks;

/// <summary>A project in a repository of its own, whose older commit asks for an SDK that nobody has.</summary>
[Collection("PERF_LAB_KIT")] // they set it for the process, and take it away
public sealed class DryRunOfProjectTests(Lab lab) : IDisposable
{
    private const string Benchmarks = """
        using BenchmarkDotNet.Attributes;
        using System.Linq;
        public class Sums { [Benchmark] public int Of() => Enumerable.Range(0, 10).Sum(); }
        """;

    private readonly ScratchRepository _repository = new(lab.NewFolder(), "theirs");
    private string? _at;

    [Fact]
    public async Task nothing_is_planned_for_a_commit_that_can_not_be_built_and_the_current_sdk_builds_it()
    {
        Nightly.Only("45 seconds");
        Environment.SetEnvironmentVariable("PERF_LAB_KIT", Lab.Kit); // the same for every test of this run
        _repository.Write("perf-lab.yaml", "schema: perf-lab/config/1\n");
        _repository.Write("theirs/bench/Our Bench.csproj", await File.ReadAllTextAsync(Path.Combine(Lab.Fixture("benchmarks"), "Some.Benchmarks", "Some.Benchmarks.csproj")));
        _repository.Write("theirs/bench/Program.cs", "BenchmarkDotNet.Running.BenchmarkRunner.Run<Sums>();\n");
        _repository.Write("theirs/bench/Sums.cs", Benchmarks);
        _repository.Write("theirs/global.json", """{ "sdk": { "version": "7.0.999", "rollForward": "disable" } }""");
        _repository.Git("init", "--quiet", "--initial-branch=main");
        _repository.Commit("pinned");
        File.Delete(Path.Combine(_repository.Folder, "theirs", "global.json"));
        _repository.Commit("free");
        string[] asked = ["run", "theirs/bench/Our Bench.csproj", "--base", "HEAD~1", "--head", "HEAD", "--runtime", "net10.0", "--dry-run", "--executor", "process"];

        var (code, output, error) = await RunAsync(asked);
        (code, output).ShouldBe((ExitCode.Failed, ""), error);
        error.ShouldContain("base can't be built: SDK 7.0.999, which ");
        error.ShouldContain("/theirs/global.json asks for, is not available here");
        error.ShouldContain("--sdk current");

        (code, output, error) = await RunAsync([.. asked, "--sdk", "current"]);
        code.ShouldBe(0, error);
        output.ShouldStartWith("plan: 1 cell, of which nothing is to be launched");
        output.ShouldContain("Sums.Of");
        error.ShouldContain("its global.json asks for SDK 7.0.999, and it was built with ");
        error.ShouldContain("head builds the same bits as base: identical-build, and nothing of it is launched"); // but for global.json

        (code, output, error) = await RunAsync([.. asked.Where(word => word is not ("--head" or "HEAD")), "--aa", "--sdk", "current"]);
        code.ShouldBe(0, error);
        error.ShouldNotContain("identical-build"); // a build against itself is launched
        output.ShouldContain(" launches");

        (code, output, error) = await RunAsync(["list", "theirs/", "--executor", "process"]);
        (code, output).ShouldBe((0, "Sums.Of\n"), error);
        error.ShouldContain("theirs/: theirs/bench/Our Bench.csproj");
        (code, output, error) = await RunAsync(["run", "theirs/", "--base", "HEAD", "--runtime", "net10.0", "--dry-run", "--executor", "process"]);
        code.ShouldBe(0, error);
        output.ShouldContain("[base: source="); // beside a source, head is the working tree
        output.ShouldContain("| head: source=");
    }

    [Fact]
    public async Task a_benchmark_that_only_head_has_is_measured_on_the_library_of_base_too()
    {
        Nightly.Only("40 seconds");
        Environment.SetEnvironmentVariable("PERF_LAB_KIT", Lab.Kit);
        _repository.Write("perf-lab.yaml", "schema: perf-lab/config/1\n");
        _repository.Write("theirs/lib/Lib.csproj", """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>""");
        _repository.Write("theirs/lib/Lib.cs", "public static class Lib { public static int Of() => 1; }");
        _repository.Write("theirs/bench/Bench.csproj", (await File.ReadAllTextAsync(Path.Combine(Lab.Fixture("benchmarks"), "Some.Benchmarks", "Some.Benchmarks.csproj")))
            .Replace("net8.0;net10.0", "net10.0").Replace("<PackageReference", "<ProjectReference Include=\"../lib/Lib.csproj\" /><PackageReference"));
        _repository.Write("theirs/bench/Program.cs", "BenchmarkDotNet.Running.BenchmarkRunner.Run<Sums>();\n");
        _repository.Write("theirs/bench/Sums.cs", Benchmarks);
        _repository.Git("init", "--quiet", "--initial-branch=main");
        _repository.Commit("base");
        _repository.Write("theirs/lib/Lib.cs", "public static class Lib { public static int Of() => 2; }");
        _repository.Write("theirs/bench/New.cs", "public class New { [BenchmarkDotNet.Attributes.Benchmark] public int Calls() => Lib.Of(); }");
        _repository.Commit("head");
        string[] asked = ["run", "theirs/bench/Bench.csproj", "--base", "HEAD~1", "--head", "HEAD", "--dry-run", "--executor", "process"];

        var (code, output, error) = await RunAsync([.. asked, "--benchmarks", "head"]);
        code.ShouldBe(0, error);
        output.ShouldStartWith("plan: at most 2 cells");
        output.ShouldNotContain("unavailable");
        error.ShouldContain("the benchmarks of head measure the library of every arm");
        error.ShouldNotContain("identical-build");
        var mixed = Directory.GetDirectories(Path.Combine(_repository.Folder, ".perf-lab", "checkouts"), "*-with-*").ShouldHaveSingleItem();
        (await File.ReadAllTextAsync(Path.Combine(mixed, "theirs", "lib", "Lib.cs"))).ShouldContain("=> 1");
        File.Exists(Path.Combine(mixed, "theirs", "bench", "New.cs")).ShouldBeTrue();

        (code, output, error) = await RunAsync(asked);
        code.ShouldBe(0, error);
        output.ShouldContain("unavailable: base holds no such benchmark");
    }

    [Fact]
    public async Task a_repository_with_one_project_is_set_up_for_github_and_its_plan_has_every_benchmark()
    {
        Nightly.Only("50 seconds");
        Environment.SetEnvironmentVariable("PERF_LAB_KIT", Lab.Kit);
        _repository.Write("theirs/bench/My.Sums.csproj", await File.ReadAllTextAsync(Path.Combine(Lab.Fixture("benchmarks"), "Some.Benchmarks", "Some.Benchmarks.csproj")));
        _repository.Write("theirs/bench/Program.cs", "BenchmarkDotNet.Running.BenchmarkRunner.Run<Sums>();\n");
        _repository.Write("theirs/bench/Sums.cs", Benchmarks + "public class Texts { [Params(\"a: b\", \"#c\")] public string T = \"\"; [Benchmark] public int Length() => T.Length; }");
        _repository.Git("init", "--quiet", "--initial-branch=main");
        var commit = new string('a', 40);
        _at = Path.Combine(_repository.Folder, "theirs");

        var (code, output, error) = await RunAsync(["init", "github", "--from", $"octo-org/perf-lab@{commit}"]);
        code.ShouldBe(0, error);
        output.ShouldBe(".github/workflows/benchmark.yml\nperf-lab.yaml\n");
        error.ShouldContain("push it to the default branch");
        error.ShouldContain("look: this repository has no remote 'origin'");
        (await File.ReadAllTextAsync(Path.Combine(_at, ".github/workflows/benchmark.yml"))).ShouldContain($"octo-org/perf-lab/.github/workflows/benchmark-hosted.yml@{commit}");

        (code, output, error) = await RunAsync(["run", "pr", "--dry-run", "--executor", "process"]);
        code.ShouldBe(0, error);
        output.ShouldStartWith("plan: 3 cells");
        foreach (var benchmark in new[] { "Sums.Of", "Texts.Length(T: \"a: b\")", "Texts.Length(T: \"#c\")" })
        {
            output.ShouldContain(benchmark);
        }

        (code, _, error) = await RunAsync(["init", "github", "--from", $"octo-org/perf-lab@{commit}"]);
        code.ShouldBe(ExitCode.WrongUse);
        error.ShouldContain("is there already, and nothing is overwritten");
    }

    [Theory]
    [NightlyData("", "--benchmarks: head takes head's benchmarks to the library of the other arms, so each names a source.")]
    [InlineData("--base .", "base is a working tree, in which nothing is changed")]
    public async Task benchmarks_of_head_need_a_commit_to_measure(string arms, string expected)
    {
        _repository.Write("perf-lab.yaml", "schema: perf-lab/config/1\n");
        _repository.Write("theirs/bench/Bench.csproj", """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup><ItemGroup><PackageReference Include="BenchmarkDotNet" Version="0.14.0" /></ItemGroup></Project>""");
        _repository.Git("init", "--quiet", "--initial-branch=main");
        _repository.Commit("one");
        _repository.Write("theirs/notes.txt", "nobody committed this");
        string[] asked = ["run", "theirs/bench/Bench.csproj", "--benchmarks", "head", "--dry-run", "--executor", "process"];
        var words = arms.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var (code, _, error) = await RunAsync([.. asked, .. words, .. words.Length > 0 ? ["--head", "HEAD"] : Array.Empty<string>()]);
        code.ShouldBe(ExitCode.WrongUse, error);
        error.ShouldContain(expected);
    }

    public void Dispose() => Environment.SetEnvironmentVariable("PERF_LAB_KIT", null);

    private Task<(int Code, string Out, string Error)> RunAsync(string[] arguments) =>
        TypedCommand.RunAsync(_at ?? _repository.Folder, arguments, _repository.Folder);
}
