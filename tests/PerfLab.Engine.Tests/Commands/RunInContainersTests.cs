using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Engine.Tests.Support;
using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Engine.Tests.Commands;

/// <summary>The whole program with the docker executor: the same answers as with processes, from sealed containers.</summary>
public sealed class RunInContainersTests(EngineFixture engine) : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task A_slow_down_is_called_regressed_and_auto_says_why_it_took_docker()
    {
        var (code, comparison, error) = await RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --fail-on regression --json");
        code.ShouldBe(3, error);
        error.ShouldContain("executor: docker, engine ");
        comparison!.Cells.Single().Change!.Value.ShouldBe(0.05, 1e-9);
    }

    [Fact]
    public async Task Every_kind_of_bad_launch_is_named_and_takes_nobody_with_it()
    {
        Nightly.Only("40 seconds");
        string[] bad = ["exit-7", "hang", "ignore-term", "flood", "no-result", "wrong-nonce", "nan", "wrong-unit", "symlink", "fifo", "directory", "out-of-memory"];
        var (code, comparison, error) = await RunAsync($"run behaving --vary behaviour=good,{string.Join(',', bad)} --rounds 0+14 --executor docker --json");
        code.ShouldBe(1, error);
        comparison!.Cells.Select(row => row.Arm).ShouldBe(bad);
        comparison.Cells.ShouldAllBe(row => row.Verdict == Verdict.Failed);
        string Said(string arm) => string.Join(' ', comparison.Cells.Single(row => row.Arm == arm).Warnings);
        Said("exit-7").ShouldContain("exit code 7");
        Said("hang").ShouldContain("timed-out");
        Said("out-of-memory").ShouldContain("out-of-memory");
        Said("wrong-nonce").ShouldContain("nonce");
        Said("fifo").ShouldContain("regular file");
    }

    private async Task<(int Code, Comparison? Comparison, string Error)> RunAsync(string arguments)
    {
        engine.Require();
        CopyBases();
        using var program = _lab.Start(arguments, ("DOCKER_HOST", engine.Endpoint.ToString()));
        var output = program.StandardOutput.ReadToEndAsync();
        var error = program.StandardError.ReadToEndAsync();
        await program.WaitForExitAsync();
        return (program.ExitCode, Comparison.File.Read(await output).Value, await error);
    }

    /// <summary>Base images made by other tests are used again: making them takes ten seconds.</summary>
    private void CopyBases()
    {
        var made = Path.Combine(EngineFixture.StoreFolder, "bases");
        if (!Directory.Exists(made))
        {
            return;
        }

        var bases = Directory.CreateDirectory(Path.Combine(_lab.Root, ".perf-lab", "bases")).FullName;
        // What another test is making now has another ending, and goes away under the copy.
        foreach (var file in Directory.EnumerateFiles(made, "*.tar"))
        {
            File.Copy(file, Path.Combine(bases, Path.GetFileName(file)));
        }
    }
}
