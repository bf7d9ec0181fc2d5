using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>The watchdog of the first minutes, against a metadata service and an Azure on loopback.</summary>
public sealed class WatchScriptTests : IDisposable
{
    private const string Id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/lab-1_00000001";
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");
    private readonly TcpListener server = new(IPAddress.Loopback, 0);
    private readonly List<string> asked = [];

    public WatchScriptTests()
    {
        Shell.Need("curl", "curl");
        Shell.Need("jq", "jq");
        server.Start();
        _ = ServeAsync();
    }

    public void Dispose()
    {
        server.Dispose();
        folder.Delete(recursive: true);
    }

    private string At(string name) => Path.Combine(folder.FullName, name);

    private ProcessStartInfo Watch(int patience = 100_000_000)
    {
        var address = FormattableString.Invariant($"http://127.0.0.1:{((IPEndPoint)server.LocalEndpoint).Port}");
        return new(Path.Combine(Shell.Machine, "files/usr/local/lib/perf-lab/watch"), [At("program"), At("lease"), FormattableString.Invariant($"{patience}")])
        {
            Environment = { ["PERF_LAB_METADATA"] = address, ["PERF_LAB_AZURE"] = address, ["PERF_LAB_PAUSE"] = "0.1" },
        };
    }

    [Fact]
    public async Task A_lease_that_is_over_deletes_this_machine_with_its_own_identity()
    {
        await File.WriteAllTextAsync(At("lease"), "4711/1/2020-01-01T00:00:00Z");

        var result = await Shell.RunAsync(Watch(), null);

        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldContain("the lease 4711/1/2020-01-01T00:00:00Z is over: deleting this machine");
        asked[^1].ShouldBe($"DELETE {Id}?api-version=2023-07-01 Bearer token-of-this-machine");
        result.Output.ShouldNotContain("token-of-this-machine");
    }

    [Theory]
    [InlineData("4711/1/2099-01-01T00:00:00Z")]
    [InlineData("$(reboot)")]
    [InlineData("")]
    public async Task Without_a_program_the_machine_ends_whatever_the_lease_says(string lease)
    {
        await File.WriteAllTextAsync(At("lease"), lease);

        (await Shell.RunAsync(Watch(patience: 0), null)).Output.ShouldContain("no program came within 0 s of the boot");
        asked[^1].ShouldStartWith("DELETE ");
    }

    [Fact]
    public async Task When_the_program_comes_it_takes_over()
    {
        await File.WriteAllTextAsync(At("lease"), "4711/1/2099-01-01T00:00:00Z");
        await File.WriteAllTextAsync(At("new"), "#!/bin/bash\necho \"program: $*\"\n", new UTF8Encoding(false));
        Executable.Make(At("new"));
        var running = Shell.RunAsync(Watch(), null);
        File.Move(At("new"), At("program"));

        (await running).Output.ShouldBe("program: lab watch\n");
        asked.ShouldBeEmpty();
    }

    private async Task ServeAsync()
    {
        while (true)
        {
            using var client = await server.AcceptTcpClientAsync();
            using var reader = new StreamReader(client.GetStream(), leaveOpen: true);
            var line = await reader.ReadLineAsync() ?? "";
            var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
            while (await reader.ReadLineAsync() is { Length: > 0 } header)
            {
                headers[header.Split(':')[0]] = header.Split(':', 2)[1].Trim();
            }

            asked.Add($"{line.Replace(" HTTP/1.1", "", StringComparison.Ordinal)} {headers.GetValueOrDefault("Authorization")}".Trim());
            var body = line.Contains("/resourceId", StringComparison.Ordinal) ? Id : line.Contains("/token", StringComparison.Ordinal) ? """{"access_token":"token-of-this-machine"}""" : "";
            var good = line.StartsWith("DELETE", StringComparison.Ordinal) || headers.ContainsKey("Metadata");
            await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes($"HTTP/1.1 {(good ? "200 OK" : "400 Bad Request")}\r\nContent-Length: {body.Length}\r\nConnection: close\r\n\r\n{body}"));
        }
    }
}
