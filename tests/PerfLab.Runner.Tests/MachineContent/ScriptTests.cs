using System.Diagnostics;
using System.Text;

namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>The scripts, run for real into a folder, and twice: the second time changes nothing.</summary>
public sealed class ScriptTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    public void Dispose() => folder.Delete(recursive: true);

    private string Root => Path.Combine(folder.FullName, "root");

    private async Task<string> SnapshotAsync() =>
        (await Shell.RunAsync("bash", "-c", $"cd '{Root}' && find . -printf '%p %m %l\\n' | LC_ALL=C sort && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum")).Output;

    [Theory]
    [InlineData("azure")]
    [NightlyData("metal")]
    public async Task Installing_twice_is_the_same_as_once(string kind)
    {
        var install = Path.Combine(Shell.Machine, "install.sh");

        var first = await Shell.RunAsync(install, kind, "--root", Root);
        var afterFirst = await SnapshotAsync();
        var second = await Shell.RunAsync(install, kind, "--root", Root);

        first.Exit.ShouldBe(0, first.Output);
        second.Output.ShouldBe("install.sh: 0 changed\n");
        (await SnapshotAsync()).ShouldBe(afterFirst);
        new FileInfo(Path.Combine(Root, "etc/systemd/system/multi-user.target.wants/perf-lab-watchdog.service")).LinkTarget.ShouldBe(kind == "azure" ? "/etc/systemd/system/perf-lab-watchdog.service" : null);
        new FileInfo(Path.Combine(Root, "etc/systemd/system/apt-daily.timer")).LinkTarget.ShouldBe("/dev/null");
    }

    [Theory]
    [InlineData("azure")]
    [InlineData("metal")]
    public async Task Only_an_agent_that_stays_has_a_runner_that_stays(string kind)
    {
        await Shell.RunAsync(Path.Combine(Shell.Machine, "install.sh"), kind, "--root", Root);

        new FileInfo(Path.Combine(Root, "etc/systemd/system/multi-user.target.wants/perf-lab-metal-runner.service")).LinkTarget.ShouldBe(kind == "metal" ? "/etc/systemd/system/perf-lab-metal-runner.service" : null);
    }

    /// <summary>With stand-ins for everything that would change this machine.</summary>
    [Fact]
    public async Task A_fresh_user_owns_the_runner_of_the_agent()
    {
        var (tools, runner) = (Directory.CreateDirectory(Path.Combine(folder.FullName, "tools")).FullName, Directory.CreateDirectory(Path.Combine(folder.FullName, "runner")).FullName);
        foreach (var tool in new[] { "id", "pkill", "userdel", "useradd", "usermod", "getent", "chown", "rm", "install" })
        {
            await File.WriteAllTextAsync(Path.Combine(tools, tool), $"#!/bin/bash\nprintf '%s\\n' \"{tool} $*\" >>'{folder.FullName}/told'\n");
            Executable.Make(Path.Combine(tools, tool));
        }

        var start = new ProcessStartInfo("/bin/bash", [Path.Combine(Shell.Machine, "files/usr/local/lib/perf-lab/reset-user"), "lab-test", runner]) { Environment = { ["PATH"] = $"{tools}:/usr/bin:/bin" } };
        var result = await Shell.RunAsync(start, null);

        result.Exit.ShouldBe(0, result.Output);
        (await File.ReadAllLinesAsync(Path.Combine(folder.FullName, "told"))).ShouldBe(
        [
            "id lab-test", "pkill -KILL -u lab-test", "userdel --remove lab-test", "rm -rf -- /home/lab-test", "useradd --create-home --shell /usr/sbin/nologin lab-test",
            $"rm -rf -- {runner}/_work", $"chown -R -- lab-test: {runner}", "install -d -m 0775 -g lab-test /run/perf-lab", "getent group docker", "usermod --append --groups docker lab-test",
        ]);
    }

    [Fact]
    public async Task What_an_owner_changed_is_kept_and_what_is_ours_is_put_right()
    {
        var install = Path.Combine(Shell.Machine, "install.sh");
        await Shell.RunAsync(install, "azure", "--root", Root);
        var conf = Path.Combine(Root, "etc/perf-lab/machine.conf");
        await File.WriteAllTextAsync(conf, "KIND=azure\nLAB_CPUS=0-3\n");
        await File.AppendAllTextAsync(Path.Combine(Root, "usr/local/lib/perf-lab/quiet"), "rm -rf /\n");

        (await Shell.RunAsync(install, "azure", "--root", Root)).Output.ShouldBe("install.sh: 1 changed\n");

        (await File.ReadAllTextAsync(conf)).ShouldContain("0-3");
    }

    [Fact]
    public async Task The_quiet_settings_are_written_where_they_exist_and_named_absent_where_not()
    {
        await Shell.RunAsync(Path.Combine(Shell.Machine, "install.sh"), "metal", "--root", Root);
        foreach (var (path, value) in new[] { ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave"), ("sys/devices/system/cpu/cpufreq/boost", "1"), ("proc/sys/kernel/randomize_va_space", "0"), ("proc/irq/7/smp_affinity_list", "0-7") })
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(Root, path))!);
            await File.WriteAllTextAsync(Path.Combine(Root, path), value + "\n");
        }

        var start = () => new ProcessStartInfo(Path.Combine(Shell.Machine, "files/usr/local/lib/perf-lab/quiet")) { Environment = { ["PERF_LAB_SYSROOT"] = Root } };
        var first = await Shell.RunAsync(start(), null);
        var second = await Shell.RunAsync(start(), null);

        first.Exit.ShouldBe(0, first.Output);
        second.Output.ShouldBe(first.Output);
        first.Output.Split('\n').Select(line => string.Join(' ', line.Split(' ', StringSplitOptions.RemoveEmptyEntries))).ShouldBe(
            ["scaling_governor performance", "enabled absent", "randomize_va_space 2", "nmi_watchdog absent", "numa_balancing absent", "smp_affinity_list 0-1", "boost 0", "boost absent", "no_turbo absent", "control absent", ""]);
        (await File.ReadAllTextAsync(Path.Combine(Root, "sys/devices/system/cpu/cpufreq/boost"))).ShouldBe("0\n");
    }

    [Fact]
    public async Task The_runner_gets_its_configuration_by_a_variable_and_nothing_else_sees_it()
    {
        Shell.Need("jq", "jq");
        Shell.NeedRoot();
        var (blob, record) = await FakeRunnerAsync(Azure.CustomDataTests.Jit, UnixFileMode.UserRead | UnixFileMode.UserWrite);

        var result = await StartRunnerAsync(blob);

        result.Exit.ShouldBe(0, result.Output);
        var lines = await File.ReadAllLinesAsync(record);
        lines[0].ShouldBe("nobody");
        lines[1].ShouldBe(Azure.CustomDataTests.Jit);
        lines[2].ShouldNotContain(Azure.CustomDataTests.Jit[..20]);
        // As the kernel has it: a job's steps have no capability, and gain none by a setuid program.
        lines[3..].Select(line => string.Join(' ', line.Split('\t'))).ShouldBe(["CapPrm: 0000000000000000", "CapEff: 0000000000000000", "NoNewPrivs: 1"]);
        File.Exists(blob).ShouldBeFalse();
        File.Exists(Path.Combine(folder.FullName, "heartbeat")).ShouldBeTrue();
    }

    [Theory]
    [InlineData("not base 64!", true, 65)]
    [InlineData("QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB", true, 66)]
    [InlineData("eyIucnVubmVyIjoiIn0gICAgICAgICAgICAgICAgICAgICAgICAgICAg", true, 66)]
    [InlineData("anything", false, 64)]
    public async Task A_configuration_that_is_none_starts_nothing(string text, bool secret, int exit)
    {
        Shell.Need("jq", "jq");
        Shell.NeedRoot();
        var (blob, record) = await FakeRunnerAsync(text, secret ? UnixFileMode.UserRead | UnixFileMode.UserWrite : (UnixFileMode)0b110_100_100);

        (await StartRunnerAsync(blob)).Exit.ShouldBe(exit);

        File.Exists(record).ShouldBeFalse();
    }

    /// <summary>A release as GitHub offers it, from a folder.</summary>
    private async Task<(string Versions, ProcessStartInfo Start)> ReleaseAsync(string? digest = null)
    {
        var release = Directory.CreateDirectory(Path.Combine(folder.FullName, "release", "v9.9.9")).FullName;
        await File.WriteAllTextAsync(Path.Combine(release, "run.sh"), "#!/bin/bash\n");
        var archive = Path.Combine(release, "actions-runner-linux-x64-9.9.9.tar.gz");
        (await Shell.RunAsync("tar", "--create", "--gzip", "--file", archive, "--directory", release, "run.sh")).Exit.ShouldBe(0);
        var sum = digest ?? (await Shell.RunAsync("sha256sum", archive)).Output.Split(' ')[0];
        var versions = Path.Combine(folder.FullName, "versions");
        await File.WriteAllTextAsync(versions, $"RUNNER_VERSION=9.9.9\nRUNNER_SHA256={sum}\n");
        return (versions, new ProcessStartInfo(Path.Combine(Shell.Machine, "files/usr/local/lib/perf-lab/get-runner"), [versions, Path.Combine(folder.FullName, "runner"), Environment.UserName])
        {
            Environment = { ["PERF_LAB_RUNNER_FROM"] = "file://" + Path.Combine(folder.FullName, "release") },
        });
    }

    [Fact]
    public async Task The_runner_is_fetched_once_and_a_new_version_replaces_it()
    {
        Shell.Need("curl", "curl");
        var (versions, start) = await ReleaseAsync();

        (await Shell.RunAsync(start, null)).Output.ShouldBe("get-runner: 9.9.9\n");
        File.Exists(Path.Combine(folder.FullName, "runner", "run.sh")).ShouldBeTrue();
        (await Shell.RunAsync((await ReleaseAsync()).Start, null)).Output.ShouldBe("get-runner: 9.9.9 is there\n");
        await File.WriteAllTextAsync(versions, (await File.ReadAllTextAsync(versions)).Replace("9.9.9", "9.9.10", StringComparison.Ordinal));
        (await Shell.RunAsync(start, null)).Exit.ShouldNotBe(0, "nobody offers 9.9.10");
    }

    [Fact]
    public async Task Bytes_with_another_digest_are_not_installed_and_both_digests_are_said()
    {
        Shell.Need("curl", "curl");
        var (_, start) = await ReleaseAsync(new string('0', 64));

        var result = await Shell.RunAsync(start, null);

        result.Exit.ShouldBe(65);
        result.Output.ShouldContain($"what came is not the runner 9.9.9: its SHA-256 is ");
        result.Output.ShouldContain(new string('0', 64));
        Directory.Exists(Path.Combine(folder.FullName, "runner")).ShouldBeFalse();
    }

    /// <summary>GitHub tells a runner that is too old so, and the runner ends: nothing beats any more, and the watchdog deletes the machine.</summary>
    [Fact]
    public async Task A_runner_that_GitHub_refuses_ends_and_its_heartbeat_with_it()
    {
        Shell.Need("jq", "jq");
        Shell.NeedRoot();
        var (blob, _) = await FakeRunnerAsync(Azure.CustomDataTests.Jit, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        await File.WriteAllTextAsync(Path.Combine(folder.FullName, "run.sh"), "#!/bin/bash\necho 'Runner version v2.300.0 is deprecated and cannot receive messages.'\nexit 0\n", new UTF8Encoding(false));

        var result = await StartRunnerAsync(blob);

        result.Output.ShouldContain("is deprecated and cannot receive messages", customMessage: "the boot log shows it");
        File.Delete(Path.Combine(folder.FullName, "heartbeat"));
        await Task.Delay(100, TestContext.Current.CancellationToken);
        File.Exists(Path.Combine(folder.FullName, "heartbeat")).ShouldBeFalse();
    }

    private async Task<(string Blob, string Record)> FakeRunnerAsync(string text, UnixFileMode mode)
    {
        File.SetUnixFileMode(folder.FullName, (UnixFileMode)0b111_111_111);
        var (blob, run, record) = (Path.Combine(folder.FullName, "jit"), Path.Combine(folder.FullName, "run.sh"), Path.Combine(folder.FullName, "record"));
        await File.WriteAllTextAsync(blob, text);
        File.SetUnixFileMode(blob, mode);
        await File.WriteAllTextAsync(run, $"#!/bin/bash\n{{ id -un; printf '%s\\n' \"$ACTIONS_RUNNER_INPUT_JITCONFIG\"; tr '\\0' ' ' </proc/$$/cmdline; echo; grep -E '^(NoNewPrivs|CapPrm|CapEff):' /proc/$$/status; }} >'{record}'; sleep 0.3\n", new UTF8Encoding(false));
        Executable.Make(run);
        return (blob, record);
    }

    private Task<ShellResult> StartRunnerAsync(string blob) => Shell.RunAsync(
        Path.Combine(Shell.Machine, "files/usr/local/lib/perf-lab/start-runner"), blob, folder.FullName, "nobody", Path.Combine(folder.FullName, "heartbeat"));
}
