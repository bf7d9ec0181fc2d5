using PerfLab.Core.Model;

namespace PerfLab.Workload.Tests.Benchmarks;

/// <summary>Benchmarks in C#, built in the place of a project's own, which do not compile any more.</summary>
[Collection("PERF_LAB_KIT")] // they set it for the process, and take it away
public sealed class SnippetOfProjectTests(Lab lab) : IDisposable
{
    private const string Bench = "theirs/bench/Bench.csproj";

    private const string Plain = """
        <Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>
        """;

    private readonly ScratchRepository _repository = new(lab.NewFolder(), "theirs");

    [Fact]
    public async Task a_snippet_has_the_references_of_the_project_and_its_build_says_which_benchmarks_it_holds()
    {
        Nightly.Only("40 seconds");
        Project();
        File.Copy(Path.Combine(Lab.Fixture("snippet"), "snippet.cs"), Path.Combine(_repository.Folder, "snippet.cs"));
        string[] asked = ["--runtime", "net10.0", .. With("snippet.cs")];
        var (code, output, error) = await RunAsync(["run", Bench, "--base", "HEAD~1", "--head", "HEAD", .. asked]);
        code.ShouldBe(0, error);
        var names = output.Split('\n').Where(line => line.Contains("benchmark=", StringComparison.Ordinal))
            .Select(line => line.Split("benchmark=")[1].Split("  [")[0]).Order(StringComparer.Ordinal);
        names.ShouldBe(File.ReadAllLines(Path.Combine(Lab.Fixture("snippet"), "names.txt")));
        error.ShouldContain("benchmarks in C# stand in place of the project's source files (SHA-256 ");
        error.ShouldNotContain("identical-build"); // the library differs

        // By the manifest, too, whose own list is of no meaning then.
        _repository.Write("workloads/theirs/workload.yaml", """
            schema: perf-lab/workload/1
            name: theirs
            summary: for tests
            build: { kind: dotnet, project: ../../theirs/bench/Bench.csproj, runtimes: [net10.0] }
            parameters: { benchmark: { default: Gone.Away, values: [Gone.Away] } }
            launch: { warm-up: 0s, measure: 1s, timeout: 60s }
            result: benchmarkdotnet

            """);
        (code, output, error) = await RunAsync(["run", "theirs", "--base", "pgo=off", "--head", "pgo=on", .. asked]);
        code.ShouldBe(0, error);
        output.ShouldContain("Mine.Own.Calls+Inner.One");
        output.ShouldNotContain("Gone.Away");
    }

    [Fact]
    public async Task errors_of_a_snippet_name_its_file_and_not_where_it_lay()
    {
        Nightly.Only("50 seconds");
        Project();
        _repository.Write("mine.cs", "using BenchmarkDotNet.Attributes;\npublic class A { [Benchmark] public int M() => Some.Lib.Missing(); }\n");
        var (code, _, error) = await RunAsync(["run", Bench, "--base", "pgo=off", "--head", "pgo=on", .. With("mine.cs")]);
        code.ShouldBe(ExitCode.Failed, error);
        error.ShouldContain("\n  snippet.cs(2,57): error CS0117: ");
    }

    [Theory]
    [InlineData(Bench, "tail", "--benchmarks: takes head or a file of C#, not 'tail'.")]
    [NightlyData(Bench, "gone.cs", "/gone.cs.")]
    [InlineData(Bench, "empty.cs", "empty.cs has 0 bytes")]
    [NightlyData("echo", "mine.cs", "snippet: none of what is named is a project of BenchmarkDotNet.")]
    [InlineData("theirs/bench/Old.vbproj", "mine.cs", "Old is no C# project: Old.vbproj.")]
    public async Task what_a_snippet_has_no_place_in_is_refused(string target, string file, string expected)
    {
        Project();
        _repository.Write("mine.cs", "class A { }");
        _repository.Write("empty.cs", "");
        _repository.Write("theirs/bench/Old.vbproj", Plain.Replace("</PropertyGroup>",
            "</PropertyGroup><ItemGroup><PackageReference Include=\"BenchmarkDotNet\" Version=\"0.14.0\" /></ItemGroup>", StringComparison.Ordinal));
        _repository.Write("workloads/echo/run.sh", "#!/bin/sh\n");
        _repository.Write("workloads/echo/workload.yaml", """
            schema: perf-lab/workload/1
            name: echo
            summary: for tests
            build: { kind: none }
            command: ["./run.sh"]
            metrics: { throughput: { unit: call/s, better: higher, primary: true } }
            launch: { warm-up: 0s, measure: 1s, timeout: 10s }
            result: perf-lab

            """);
        var (code, _, error) = await RunAsync(["run", target, "--base", "pgo=off", "--head", "pgo=on", .. With(file)]);
        code.ShouldBe(ExitCode.WrongUse, error);
        error.ShouldContain(expected);
    }

    private static string[] With(string file) => ["--benchmarks", file, "--dry-run", "--executor", "process"];

    public void Dispose() => Environment.SetEnvironmentVariable("PERF_LAB_KIT", null);

    private void Project()
    {
        Environment.SetEnvironmentVariable("PERF_LAB_KIT", Lab.Kit);
        _repository.Write("perf-lab.yaml", "schema: perf-lab/config/1\n");
        _repository.Write("theirs/lib/Lib.csproj", Plain);
        _repository.Write("theirs/lib/Lib.cs", "namespace Some; public static class Lib { public static int Of() => 1; }");
        var bench = File.ReadAllText(Path.Combine(Lab.Fixture("benchmarks"), "Some.Benchmarks", "Some.Benchmarks.csproj"));
        _repository.Write("theirs/bench/Bench.csproj", bench.Replace("net8.0;net10.0", "net10.0")
            .Replace("<PackageReference", "<ProjectReference Include=\"../lib/Lib.csproj\" /><PackageReference"));
        _repository.Write("theirs/bench/Program.cs", "this does not compile");
        _repository.Git("init", "--quiet", "--initial-branch=main");
        _repository.Commit("base");
        _repository.Write("theirs/lib/Lib.cs", "namespace Some; public static class Lib { public static int Of() => 2; }");
        _repository.Commit("head");
    }

    private Task<(int Code, string Out, string Error)> RunAsync(string[] arguments) =>
        TypedCommand.RunAsync(_repository.Folder, arguments);
}
