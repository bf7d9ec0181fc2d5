using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>The bare-metal agent's script as `pulumi up` calls it: over a real SSH server on loopback, with a pinned host key, twice.</summary>
[System.Runtime.Versioning.SupportedOSPlatform("linux")]
public sealed class MetalAgentTests : IAsyncLifetime
{
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

            """);
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
        "-o", "IdentitiesOnly=yes", "-F", "none", "root@127.0.0.1", $"PERF_LAB_AGENT_ROOT={At("root")} bash {Shell.Machine}/metal-agent.sh {arguments}",
    ]), input);

    /// <summary>A stand-in for the runner's config.sh: notes what it was told, and that it was.</summary>
    private void AddRunner()
    {
        Directory.CreateDirectory(At("root/opt/actions-runner"));
        File.WriteAllText(At("root/opt/actions-runner/config.sh"), "#!/bin/bash\nprintf '%s\\n' \"$*\" >>told; printf '%s' \"$ACTIONS_RUNNER_INPUT_TOKEN\" >token; touch .runner\n");
        File.SetUnixFileMode(At("root/opt/actions-runner/config.sh"), (UnixFileMode)0b111_101_101);
    }

    [Fact]
    public async Task Installing_twice_registers_once_and_changes_nothing_the_second_time()
    {
        AddRunner();
        const string token = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234";

        var first = await AgentAsync("install ryzen", $"{token}\nhttps://github.com/octocat/lab\n");
        var second = await AgentAsync("install ryzen");

        first.Exit.ShouldBe(0, first.Output);
        first.Output.ShouldContain("metal-agent: registered");
        second.Output.ShouldBe("install.sh: 0 changed\nmetal-agent: the runner is registered\n");
        var told = await File.ReadAllLinesAsync(At("root/opt/actions-runner/told"));
        told.ShouldHaveSingleItem().ShouldBe("--unattended --url https://github.com/octocat/lab --name ryzen --labels perf-lab-ryzen --no-default-labels --disableupdate --replace");
        (await File.ReadAllTextAsync(At("root/opt/actions-runner/token"))).ShouldBe(token);
    }

    [Fact]
    public async Task Removing_twice_leaves_nothing_of_ours_running()
    {
        await AgentAsync("install ryzen");

        var first = await AgentAsync("remove ryzen");
        var second = await AgentAsync("remove ryzen");

        (first.Exit, second.Exit).ShouldBe((0, 0), first.Output + second.Output);
        Directory.GetFiles(At("root"), "perf-lab-*", SearchOption.AllDirectories).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("install 'Ryzen; reboot'", "", "must match")]
    [InlineData("install ryzen", "$(reboot)\nhttps://github.com/octocat/lab\n", "not a registration token")]
    [InlineData("install ryzen", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234\nhttps://evil.test/x/y\n", "not the address of a repository")]
    [InlineData("reinstall ryzen", "", "install or remove")]
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
