using PerfLab.Core.Model;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Launching;

public sealed class HowLaunchesEndTests(EngineFixture engine)
{
    // What a test waits for anyway: containers that do not end by themselves.
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(1);
    private static readonly EngineDeadlines ShortGrace = new() { Grace = TimeSpan.FromSeconds(1) };

    [Fact]
    public async Task A_script_has_the_tools_that_scripts_use()
    {
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync("for tool in sh bash awk sed grep find sort od date mktemp; do command -v $tool >/dev/null || { echo no $tool; exit 9; }; done; test \"$(echo 5 | awk '{ print $1 * 1.5 }')\" = 7.5");
        end.ExitCode.ShouldBe(0, end.Tail);
    }

    [Theory]
    [NightlyData("exit 0", 0)]
    [NightlyData("exit 5", 5)]
    [NightlyData("exit 255", 255)]
    [NightlyData("no-such-program", 127)]
    [NightlyData("kill -ABRT $$", 134)]
    [InlineData("kill -SEGV $$", 139)]
    public async Task An_exit_code_comes_back_as_it_was(string script, int exitCode)
    {
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync(script);
        end.How.ShouldBe(EndKind.Exited);
        end.ExitCode.ShouldBe(exitCode);
    }

    [Fact]
    public async Task A_failed_launch_says_its_last_twenty_lines_of_both_streams()
    {
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync("for i in $(seq 30); do echo \"line $i\"; done; sleep 0.3; echo wrong >&2; exit 3");
        end.ExitCode.ShouldBe(3);
        end.Tail.Split('\n').Length.ShouldBe(20);
        end.Tail.ShouldContain("line 30");
        end.Tail.ShouldContain("wrong");
        end.Tail.ShouldNotContain("line 10\n");
    }

    [Fact]
    public async Task A_launch_without_a_result_keeps_its_last_words_although_it_exited_with_zero()
    {
        await using var launches = Launches.On(engine);
        (await launches.RunAsync("echo nothing to report")).Tail.ShouldBe("nothing to report");
    }

    [Theory]
    [NightlyData("sleep 1000")]
    [NightlyData("trap '' TERM; while :; do sleep 1; done")]
    [InlineData("(trap '' TERM; sleep 1000) & (kill -STOP $BASHPID) & kill -STOP $$; sleep 1000")]
    public async Task A_launch_past_its_deadline_is_stopped_and_gone(string script)
    {
        await using var launches = Launches.On(engine, ShortGrace);
        var end = await launches.RunAsync(script, spec => spec with { Timeout = Soon });
        end.How.ShouldBe(EndKind.TimedOut);
        end.Reason.ShouldBeNull();
        await NothingIsLeftAsync(launches);
    }

    [Theory]
    [InlineData("yes perf-lab | head -c 1073741824")]
    [NightlyData("head -c 1073741824 /dev/zero")]
    [NightlyData("head -c 20000000 /dev/urandom")]
    public async Task A_flood_of_output_ends_the_launch_and_is_cut(string script)
    {
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync(script);
        end.How.ShouldBe(EndKind.Flooded);
        end.Reason.ShouldBe("printed more than 8 MiB");
        end.Tail.Length.ShouldBeLessThanOrEqualTo(4_000);
        end.Tail.Split('\n').Length.ShouldBeLessThanOrEqualTo(20);
        await NothingIsLeftAsync(launches);
    }

    [Fact]
    public async Task Memory_beyond_the_limit_is_out_of_memory()
    {
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync("exec tail /dev/zero");
        end.How.ShouldBe(EndKind.OutOfMemory);
        end.ExitCode.ShouldBe(137);
    }

    [Fact]
    public async Task A_child_out_of_memory_counts_although_its_parent_survived()
    {
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync("tail /dev/zero; exit 7");
        end.How.ShouldBe(EndKind.OutOfMemory);
        end.ExitCode.ShouldBe(7);
    }

    [Fact]
    public async Task A_fork_bomb_stays_within_its_limit_of_processes()
    {
        await using var launches = Launches.On(engine, ShortGrace);
        var end = await launches.RunAsync(
            "bomb() { bomb | bomb & }; bomb; sleep 1000",
            spec => spec with { Timeout = TimeSpan.FromSeconds(3), Resources = new Resources(1, 128 << 20, 40) });
        end.How.ShouldBeOneOf(EndKind.TimedOut, EndKind.Exited, EndKind.Flooded);
        end.Tail.ShouldContain("Resource temporarily unavailable");
        await NothingIsLeftAsync(launches);
    }

    [Theory]
    [InlineData("./no-such-file")]
    [NightlyData("no-such-program")]
    [NightlyData("./run.sh")] // it is there, and is not executable
    public async Task A_command_that_can_not_be_started_is_not_a_failure_of_the_workload(string command)
    {
        await using var launches = Launches.On(engine);
        var build = launches.Script("exit 0");
        await launches.Launcher.PrepareAsync([build], CancellationToken.None);
        var end = await launches.Launcher.LaunchAsync(launches.Spec(build, command), CancellationToken.None);
        end.How.ShouldBe(EndKind.NotStarted);
        end.Reason.ShouldNotBeNull().ShouldContain(command.TrimStart('.', '/'));
        await NothingIsLeftAsync(launches);
    }

    [Fact]
    public async Task Limits_that_the_engine_refuses_are_said_in_its_words()
    {
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync("exit 0", spec => spec with { Cpus = "4000" });
        end.How.ShouldBe(EndKind.NotStarted);
        end.Reason.ShouldNotBeNull().ShouldContain("4000");
        await NothingIsLeftAsync(launches);
    }

    private async Task NothingIsLeftAsync(Launches launches) => (await launches.LeftAsync(engine)).ShouldBe(0);
}
