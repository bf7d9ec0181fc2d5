using System.Diagnostics;
using PerfLab.Core.Model;
using PerfLab.Runner.Commands;
using PerfLab.Runner.Terminals;

namespace PerfLab.Workload.Tests.Benchmarks;

/// <summary>A project in a repository of its own, whose older commit asks for an SDK that nobody has.</summary>
public sealed class DryRunOfProjectTests(Lab lab) : IDisposable
{
    private const string Benchmarks = """
        using BenchmarkDotNet.Attributes;
        using System.Linq;
        public class Sums { [Benchmark] public int Of() => Enumerable.Range(0, 10).Sum(); }
        """;

    private readonly string _folder = lab.NewFolder();

    [Fact]
    public async Task nothing_is_planned_for_a_commit_that_can_not_be_built_and_the_current_sdk_builds_it()
    {
        Environment.SetEnvironmentVariable("PERF_LAB_KIT", Lab.Kit); // the same for every test of this run
        Write("perf-lab.yaml", "schema: perf-lab/config/1\n");
        Write("theirs/bench/Bench.csproj", await File.ReadAllTextAsync(Path.Combine(Lab.Fixture("benchmarks"), "Some.Benchmarks", "Some.Benchmarks.csproj")));
        Write("theirs/bench/Program.cs", "BenchmarkDotNet.Running.BenchmarkRunner.Run<Sums>();\n");
        Write("theirs/bench/Sums.cs", Benchmarks);
        Write("theirs/global.json", """{ "sdk": { "version": "7.0.999", "rollForward": "disable" } }""");
        Git("init", "--quiet", "--initial-branch=main");
        Commit("pinned");
        File.Delete(Path.Combine(_folder, "theirs", "global.json"));
        Commit("free");
        string[] asked = ["run", "theirs/bench/Bench.csproj", "--base", "HEAD~1", "--head", "HEAD", "--runtime", "net10.0", "--dry-run", "--executor", "process"];

        var (code, output, error) = await RunAsync(asked);
        (code, output).ShouldBe((ExitCode.Failed, ""), error);
        error.ShouldContain("base can't be built: SDK 7.0.999, which ");
        error.ShouldContain("/theirs/global.json asks for, is not available here");
        error.ShouldContain("--sdk current");

        (code, output, error) = await RunAsync([.. asked, "--sdk", "current"]);
        code.ShouldBe(0, error);
        output.ShouldStartWith("plan: 1 cell");
        output.ShouldContain("Sums.Of");
        error.ShouldContain("its global.json asks for SDK 7.0.999, and it was built with ");
        error.ShouldContain("head builds the same bits as base: identical-build, and nothing of it is launched"); // but for global.json
    }

    public void Dispose() => Environment.SetEnvironmentVariable("PERF_LAB_KIT", null);

    private async Task<(int Code, string Out, string Error)> RunAsync(string[] arguments)
    {
        using StringWriter output = new(), error = new();
        var terminal = new Terminal { Out = output, Error = error, Root = _folder, WorkingFolder = _folder, MachineLock = Path.Combine(_folder, "machine.lock") };
        var code = await CommandLine.InvokeAsync(arguments, terminal, TestContext.Current.CancellationToken);
        return (code, output.ToString(), error.ToString());
    }

    private void Write(string name, string text)
    {
        var path = Path.Combine(_folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }

    private void Commit(string message)
    {
        Git("add", "-A");
        Git("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", message);
    }

    private void Git(params string[] arguments)
    {
        using var process = Process.Start("git", ["-C", Path.Combine(_folder, "theirs"), .. arguments]);
        process.WaitForExit();
        process.ExitCode.ShouldBe(0);
    }
}
