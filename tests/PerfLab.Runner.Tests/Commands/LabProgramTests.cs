using System.Diagnostics;
using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>`perf-lab lab …` as a process: the program of the machines answers, as if it had been started itself.</summary>
public sealed class LabProgramTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Theory]
    [InlineData("lab", true)]
    [InlineData("lab start azure-d4s --minutes 10", true)]
    [InlineData("--verbose lab status", true)]
    [InlineData("--help lab", true)]
    [InlineData("[diagram] lab status", true)]
    [InlineData("", false)]
    [InlineData("--help", false)]
    [InlineData("labs", false)]
    [InlineData("list lab", false)]
    [InlineData("run --base lab", false)]
    public void it_is_meant_when_lab_is_the_command(string typed, bool isMeant) =>
        LabProgram.IsMeant(typed.Split(' ', StringSplitOptions.RemoveEmptyEntries)).ShouldBe(isMeant);

    [Theory]
    [InlineData("./perf-lab lab st", true)]
    [InlineData("perf-lab --verbose lab ", true)]
    [InlineData("./perf-lab la", false)]
    [InlineData("./perf-lab run lab", false)]
    [InlineData("./perf-lab ", false)]
    public void so_it_is_when_a_shell_asks_what_may_follow(string line, bool isMeant) =>
        LabProgram.IsMeant([$"[suggest:{line.Length}]", line]).ShouldBe(isMeant);

    [Theory]
    [InlineData("published/", "published/")]
    [InlineData("runner/PerfLab.Runner/bin/Release/net10.0/", "runner/PerfLab.Lab/bin/Release/net10.0/")]
    [InlineData("artifacts/bin/PerfLab.Runner/release/", "artifacts/bin/PerfLab.Lab/release/")]
    [InlineData("PerfLab.Runner/PerfLab.Runner/debug/", "PerfLab.Runner/PerfLab.Lab/debug/")]
    [InlineData("runner/PerfLab.Runner/bin/Release/net10.0/", "runner/PerfLab.Lab/bin/Debug/net10.0/", false)]
    [InlineData("published/", "elsewhere/", false)]
    public void it_is_found_beside_or_where_it_was_built(string own, string its, bool isFound = true)
    {
        var file = At(its + "perf-lab-lab.dll");
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, "");
        LabProgram.Find(At(own)).ShouldBe(isFound ? file : null);
    }

    [Fact]
    public void the_list_of_commands_says_of_it_what_it_says_itself()
    {
        var listed = LabProgram.Listed();
        var own = BothPrograms.Root().Subcommands.Single(command => command.Name == listed.Name);
        listed.Description.ShouldBe(own.Description);
        own.Subcommands.Count.ShouldBe(6);
    }

    [Fact]
    public async Task its_exit_code_and_its_streams_are_those_of_perf_lab()
    {
        using var wrong = _lab.Start("lab strat");
        var (said, error) = (wrong.StandardOutput.ReadToEndAsync(), wrong.StandardError.ReadToEndAsync());
        await wrong.WaitForExitAsync();
        (wrong.ExitCode, await said).ShouldBe((2, ""));
        (await error).ShouldBe("perf-lab: 'strat' is not a command of lab. Did you mean start?\nSee `./perf-lab lab --help`.\n");
    }

    [Fact]
    public async Task it_reads_what_was_piped_into_perf_lab()
    {
        using var asking = _lab.Start("lab configure --from -");
        await asking.StandardInput.WriteAsync("{ \"strange\": 1 }");
        asking.StandardInput.Close();
        (await asking.StandardError.ReadToEndAsync()).ShouldContain("strange");
        await asking.WaitForExitAsync();
        asking.ExitCode.ShouldBe(2);
    }

    [Fact]
    public async Task its_help_names_what_a_person_types()
    {
        using var help = _lab.Start("lab start --help");
        var text = await help.StandardOutput.ReadToEndAsync();
        text.ShouldContain("  perf-lab lab start <machine> [options]");
        text.ShouldNotContain(LabProgram.Name);
    }

    /// <summary>No process stands between: systemd, a shell and a workflow reach the one that works.</summary>
    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public async Task a_signal_to_perf_lab_interrupts_it(string signal)
    {
        // It asks Pulumi for as long as that takes.
        var pulumi = At("bin/pulumi");
        Directory.CreateDirectory(At("bin"));
        await File.WriteAllTextAsync(pulumi, "#!/bin/sh\necho $PPID >asked.new; mv asked.new asked\nexec sleep 20\n");
        Executable.Make(pulumi);
        using var configuring = _lab.Start("lab configure", ("PATH", $"{At("bin")}:{Environment.GetEnvironmentVariable("PATH")}"));
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        while (!File.Exists(At("asked")))
        {
            await Task.Delay(50, patience.Token);
        }

        int.Parse(await File.ReadAllTextAsync(At("asked"))).ShouldBe(configuring.Id);
        using var kill = Process.Start("kill", ["-" + signal, $"{configuring.Id}"]);
        (await configuring.StandardError.ReadToEndAsync(patience.Token)).ShouldBe("perf-lab: interrupted.\n");
        await configuring.WaitForExitAsync(patience.Token);
        configuring.ExitCode.ShouldBe(130);
    }

    private string At(string path) => Path.Combine(_lab.Root, path);
}
