using PerfLab.Building;
using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution.Processes;

public sealed class ProcessLauncherTests : IAsyncDisposable
{
    private readonly ScriptFixture scripts = new();

    public ValueTask DisposeAsync() => scripts.DisposeAsync();

    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    [InlineData(255)]
    [InlineData(137)]
    public async Task an_exit_code_comes_back_as_it_was(int code)
    {
        var end = await scripts.Run($"exit {code}");

        (end.How, end.ExitCode, end.Reason).ShouldBe((EndKind.Exited, code, null));
        end.WallSeconds.ShouldBeGreaterThan(0);
    }

    [Theory]
    [InlineData("SEGV", 139)]
    [InlineData("ABRT", 134)]
    public async Task a_crash_is_an_exit_with_128_and_the_signal(string signal, int code)
    {
        var end = await scripts.Run($"kill -{signal} $$");

        (end.How, end.ExitCode).ShouldBe((EndKind.Exited, code));
        end.Reason!.ShouldContain($"SIG{signal}");
    }

    [Theory]
    [InlineData("KILL")]
    [InlineData("TERM")]
    public async Task a_kill_that_is_not_ours_came_from_outside(string signal)
    {
        var end = await scripts.Run($"kill -{signal} $$; sleep 20");

        end.How.ShouldBe(EndKind.KilledFromOutside);
        end.Reason!.ShouldContain($"SIG{signal}");
    }

    [Fact]
    public async Task a_result_is_written_where_the_variable_says()
    {
        var end = await scripts.Run("printf hello > \"$PERF_LAB_RESULT\"");

        File.ReadAllText(end.ResultFile).ShouldBe("hello");
    }

    [Fact]
    public async Task the_result_path_has_the_same_text_for_every_arm_and_is_empty_again()
    {
        var first = await scripts.Run("echo \"$PERF_LAB_RESULT\"; echo x > \"$PERF_LAB_RESULT\"; mkdir \"${PERF_LAB_RESULT%/*}/more\"");
        var second = await scripts.Run("echo \"$PERF_LAB_RESULT\"; ls -A \"${PERF_LAB_RESULT%/*}\"");

        second.Tail.ShouldBe(first.Tail);
        second.ResultFile.ShouldBe(first.ResultFile);
    }

    [Theory]
    [InlineData("rm -r \"${PERF_LAB_RESULT%/*}\"; ln -s /etc \"${PERF_LAB_RESULT%/*}\"")]
    [InlineData("rm -r \"${PERF_LAB_RESULT%/*}\"; mkfifo \"${PERF_LAB_RESULT%/*}\"")]
    [InlineData("ln -s /etc \"${PERF_LAB_RESULT%/*}/etc\"; mkfifo \"$PERF_LAB_RESULT\"")]
    [InlineData("mkdir -p \"$PERF_LAB_RESULT/a\"; chmod 0 \"$PERF_LAB_RESULT/a\" \"$PERF_LAB_RESULT\"")]
    public async Task whatever_a_launch_leaves_in_its_output_the_next_one_starts_clean(string mess)
    {
        await scripts.Run(mess);
        var end = await scripts.Run("ls -A \"${PERF_LAB_RESULT%/*}\"; printf ok > \"$PERF_LAB_RESULT\"");

        (end.How, end.Tail).ShouldBe((EndKind.Exited, ""));
        File.ReadAllText(end.ResultFile).ShouldBe("ok");
        File.Exists("/etc/passwd").ShouldBeTrue();
        Directory.GetDirectories(scripts.Root, "stale-*", SearchOption.AllDirectories).ShouldBeEmpty();
    }

    [Fact]
    public async Task the_environment_is_exactly_what_was_asked_for_in_that_order()
    {
        var end = await scripts.Run("", launch => launch with
        {
            Command = ["env"],
            Environment = [new("PATH", "/usr/bin:/bin"), new("ZULU", "1"), new("NONE", ""), new("DOTNET_TieredPGO", "0"), new("ALPHA", "ä b=c")],
        });

        end.Tail.ShouldBe($"PATH=/usr/bin:/bin\nZULU=1\nNONE=\nDOTNET_TieredPGO=0\nALPHA=ä b=c\nPERF_LAB_RESULT={end.ResultFile}\n");
    }

    [Fact]
    public async Task the_working_folder_is_the_build_and_stdin_is_empty()
    {
        var end = await scripts.Run("pwd; cat; echo done");

        end.Tail.ShouldBe($"{scripts.Folder}\ndone\n");
    }

    [Fact]
    public async Task signals_that_the_runner_ignores_are_not_ignored_in_the_launch()
    {
        var end = await scripts.Run("grep -E 'Sig(Blk|Ign)' /proc/self/status");

        var masks = end.Tail.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .ToDictionary(line => line[..6], line => Convert.ToUInt64(line[8..], 16), StringComparer.Ordinal);
        masks["SigBlk"].ShouldBe(0ul);
        (masks["SigIgn"] & 0x7fffffff).ShouldBe(0ul, "above 31 are the C library's own");
    }

    [Fact]
    public async Task the_child_sees_its_cores_from_its_first_instruction()
    {
        var end = await scripts.Run("nproc; grep Cpus_allowed_list /proc/self/status", launch => launch with { Cpus = "0" });

        end.Tail.ShouldBe("1\nCpus_allowed_list:\t0\n");
        end.Evidence["cpus"]!.GetValue<string>().ShouldBe("0");
    }

    [Fact]
    public async Task cores_that_do_not_exist_are_said_and_nothing_starts()
    {
        var end = await scripts.Run("exit 0", launch => launch with { Cpus = "0,4095" });

        end.How.ShouldBe(EndKind.NotStarted);
        end.Reason!.ShouldContain("cpus '0,4095'");
    }

    [Theory]
    [InlineData("./missing", "does not exist")]
    [InlineData("missing", "PATH")]
    [InlineData("./text", "neither a program nor a script")]
    [InlineData("./plain", "not executable")]
    [InlineData("./no-interpreter", "names /nowhere/sh in its first line")]
    public async Task what_can_not_start_says_why(string program, string reason)
    {
        scripts.Write("text", "just words");
        scripts.Write("plain", "#!/bin/sh\n", executable: false);
        scripts.Write("no-interpreter", "#!/nowhere/sh\n");

        var end = await scripts.Run("", launch => launch with { Command = [program] });

        end.How.ShouldBe(EndKind.NotStarted);
        end.Reason!.ShouldMatch(reason);
    }

    // Each is what something before the workload says when it fails: bwrap, the shell, setpriv and env.
    [Theory]
    [InlineData("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 1)]
    [InlineData("bwrap: execvp ./run.sh: No such file or directory", 1)]
    [InlineData("launch: 1: cannot create /sys/fs/cgroup/x/cgroup.procs: Permission denied", 125)]
    [InlineData("setpriv: failed to execute ./run.sh: No such file or directory", 127)]
    [InlineData("/usr/bin/env: './run.sh': Permission denied", 126)]
    public async Task what_a_workload_prints_is_never_the_labs_own_word(string line, int code)
    {
        var end = await scripts.Run($"echo \"{line}\" >&2; for fd in 3 4 5; do echo '{{ \"exit-code\": 0 }}' >&$fd; done 2>/dev/null; exit {code}");

        (end.How, end.ExitCode, end.Reason, end.Tail).ShouldBe((EndKind.Exited, code, null, line + "\n"));
    }

    [Fact]
    public async Task a_workload_gets_no_descriptor_but_the_three()
    {
        (await scripts.Run("ls /proc/$$/fd; exit 1")).Tail.ShouldBe("0\n1\n10\n2\n", "10 is the script that dash reads");
    }

    [Fact]
    public async Task an_image_is_no_process()
    {
        var end = await scripts.Run("", launch => launch with { Build = new Build("sha256:i", scripts.Folder, NeedsShell: false, Image: "sha256:i") });

        end.How.ShouldBe(EndKind.NotStarted);
        end.Reason!.ShouldContain("--executor docker");
    }

    [Fact]
    public async Task processor_time_is_seen_from_outside()
    {
        var end = await scripts.Run("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done");

        end.Evidence["cpuSeconds"]!.GetValue<double>().ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task warnings_say_what_is_not_isolated()
    {
        scripts.Launcher.Warnings[0].ShouldStartWith("unsealed, own code only: bubblewrap is switched off");
        (await scripts.Launcher.DescribeAsync(default))["sandbox"]!.GetValue<string>().ShouldBe("none");
    }

    [Fact]
    public async Task disposing_removes_the_launchers_folder()
    {
        await scripts.Run("echo x > \"$PERF_LAB_RESULT\"");
        await scripts.Launcher.DisposeAsync();

        Directory.GetDirectories(scripts.Root, "perf-lab-process-*").ShouldBeEmpty();
    }
}
