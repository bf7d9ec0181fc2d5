using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>The bare-metal agent's script as `pulumi up` calls it: over a real SSH server on loopback, with a pinned host key, twice.</summary>
public sealed class MetalAgentTests : IAsyncLifetime
{
    private const string Token = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234";
    private const string RemovalToken = "ZYXWVUTSRQPONMLKJIHGFEDCBA432";
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");
    private Process? server;
    private int port;

    private string At(string name) => Path.Combine(folder.FullName, name);

    public async ValueTask InitializeAsync()
    {
        Shell.Need("sshd", "openssh-server");
        Shell.Need("ssh", "openssh-client");
        Shell.NeedRoot();
        foreach (var key in new[] { "host", "other", "user" })
        {
            await Shell.RunAsync("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", At(key));
        }

        using (var probe = new TcpListener(IPAddress.Loopback, 0))
        {
            probe.Start();
            port = ((IPEndPoint)probe.LocalEndpoint).Port;
        }

        Directory.CreateDirectory("/run/sshd");
        await File.WriteAllTextAsync(At("sshd_config"), $"""
            ListenAddress 127.0.0.1:{port}
            HostKey {At("host")}
            AuthorizedKeysFile {At("user.pub")}
            UsePAM no
            StrictModes no
            PidFile none
            SetEnv HOME={folder.FullName}

            """); // the start-up files of whoever runs the tests would be read at each login, and one that waits for a lock is killed with it
        server = Process.Start(new ProcessStartInfo("/usr/sbin/sshd", ["-D", "-e", "-f", At("sshd_config")]) { UseShellExecute = false, RedirectStandardError = true })!;
        await server.StandardError.ReadLineAsync();
        await PinAsync("host");
    }

    public ValueTask DisposeAsync()
    {
        server?.Kill(entireProcessTree: true);
        server?.Dispose();
        folder.Delete(recursive: true);
        return default;
    }

    private async Task PinAsync(string key) =>
        await File.WriteAllTextAsync(At("known_hosts"), $"[127.0.0.1]:{port.ToString(CultureInfo.InvariantCulture)} {await File.ReadAllTextAsync(At(key + ".pub"))}");

    private Task<ShellResult> AgentAsync(string arguments, string input = "") => Shell.RunAsync(new ProcessStartInfo("ssh",
    [
        "-p", port.ToString(CultureInfo.InvariantCulture), "-i", At("user"), "-o", $"UserKnownHostsFile={At("known_hosts")}", "-o", "StrictHostKeyChecking=yes", "-o", "BatchMode=yes",
        "-o", "IdentitiesOnly=yes", "-F", "none", "root@127.0.0.1", $"PERF_LAB_AGENT_ROOT={At("root")} PERF_LAB_AGENT_USER=nobody PERF_LAB_BUSY={At("busy")} PERF_LAB_PATIENCE=2 bash {Shell.Machine}/metal-agent.sh {arguments}",
    ]), input);

    /// <summary>A stand-in for the runner's config.sh: refuses root as that does, notes what it was told, and takes one removal token.</summary>
    private void AddRunner()
    {
        // The runner's user has to reach its folder.
        File.SetUnixFileMode(folder.FullName, (UnixFileMode)0b111_101_101);
        Directory.CreateDirectory(At("root/opt/actions-runner"));
        File.WriteAllText(At("root/opt/actions-runner/config.sh"), $$"""
            #!/bin/bash
            if [[ $(id -u) == 0 ]]; then echo 'Must not run with sudo'; exit 1; fi
            printf '%s\n' "$*" >>told; printf '%s' "$ACTIONS_RUNNER_INPUT_TOKEN" >token; tr '\0' ' ' </proc/$PPID/cmdline >parent
            if [[ $1 != remove ]]; then printf '{\n  "agentName": "ryzen",\n  "gitHubUrl": "https://github.com/octocat/lab"\n}\n' >.runner; exit; fi
            if [[ $* == 'remove --local' ]]; then rm .runner; exit; fi
            if [[ $ACTIONS_RUNNER_INPUT_TOKEN != {{RemovalToken}} ]]; then echo 'Http response code: NotFound'; exit 1; fi
            rm .runner

            """.ReplaceLineEndings("\n"));
        File.SetUnixFileMode(At("root/opt/actions-runner/config.sh"), (UnixFileMode)0b111_101_101);
    }

    [Fact]
    public async Task Installing_twice_registers_once_and_changes_nothing_the_second_time()
    {
        AddRunner();

        var first = await AgentAsync("install ryzen", $"{Token}\nhttps://github.com/octocat/lab\n");
        var second = await AgentAsync("install ryzen");

        first.Exit.ShouldBe(0, first.Output);
        first.Output.ShouldContain("metal-agent: registered");
        second.Output.ShouldBe("install.sh: 0 changed\nmetal-agent: the runner is registered\n");
        var told = await File.ReadAllLinesAsync(At("root/opt/actions-runner/told"));
        told.ShouldHaveSingleItem().ShouldBe("--unattended --url https://github.com/octocat/lab --name ryzen --labels perf-lab-ryzen --no-default-labels --disableupdate --replace");
        (await File.ReadAllTextAsync(At("root/opt/actions-runner/token"))).ShouldBe(Token);
    }

    /// <summary>GitHub drops a runner that it has not seen for 14 days; the agent's files still say that it is registered.</summary>
    [Fact]
    public async Task Another_token_registers_anew_what_GitHub_has_forgotten()
    {
        Nightly.Only("20 seconds");
        AddRunner();
        await AgentAsync("install ryzen", $"{Token}\nhttps://github.com/octocat/lab\n");

        var same = await AgentAsync("install ryzen", $"{Token}\nhttps://github.com/octocat/lab\n");
        var other = await AgentAsync("install ryzen", $"{Token}5\nhttps://github.com/octocat/lab\n");

        same.Output.ShouldContain("metal-agent: the runner is registered\n");
        other.Output.ShouldContain("another token: the runner is registered anew\nmetal-agent: registered\n");
        File.ReadAllLines(At("root/opt/actions-runner/told")).Select(line => line.Split(' ')[0]).ShouldBe(["--unattended", "remove", "--unattended"]);
    }

    [Fact]
    public async Task New_files_wait_for_the_job_that_runs_and_change_nothing_when_it_does_not_end()
    {
        Nightly.Only("10 seconds");
        AddRunner();
        await File.WriteAllTextAsync(At("busy"), "");

        var refused = await AgentAsync("install ryzen", $"{Token}\nhttps://github.com/octocat/lab\n");
        var waiting = AgentAsync("install ryzen", $"{Token}\nhttps://github.com/octocat/lab\n");
        await Task.Delay(500, TestContext.Current.CancellationToken);
        File.Delete(At("busy"));

        refused.Exit.ShouldBe(75);
        refused.Output.ShouldContain("a job still runs after 2 s, and nothing was changed");
        (await waiting).Output.ShouldContain("metal-agent: registered");
    }

    [Fact]
    public async Task Only_the_lab_s_own_workflow_on_the_default_branch_gets_in()
    {
        AddRunner();
        await AgentAsync("install ryzen", $"{Token}\nhttps://github.com/octocat/lab\n");
        var hook = new Func<string, Task<ShellResult>>(workflow => Shell.RunAsync(new ProcessStartInfo(
            Path.Combine(Shell.Machine, "files/usr/local/lib/perf-lab/job-started"), [At("root/etc/perf-lab/allowed-workflow")])
        {
            Environment = { ["GITHUB_WORKFLOW_REF"] = workflow, ["PERF_LAB_BUSY"] = At("busy"), ["PERF_LAB_DONE"] = At("done") },
        }, null));

        foreach (var stranger in new[]
        {
            "octocat/lab/.github/workflows/trend.yml@refs/pull/7/merge", "octocat/lab/.github/workflows/trend.yml@refs/heads/other",
            "octocat/lab/.github/workflows/evil.yml@refs/heads/main", "octocat/lab/.github/workflows/benchmark.yml@refs/pull/7/merge",
            "octocat/lab/.github/workflows/benchmark.yml@refs/heads/other", "other/lab/.github/workflows/benchmark.yml@refs/heads/main", "",
        })
        {
            (await hook(stranger)).Exit.ShouldBe(1, stranger);
            File.Exists(At("busy")).ShouldBeFalse();
        }

        File.Exists(At("done")).ShouldBeFalse("a refused job leaves nothing to wipe");
        var ours = await hook("octocat/lab/.github/workflows/benchmark.yml@refs/heads/main");
        ours.Exit.ShouldBe(0, ours.Output);
        File.Exists(At("busy")).ShouldBeTrue();
        var second = await hook("octocat/lab/.github/workflows/trend.yml@refs/heads/main");
        second.Output.ShouldContain("an earlier job has ended without its clean-up");
        File.Exists(At("done")).ShouldBeTrue("the machine reboots");
        File.Delete(At("busy"));
        (await hook("octocat/lab/.github/workflows/trend.yml@refs/heads/main")).Exit.ShouldBe(0);
        File.Delete(At("busy"));
        await File.WriteAllTextAsync(At("root/etc/perf-lab/allowed-workflow"), ".*\n");
        (await hook(".*")).Output.ShouldContain("does not name a workflow");
    }

    [Fact]
    public async Task Removing_twice_leaves_nothing_of_ours_running()
    {
        Nightly.Only("15 seconds");
        await AgentAsync("install ryzen");

        var first = await AgentAsync("remove ryzen");
        var second = await AgentAsync("remove ryzen");

        (first.Exit, second.Exit).ShouldBe((0, 0), first.Output + second.Output);
        Directory.GetFiles(At("root"), "perf-lab-*", SearchOption.AllDirectories).ShouldBeEmpty();
    }

    [Fact]
    public async Task Removing_with_a_removal_token_takes_the_runner_off_the_list_and_never_shows_the_token()
    {
        AddRunner();
        await AgentAsync("install ryzen", $"{Token}\nhttps://github.com/octocat/lab\n");

        var first = await AgentAsync("remove ryzen", RemovalToken + "\n");
        var second = await AgentAsync("remove ryzen", RemovalToken + "\n");

        first.Output.ShouldBe("metal-agent: removed ryzen\nmetal-agent: the runner has left the list on GitHub\n");
        second.Output.ShouldBe("metal-agent: removed ryzen\nmetal-agent: no runner is registered here\n");
        File.ReadAllLines(At("root/opt/actions-runner/told"))[1..].ShouldBe(["remove"]);
        (await File.ReadAllTextAsync(At("root/opt/actions-runner/parent"))).ShouldNotContain(RemovalToken);
    }

    [Theory]
    [NightlyData("", "no removal token came on stdin")]
    [InlineData("ABCDEFGHIJKLMNOPQRSTUVWXYZ234\nhttps://github.com/octocat/lab\n", "GitHub did not take the token")]
    [NightlyData("$(reboot)\n", "no removal token came on stdin")]
    public async Task Without_a_token_that_GitHub_takes_the_removal_ends_well_and_says_what_is_left_to_do_and_where(string input, string says)
    {
        AddRunner();
        await AgentAsync("install ryzen", $"{Token}\nhttps://github.com/octocat/lab\n");

        var result = await AgentAsync("remove ryzen", input);

        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldContain(says);
        result.Output.ShouldContain("ryzen STILL STANDS IN THE LIST ON GITHUB");
        result.Output.ShouldContain("https://github.com/octocat/lab/settings/actions/runners > ryzen > Remove runner");
        Directory.GetFiles(At("root"), "perf-lab-*", SearchOption.AllDirectories).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("install 'Ryzen; reboot'", "", "must match")]
    [InlineData("install ryzen", "$(reboot)\nhttps://github.com/octocat/lab\n", "not a registration token")]
    [InlineData("install ryzen", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234\nhttps://evil.test/x/y\n", "not the address of a repository")]
    [InlineData("reinstall ryzen", "", "install, remove or runner")]
    public async Task Wrong_input_is_refused(string arguments, string input, string says)
    {
        AddRunner();

        var result = await AgentAsync(arguments, input);

        result.Exit.ShouldBe(1);
        result.Output.ShouldContain(says);
        File.Exists(At("root/opt/actions-runner/told")).ShouldBeFalse();
    }

    [Fact]
    public async Task Another_host_key_is_fatal()
    {
        await PinAsync("other");

        var result = await AgentAsync("install ryzen");

        result.Exit.ShouldBe(255);
        result.Output.ShouldContain("Host key verification failed");
        Directory.Exists(At("root")).ShouldBeFalse();
    }
}
