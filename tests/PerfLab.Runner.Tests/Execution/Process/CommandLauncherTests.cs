using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Processes;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>Commands as a person typed them, started with nothing around them.</summary>
public sealed class CommandLauncherTests : IAsyncDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("perf-lab-test-");
    private readonly CommandLauncher _launcher = new(
        [new("PATH", "/usr/bin:/bin"), new("MINE", "yes"), new("PERF_LAB_ROOT", "/somewhere")]);

    [Fact]
    public async Task a_command_gets_the_persons_folder_and_environment_and_the_padding()
    {
        Write("run.sh", "#!/bin/sh\nenv | sort > environment; pwd > folder; readlink /proc/self/fd/0 /proc/self/fd/1 > ends; exit 0");
        (await RunAsync("./run.sh")).How.ShouldBe(EndKind.Exited);
        var environment = Read("environment").Split('\n')
            .Where(line => !line.StartsWith("PWD=", StringComparison.Ordinal) && !line.StartsWith("_=", StringComparison.Ordinal)
                && !line.StartsWith("OLDPWD", StringComparison.Ordinal) && !line.StartsWith("SHLVL", StringComparison.Ordinal)).ToList();
        environment.Where(line => !line.StartsWith("PERF_LAB_RESULT=", StringComparison.Ordinal) && line.Length > 0)
            .ShouldBe(["MINE=yes", "PATH=/usr/bin:/bin", "PERF_LAB_PAD=xxx"]);
        (Read("folder").Trim(), Read("ends").Split('\n')[0]).ShouldBe((_root.FullName, "/dev/null"));
    }

    [Fact]
    public async Task ten_gigabytes_on_stdout_go_nowhere_and_cost_the_lab_nothing()
    {
        Nightly.Only("10 seconds");
        var end = await RunAsync("head", "-c", "10000000000", "/dev/zero");
        (end.How, end.ExitCode, end.Tail).ShouldBe((EndKind.Exited, 0, ""));
    }

    [Fact]
    public async Task a_flood_on_stderr_is_stopped_and_its_end_is_kept()
    {
        Write("run.sh", "#!/bin/sh\nexec yes 'too much' >&2");
        var end = await RunAsync("./run.sh");
        (end.How, end.Reason).ShouldBe((EndKind.Flooded, "printed more than 16 MiB: stopped by the lab"));
        end.Tail.ShouldContain("too much");
    }

    [Fact]
    public async Task an_exit_code_is_a_failed_launch_with_its_last_words()
    {
        Write("run.sh", "#!/bin/sh\necho to nowhere\necho 'no such input' >&2\nexit 3");
        var end = await RunAsync("./run.sh");
        (end.How, end.ExitCode, end.Tail).ShouldBe((EndKind.Exited, 3, "no such input\n"));
    }

    [Fact]
    public async Task a_command_that_hangs_is_stopped_with_its_children()
    {
        Write("run.sh", "#!/bin/sh\ntrap '' TERM\nsleep 60 &\necho $! > child\nwait\nwait");
        var end = await RunAsync(launch => launch with { Timeout = TimeSpan.FromSeconds(0.3) }, "./run.sh");
        (end.How, end.Reason).ShouldBe((EndKind.TimedOut, "no end after 0.3 s: stopped by the lab"));
        ScriptFixture.IsRunning(int.Parse(Read("child"), System.Globalization.CultureInfo.InvariantCulture)).ShouldBeFalse();
    }

    [Fact]
    public async Task what_a_command_leaves_behind_is_killed()
    {
        Write("run.sh", "#!/bin/sh\nsetsid sleep 60 &\necho $! > child");
        (await RunAsync("./run.sh")).How.ShouldBe(EndKind.Exited);
        ScriptFixture.IsRunning(int.Parse(Read("child"), System.Globalization.CultureInfo.InvariantCulture)).ShouldBeFalse();
    }

    [Theory]
    [InlineData("SEGV", EndKind.Exited, "segmentation fault (SIGSEGV)")]
    [InlineData("KILL", EndKind.KilledFromOutside,
        "SIGKILL came from something that is not the lab; memory is not limited here, so it may have been the kernel for want of memory")]
    public async Task a_command_that_a_signal_ended_says_which(string signal, EndKind how, string reason)
    {
        Write("run.sh", $"#!/bin/sh\nkill -{signal} $$");
        var end = await RunAsync("./run.sh");
        (end.How, end.Reason).ShouldBe((how, reason));
    }

    [Fact]
    public async Task a_program_that_is_changed_while_it_is_measured_is_not_launched_again()
    {
        Write("run.sh", "#!/bin/sh\nexit 0");
        (await RunAsync("./run.sh")).How.ShouldBe(EndKind.Exited);
        Write("run.sh", "#!/bin/sh\n# built anew\nexit 0");
        var end = await RunAsync("./run.sh");
        (end.How, end.Reason).ShouldBe((EndKind.NotStarted, $"{_root.FullName}/run.sh changed while it was measured"));
    }

    [Fact]
    public async Task a_program_that_is_gone_is_said_in_a_sentence() =>
        (await RunAsync("./run.sh")).Reason.ShouldBe($"there is no {_root.FullName}/run.sh.");

    [Fact]
    public async Task a_launch_can_be_cancelled()
    {
        using var stop = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
        await Should.ThrowAsync<OperationCanceledException>(() => _launcher.LaunchAsync(Launch(["sleep", "60"]), stop.Token));
    }

    [Fact]
    public async Task the_time_is_that_of_the_program_and_so_is_the_cpu_time()
    {
        var end = await RunAsync("sleep", "0.2");
        end.WallSeconds.ShouldBeGreaterThan(0.2);
        end.Evidence["cpuSeconds"]!.GetValue<double>().ShouldBeLessThan(0.1);
    }

    private Task<LaunchEnd> RunAsync(params string[] command) => RunAsync(launch => launch, command);

    private Task<LaunchEnd> RunAsync(Func<LaunchSpec, LaunchSpec> change, params string[] command) =>
        _launcher.LaunchAsync(change(Launch(command)), TestContext.Current.CancellationToken);

    private LaunchSpec Launch(string[] command)
    {
        return new()
        {
            Session = "test",
            Build = new Build("sha256:test", _root.FullName, NeedsShell: false),
            Command = command,
            Environment = [new("HOME", "/tmp"), new(EnvironmentPad.Variable, "xxx")],
            Resources = new Resources(1, 1 << 20, 1),
            Timeout = TimeSpan.FromSeconds(60),
        };
    }

    private string Read(string name) => File.ReadAllText(Path.Combine(_root.FullName, name));

    private void Write(string name, string text)
    {
        var file = Path.Combine(_root.FullName, name);
        File.WriteAllText(file, text + "\n");
        Executable.Make(file);
    }

    public async ValueTask DisposeAsync()
    {
        await _launcher.DisposeAsync();
        _root.Delete(recursive: true);
    }
}
