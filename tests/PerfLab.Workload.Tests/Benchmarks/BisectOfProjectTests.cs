using PerfLab.Core.Model;

namespace PerfLab.Workload.Tests.Benchmarks;

/// <summary>`bisect` over a real repository of benchmarks: real builds, real lists of what ran, real launches.</summary>
[Collection("PERF_LAB_KIT")] // they set it for the process, and take it away
public sealed class BisectOfProjectTests(Lab lab) : IDisposable
{
    private readonly ScratchRepository _repository = new(lab.NewFolder());

    [Fact]
    public async Task commits_that_change_nothing_that_the_benchmark_runs_are_not_measured()
    {
        Assert.SkipUnless(Nightly.IsAsked, "./perf-lab test --all runs it: it takes three minutes");
        Environment.SetEnvironmentVariable("PERF_LAB_KIT", Lab.Kit); // the same for every test of this run
        _repository.Write("perf-lab.yaml", "schema: perf-lab/config/1\n");
        _repository.Write("bench/Bench.csproj", await File.ReadAllTextAsync(Path.Combine(Lab.Fixture("benchmarks"), "Some.Benchmarks", "Some.Benchmarks.csproj")));
        _repository.Write("bench/Program.cs", "BenchmarkDotNet.Running.BenchmarkRunner.Run<Sums>();\n");
        _repository.Write(".gitignore", ".perf-lab/\n");
        _repository.Git("init", "--quiet", "--initial-branch=main");
        Commit("Begin", 1000, 31);
        Commit("Other a", 1000, 33);
        Commit("Other b", 1000, 35);
        Commit("Culprit", 2000, 35);
        Commit("Other c", 2000, 37);
        Commit("Other d", 2000, 39);
        string[] asked = ["bisect", "bench/Bench.csproj", "--filter", "*Sums.A", "--runtime", "net10.0", "--executor", "process"];

        var (code, output, error) = await RunAsync([.. asked, "--good", "HEAD~5"]);
        code.ShouldBe(ExitCode.Done, error);
        output.ShouldContain("`Culprit`");
        output.ShouldContain("commits were built and not measured: nothing that it runs differs");
        output.ShouldContain("1 probe, ");
        error.ShouldContain(" here: the changed method does not run in it");

        (code, _, error) = await RunAsync([.. asked, "--good", "HEAD~5", "--bad", "HEAD~3"]);
        code.ShouldBe(ExitCode.Failed, error);
        error.ShouldContain("no commit between them can have changed it: the changed method does not run in it");
    }

    public void Dispose() => Environment.SetEnvironmentVariable("PERF_LAB_KIT", null);

    private Task<(int Code, string Out, string Error)> RunAsync(string[] arguments) =>
        TypedCommand.RunAsync(_repository.Folder, arguments);

    private void Commit(string subject, int steps, int factor)
    {
        _repository.Write("bench/Sums.cs", $$"""
            using BenchmarkDotNet.Attributes;
            public static class Work
            {
                public static int Hot(int x) { for (var i = 0; i < {{steps}}; i++) { x = x * 31 + i; } return x; }
                public static int Other(int x) { for (var i = 0; i < 100; i++) { x = x * {{factor}} + i; } return x; }
            }
            [SimpleJob(warmupCount: 1, iterationCount: 1)]
            public class Sums { [Benchmark] public int A() => Work.Hot(1); [Benchmark] public int B() => Work.Other(1); }
            """);
        _repository.Commit(subject);
    }
}
