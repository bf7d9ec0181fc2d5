namespace PerfLab.Runner.Tests.Commands;

/// <summary>What is said before anything is launched: `run --dry-run`, with an engine and without, and what `doctor` says then.</summary>
public sealed class DryRunCommandTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task a_dry_run_says_what_would_run_and_launches_nothing()
    {
        var (code, output, _) = await _lab.RunAsync("run both --base time=100 --head time=105 --dry-run --seed 7");
        code.ShouldBe(0);
        output.ShouldContain("2 cells, 0+20 rounds, 80 launches");
        output.ShouldContain("[base: time=100 | head: time=105]");
        (await _lab.RunAsync("run both --base time=100 --head time=105 --dry-run --rounds 5")).Out.ShouldContain("2 cells, 0+5 rounds (a direction and no verdict: 13 may give one), 20 launches");
        (await _lab.RunAsync("run both --dry-run --rounds 5")).Out.ShouldContain("2 cells, 0+5 rounds, 10 launches");
        Directory.Exists(Path.Combine(_lab.Root, ".perf-lab", "sessions")).ShouldBeFalse();
    }

    [Fact]
    public async Task arms_that_mean_the_same_are_told_and_launch_nothing()
    {
        var (code, output, _) = await _lab.RunAsync("run behaving --base time=100 --head time=100 --dry-run --executor process");
        code.ShouldBe(0);
        output.ShouldStartWith("plan: 1 cell, of which nothing is to be launched\n");
        output.ShouldContain("head is the same as base: identical-build, nothing of it is launched; --aa measures one against itself\n");
        (await _lab.RunAsync("run behaving --aa --dry-run --executor process")).Out.ShouldNotContain("is the same as");
        (await _lab.RunAsync("run behaving --base time=1 --head time=2 --dry-run --executor process")).Out.ShouldNotContain("is the same as");
    }

    [Fact]
    public async Task a_dry_run_says_which_executor_it_would_take()
    {
        Nightly.Only("10 seconds");
        var (code, output, error) = await DryRunWithoutEngineAsync("process");
        (code, error).ShouldBe((0, ""));
        output.ShouldContain("  executor process\n");
        (code, output, error) = await DryRunWithoutEngineAsync("auto");
        code.ShouldBe(0, error);
        output.ShouldContain("  executor process\n");
        error.ShouldContain("executor: process, because no Docker engine answered");
    }

    [Fact]
    public async Task a_dry_run_with_an_executor_that_is_not_here_ends_as_the_run_would()
    {
        var (code, output, error) = await DryRunWithoutEngineAsync("docker");
        code.ShouldBe(1, error);
        output.ShouldContain("2 cells, 0+20 rounds, 80 launches");
        output.ShouldNotContain("  executor");
        error.ShouldContain("There is no such socket: start an engine or set DOCKER_HOST.");
        error.ShouldContain("to do:");
        (await _lab.RunAsync("run --command true --executor docker --dry-run")).Code.ShouldBe(2);
    }

    [Fact]
    public async Task doctor_without_an_engine_says_that_no_base_image_is_needed()
    {
        Nightly.Only("15 seconds");
        var (_, output, error) = await WithoutEngineAsync("doctor --policy any");
        output.ShouldContain("executor auto takes", Case.Sensitive, error);
        output.ShouldContain("not needed: without an engine, launches are processes");
    }

    private Task<(int Code, string Out, string Error)> DryRunWithoutEngineAsync(string executor) =>
        WithoutEngineAsync($"run both --base time=100 --head time=105 --dry-run --executor {executor}");

    private async Task<(int Code, string Out, string Error)> WithoutEngineAsync(string arguments)
    {
        using var program = _lab.Start(arguments, ("DOCKER_HOST", $"unix://{_lab.Root}/no.sock"));
        var error = program.StandardError.ReadToEndAsync();
        var output = await program.StandardOutput.ReadToEndAsync();
        await program.WaitForExitAsync();
        return (program.ExitCode, output, await error);
    }

    [Fact]
    public async Task a_dry_run_for_machines_is_the_plan()
    {
        var (code, output, error) = await _lab.RunAsync("run both --base time=100 --head time=105 --dry-run --json --seed 7");
        code.ShouldBe(0, error);
        output.ShouldBe((await _lab.RunAsync("plan both --base time=100 --head time=105 --seed 7")).Out);
        error.ShouldContain("2 cells, 0+20 rounds, 80 launches");
    }
}
