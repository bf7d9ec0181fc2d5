using PerfLab.Core.Model;
using PerfLab.Launching;
using PerfLab.Launching.Processes;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>The same launches inside bubblewrap, where it is installed and works.</summary>
public sealed class SandboxTests : IAsyncDisposable
{
    private readonly ScriptFixture scripts = new(sandbox: true);

    public ValueTask DisposeAsync() => scripts.DisposeAsync();

    [Fact]
    public async Task a_result_gets_out_of_the_sandbox()
    {
        await SkipUnlessSealed();

        var end = await scripts.Run("echo \"$PERF_LAB_RESULT\"; pwd; printf hello > \"$PERF_LAB_RESULT\"");

        (end.How, end.Tail).ShouldBe((EndKind.Exited, "/out/result.json\n/app\n"));
        File.ReadAllText(end.ResultFile).ShouldBe("hello");
    }

    [Fact]
    public async Task the_environment_is_exact_in_the_sandbox_too()
    {
        await SkipUnlessSealed();

        var end = await scripts.Run("", launch => launch with { Command = ["env"], Environment = [new("PATH", "/usr/bin:/bin"), new("B", "1"), new("NONE", ""), new("A", "2")] });

        end.Tail.ShouldBe("PATH=/usr/bin:/bin\nB=1\nNONE=\nA=2\nPERF_LAB_RESULT=/out/result.json\n");
    }

    [Theory]
    [InlineData("echo x > /app/new")]
    [InlineData("echo x > /new")]
    [InlineData("echo x > /usr/new")]
    [InlineData("cat /etc/shadow")]
    [InlineData("ls /home /root /var")]
    [InlineData("kill -0 " + "$(cat parent)")]
    [InlineData("grep -q : /proc/net/route && cut -f1 /proc/net/route | grep -v Iface | grep .")]
    public async Task what_the_sandbox_closes_is_closed(string attempt)
    {
        await SkipUnlessSealed();
        scripts.Write("parent", $"{Environment.ProcessId}");

        var end = await scripts.Run($"{attempt} 2>/dev/null && echo open; exit 0");

        end.Tail.ShouldNotContain("open");
    }

    [Theory]
    [InlineData("exit 5", EndKind.Exited, 5)]
    [InlineData("kill -SEGV $$", EndKind.Exited, 139)]
    [InlineData("kill -ABRT $$", EndKind.Exited, 134)]
    [InlineData("kill -KILL $$", EndKind.KilledFromOutside, 137)]
    public async Task ends_are_told_apart_through_the_sandbox(string script, EndKind how, int code)
    {
        await SkipUnlessSealed();

        var end = await scripts.Run($"sh -c '{script}'");

        // The inner shell's end is the outer one's exit code: the sandbox passes signals on in the same form.
        (end.How, end.ExitCode).ShouldBe((how, code));
    }

    [Fact]
    public async Task a_hanging_group_is_ended_in_the_sandbox()
    {
        await SkipUnlessSealed();
        var marker = $"{Random.Shared.Next(100_000, 999_999)}";

        var end = await scripts.Run(
            $"trap '' TERM; setsid sleep {marker} & setsid sleep {marker}", launch => launch with { Timeout = TimeSpan.FromMilliseconds(500) });

        end.How.ShouldBe(EndKind.TimedOut);
        Directory.EnumerateDirectories("/proc").Where(folder => CommandLine(folder).Contains($"sleep\0{marker}", StringComparison.Ordinal)).ShouldBeEmpty();
    }

    [Fact]
    public async Task memory_is_limited_in_the_sandbox()
    {
        await SkipUnlessSealed();
        Assert.SkipUnless((await scripts.Launcher.DescribeAsync(default))["memoryLimit"]!.GetValue<string>() is not "none", "needs a memory cgroup");

        var end = await scripts.Run(
            "dd if=/dev/zero of=/dev/null bs=200M count=1; exit 7", launch => launch with { Resources = new Resources(1, 32 << 20, 64) });

        end.How.ShouldBe(EndKind.OutOfMemory);
    }

    [Fact]
    public async Task the_limit_is_seen_from_inside_where_a_runtime_looks_for_it()
    {
        await SkipUnlessSealed();
        Assert.SkipUnless((await scripts.Launcher.DescribeAsync(default))["memoryLimit"]!.GetValue<string>() is not "none", "needs a memory cgroup");

        var end = await scripts.Run(
            "cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null; exit 0",
            launch => launch with { Resources = new Resources(1, 32 << 20, 64) });

        end.Tail.ShouldBe($"{32 << 20}\n");
    }

    [Fact]
    public async Task a_missing_interpreter_is_said_by_the_sandbox()
    {
        await SkipUnlessSealed();
        scripts.Write("lost", "#!/nowhere/sh\n");

        (await scripts.Run("", launch => launch with { Command = ["./lost"] })).How.ShouldBe(EndKind.NotStarted);
    }

    [Fact]
    public async Task without_bubblewrap_the_warning_says_so()
    {
        var root = Directory.CreateTempSubdirectory("perf-lab-test-");
        await using (var launcher = ProcessLauncher.Create(new ProcessExecutorOptions { TemporaryRoot = root.FullName, ToolPath = "/nowhere" }))
        {
            launcher.Warnings[0].ShouldStartWith("unsealed, own code only: ");
        }

        root.Delete(recursive: true);
    }

    [Fact]
    public async Task a_bubblewrap_that_is_forbidden_is_said_with_its_own_words()
    {
        scripts.Write("bwrap", "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n");
        await using var launcher = ProcessLauncher.Create(new ProcessExecutorOptions { TemporaryRoot = scripts.Root, ToolPath = scripts.Folder });

        launcher.Warnings[0].ShouldContain("bubblewrap does not work here (bwrap: setting up uid map: Permission denied)");
    }

    private static string CommandLine(string folder)
    {
        try
        {
            return File.ReadAllText(Path.Combine(folder, "cmdline"));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }

    private async Task SkipUnlessSealed()
    {
        var sandbox = (await scripts.Launcher.DescribeAsync(default))["sandbox"]!.GetValue<string>();
        Assert.SkipUnless(sandbox is "bubblewrap", scripts.Launcher.Warnings[0]);
    }
}
