using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>What goes onto a machine, held against the tools that will read it there.</summary>
public sealed class ValidatorTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    public void Dispose() => folder.Delete(recursive: true);

    private string Write(string name, string text)
    {
        var path = Path.Combine(folder.FullName, name);
        File.WriteAllText(path, text);
        return path;
    }

    [Fact]
    public async Task Cloud_init_accepts_the_first_boot()
    {
        Shell.Need("cloud-init", "cloud-init");

        var result = await Shell.RunAsync("cloud-init", "schema", "--config-file", Path.Combine(Shell.Machine, "cloud-init.yaml"));

        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldContain("Valid cloud-config");
    }

    [Fact]
    public async Task Cloud_init_accepts_what_a_request_brings()
    {
        Shell.Need("cloud-init", "cloud-init");
        var text = CustomData.CloudConfig(Azure.CustomDataTests.Jit, new Lease(new LeaseHolder(1, 1), DateTimeOffset.UnixEpoch));

        var result = await Shell.RunAsync("cloud-init", "schema", "--config-file", Write("user-data", text));

        result.Exit.ShouldBe(0, result.Output);
    }

    [Theory]
    [InlineData("write_files:\n  - path: /a\n    permissions: 0644\n")]
    [NightlyData("write_files:\n  - path: on\n    permissions: 0777\n")]
    [NightlyData("runcmd: reboot\n")]
    [NightlyData("write_files:\n\t- path: /a\n")]
    [NightlyData("runcmd: [!!python/object:os.system [id]]\n")]
    public async Task The_validator_would_have_found_a_mistake(string seeded)
    {
        Shell.Need("cloud-init", "cloud-init");

        (await Shell.RunAsync("cloud-init", "schema", "--config-file", Write("bad.yaml", "#cloud-config\n" + seeded))).Exit.ShouldNotBe(0);
    }

    [Fact]
    public async Task The_committed_cloud_init_is_the_one_that_its_files_make()
    {
        var made = await Shell.RunAsync(Path.Combine(Shell.Machine, "make-cloud-init"));

        made.Output.ShouldBe(await File.ReadAllTextAsync(Path.Combine(Shell.Machine, "cloud-init.yaml")));
    }

    [Fact]
    public async Task Shellcheck_has_nothing_to_say_about_any_script()
    {
        Shell.Need("shellcheck", "shellcheck");
        var scripts = Directory.GetFiles(Shell.Machine, "*", SearchOption.AllDirectories).Where(file => File.ReadLines(file).FirstOrDefault()?.EndsWith("bash", StringComparison.Ordinal) is true).ToArray();

        var result = await Shell.RunAsync("shellcheck", scripts);

        scripts.Length.ShouldBe(17);
        result.Output.ShouldBeEmpty();
    }

    [Fact]
    public async Task The_firewall_rules_parse()
    {
        Shell.Need("nft", "nftables");
        Shell.NeedRoot();
        // The watchdog's user is made by install.sh and doesn't exist here.
        var rules = (await File.ReadAllTextAsync(Path.Combine(Shell.Machine, "files/etc/nftables.d/perf-lab.nft"))).Replace("perf-lab-watch", "nobody");
        var result = await Shell.RunAsync("/usr/sbin/nft", "--check", "--file", Write("rules.nft", rules));
        Assert.SkipWhen(result.Output.Contains("Operation not permitted", StringComparison.Ordinal), "this sandbox lets nobody check firewall rules");

        result.Exit.ShouldBe(0, result.Output);
    }

    [Fact]
    public async Task Systemd_accepts_every_unit_with_all_warnings_as_errors()
    {
        Shell.Need("systemd-analyze", "systemd");
        var root = await RootWithStubsAsync();

        var result = await Shell.RunAsync("systemd-analyze", ["verify", "--recursive-errors=yes", $"--root={root}", .. Units()]);

        result.Exit.ShouldBe(0, result.Output);
    }

    [Theory]
    [NightlyData("Type=exec", "Type=exac")]
    [InlineData("KillMode=mixed", "KilMode=mixed")]
    [NightlyData("ExecStart=/usr/local", "ExecStart=/usr/lokal")]
    public async Task Systemd_would_have_found_a_mistake(string right, string wrong)
    {
        Shell.Need("systemd-analyze", "systemd");
        var root = await RootWithStubsAsync();
        var unit = Path.Combine(root, "etc/systemd/system/perf-lab-runner.service");
        await File.WriteAllTextAsync(unit, (await File.ReadAllTextAsync(unit)).Replace(right, wrong));

        (await Shell.RunAsync("systemd-analyze", "verify", "--recursive-errors=yes", $"--root={root}", "perf-lab-runner.service")).Exit.ShouldNotBe(0);
    }

    private static string[] Units() => [.. Directory.GetFiles(Path.Combine(Shell.Machine, "files/etc/systemd/system")).Select(Path.GetFileName).OfType<string>().Order(StringComparer.Ordinal)];

    /// <summary>A folder with this machine's own units, ours, and empty programs where the units expect some.</summary>
    private async Task<string> RootWithStubsAsync()
    {
        var root = Path.Combine(folder.FullName, "root");
        Directory.CreateDirectory(Path.Combine(root, "lib"));
        await Shell.RunAsync("cp", "-a", "/lib/systemd", Path.Combine(root, "lib", "systemd"));
        (await Shell.RunAsync(Path.Combine(Shell.Machine, "install.sh"), "azure", "--root", root)).Exit.ShouldBe(0);
        foreach (var program in new[] { "opt/actions-runner/run.sh", "usr/sbin/nft", "usr/bin/dockerd" })
        {
            var path = Path.Combine(root, program);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            await File.WriteAllTextAsync(path, "#!/bin/sh\n");
            File.SetUnixFileMode(path, (UnixFileMode)0b111_101_101);
        }

        var docker = Path.Combine(root, "etc/systemd/system/docker.service");
        await File.WriteAllTextAsync(docker, "[Unit]\nDescription=Docker\n[Service]\nExecStart=/usr/bin/dockerd\n");
        return root;
    }
}
