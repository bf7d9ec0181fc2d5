using System.Diagnostics;
using PerfLab.Core.Model;
using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>Programs that hang, hide or eat memory: the launch ends, and nothing of it is left.</summary>
public sealed class HostileProcessTests : IAsyncDisposable
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(400);
    private readonly ScriptFixture scripts = new();

    public ValueTask DisposeAsync() => scripts.DisposeAsync();

    [Theory]
    [InlineData("echo $$ > pids; exec sleep 60")]
    [InlineData("trap '' TERM; echo $$ > pids; while :; do sleep 0.05; done")]
    [InlineData("echo $$ > pids; kill -STOP $$; sleep 60")]
    [InlineData("trap 'exit 0' TERM; echo $$ > pids; while :; do sleep 0.05; done")]
    public async Task a_program_that_does_not_end_is_ended(string script)
    {
        var end = await scripts.Run(script, launch => launch with { Timeout = Short });

        end.How.ShouldBe(EndKind.TimedOut);
        end.Reason!.ShouldContain("0.4 s");
        scripts.Pids("pids").ShouldAllBe(pid => !ScriptFixture.IsRunning(pid));
    }

    [Theory]
    [InlineData("sleep 60 & echo $! > pids")]
    [InlineData("setsid sleep 60 & echo $! > pids; sleep 0.1")]
    [InlineData("setsid sh -c 'sleep 60 & echo $! > pids'; sleep 0.1")]
    [InlineData("sh -c 'trap \"\" TERM HUP; echo $$ > pids; while :; do sleep 0.05; done' & sleep 0.2")]
    public async Task children_that_outlive_their_parent_are_killed(string script)
    {
        var end = await scripts.Run(script);

        (end.How, end.ExitCode).ShouldBe((EndKind.Exited, 0));
        scripts.Pids("pids").ShouldAllBe(pid => !ScriptFixture.IsRunning(pid));
        end.Evidence.ContainsKey("survivors").ShouldBeFalse();
    }

    [Fact]
    public async Task a_child_that_left_everything_is_found_by_its_cgroup()
    {
        Assert.SkipUnless(await HasMemoryLimit(), "needs a memory cgroup: root, or a delegated one");

        await scripts.Run("env -i /usr/bin/setsid /bin/sleep 60 & echo $! > pids; sleep 0.2");

        scripts.Pids("pids").ShouldAllBe(pid => !ScriptFixture.IsRunning(pid));
    }

    [Fact]
    public async Task only_the_last_lines_are_kept_of_both_streams()
    {
        var end = await scripts.Run("seq 1 1000; sleep 0.05; echo problem >&2");

        end.Tail.Split('\n', StringSplitOptions.RemoveEmptyEntries).ShouldBe([.. Enumerable.Range(982, 19).Select(i => $"{i}"), "problem"]);
    }

    [Fact]
    public async Task binary_output_becomes_text_that_json_can_hold()
    {
        var end = await scripts.Run("printf 'a\\377\\000\\033[31mz'");

        end.Tail.ShouldBe("a\uFFFD\0\u001b[31mz");
    }

    [Fact]
    public async Task more_memory_than_allowed_is_out_of_memory()
    {
        Assert.SkipUnless(await HasMemoryLimit(), "needs a memory cgroup: root, or a delegated one");

        var end = await scripts.Run("exec dd if=/dev/zero of=/dev/null bs=200M count=1", launch => launch with { Resources = new Resources(1, 32 << 20, 64) });

        end.How.ShouldBe(EndKind.OutOfMemory);
        end.Reason!.ShouldContain("32 MiB");
        end.Evidence["peakMemoryBytes"]!.GetValue<long>().ShouldBeInRange(8 << 20, 33 << 20);
    }

    [Fact]
    public async Task a_child_killed_for_memory_is_out_of_memory_too()
    {
        Assert.SkipUnless(await HasMemoryLimit(), "needs a memory cgroup: root, or a delegated one");

        var end = await scripts.Run("dd if=/dev/zero of=/dev/null bs=200M count=1; exit 7", launch => launch with { Resources = new Resources(1, 32 << 20, 64) });

        (end.How, end.ExitCode).ShouldBe((EndKind.OutOfMemory, 7));
        end.Reason!.ShouldContain("child");
    }

    [Fact]
    public async Task a_managed_heap_at_its_limit_is_out_of_memory()
    {
        var end = await scripts.Run("echo 'Out of memory.' >&2; kill -ABRT $$");

        (end.How, end.ExitCode).ShouldBe((EndKind.OutOfMemory, 134));
    }

    [Fact]
    public async Task cancelling_throws_and_leaves_no_process()
    {
        using var source = new CancellationTokenSource();
        var launch = scripts.Launch("setsid sleep 60 & echo $! > pids; echo $$ >> pids; : > ready; sleep 60");
        var running = scripts.Launcher.LaunchAsync(launch, source.Token);
        while (!File.Exists(Path.Combine(scripts.Folder, "ready")))
        {
            await Task.Delay(10);
        }

        await source.CancelAsync();

        await Should.ThrowAsync<OperationCanceledException>(running);
        scripts.Pids("pids").ShouldAllBe(pid => !ScriptFixture.IsRunning(pid));
    }

    [Fact]
    public async Task a_launch_gets_no_descriptor_but_its_own_three()
    {
        var end = await scripts.Run("exec ls /proc/self/fd");

        end.Tail.ShouldBe("0\n1\n2\n3\n", "3 is the listing itself");
    }

    /// <summary>Tests beside this one open descriptors too, and close them again: what a launch leaks stays.</summary>
    [Fact]
    public async Task launches_do_not_leak_descriptors()
    {
        await scripts.Run("exit 0");
        var before = Descriptors();
        for (var i = 0; i < 10; i++)
        {
            await scripts.Run("exit 0");
        }

        var left = Descriptors().Except(before).ToHashSet();
        for (var begun = Stopwatch.GetTimestamp(); left.Count >= 10 && Stopwatch.GetElapsedTime(begun) < TimeSpan.FromSeconds(60);)
        {
            await Task.Delay(200);
            left.IntersectWith(Descriptors());
        }

        left.Count.ShouldBeLessThan(10, string.Join('\n', left));
    }

    /// <summary>"12 pipe:[4711]": the number alone is given again.</summary>
    private static HashSet<string> Descriptors() =>
        [.. Directory.EnumerateFiles("/proc/self/fd").Select(path => $"{Path.GetFileName(path)} {new FileInfo(path).LinkTarget}")];

    private async Task<bool> HasMemoryLimit() =>
        (await scripts.Launcher.DescribeAsync(default))["memoryLimit"]!.GetValue<string>() is not "none";
}
