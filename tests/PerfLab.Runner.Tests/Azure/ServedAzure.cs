using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>Not a test of its own: the fake Azure as a process, for tests/workflows/flow/lab.test.ts, whose steps run the real `perf-lab lab`.</summary>
public sealed class ServedAzure
{
    /// <summary>Operations take a tenth of their time.</summary>
    private const int Haste = 10;

    [Fact]
    public async Task It_answers_until_the_file_stop_is_there()
    {
        var folder = Environment.GetEnvironmentVariable("PERF_LAB_FAKE_AZURE");
        Assert.SkipWhen(string.IsNullOrEmpty(folder), "started by tests/workflows/flow/lab.test.ts only");
        var clock = new FakeTimeProvider(DateTimeOffset.UtcNow);
        using var azure = new FakeAzure(clock);
        var machine = azure.Add("bench");
        azure.ScaleSets.CoreQuota = int.Parse(Environment.GetEnvironmentVariable("PERF_LAB_FAKE_QUOTA") ?? "100", CultureInfo.InvariantCulture);
        await using var server = new FakeAzureServer(azure) { Settled = () => Write(folder!, machine, azure) };
        var address = await server.StartAsync();
        await File.WriteAllTextAsync(Path.Combine(folder!, "lab.json"), LabFileTests.Sample.Replace("lab-1", "bench", StringComparison.Ordinal));
        await File.WriteAllTextAsync(Path.Combine(folder!, "certificate.pem"), server.Certificate.ExportCertificatePem());
        server.Do(server.Settled);
        await File.WriteAllTextAsync(Path.Combine(folder!, "port"), address.Port.ToString(CultureInfo.InvariantCulture));

        var started = Stopwatch.StartNew();
        for (var last = TimeSpan.Zero; !File.Exists(Path.Combine(folder!, "stop")) && started.Elapsed < TimeSpan.FromMinutes(20);)
        {
            await Task.Delay(100);
            var (now, before) = (started.Elapsed, last);
            last = now;
            server.Do(() =>
            {
                clock.Advance((now - before) * Haste);
                azure.Settle();
                server.Settled();
            });
        }
    }

    private static void Write(string folder, FakeMachineInAzure machine, FakeAzure azure)
    {
        var state = new JsonObject
        {
            ["power"] = machine.Power,
            ["capacity"] = machine.Capacity,
            ["made"] = machine.Made,
            ["customData"] = machine.CustomData,
            ["model"] = machine.ModelData,
            ["tags"] = new JsonObject(machine.Tags.Select(tag => KeyValuePair.Create(tag.Key, (JsonNode?)tag.Value))),
            ["parts"] = new JsonArray([.. azure.ScaleSets.Parts.Select(part => (JsonNode)part.Kind)]),
            ["calls"] = new JsonArray([.. azure.Calls.Select(call => (JsonNode)$"{call.Caller} {call.Verb}")]),
        };
        var path = Path.Combine(folder, "state.json");
        File.WriteAllText(path + ".new", state.ToJsonString());
        File.Move(path + ".new", path, overwrite: true);
    }
}
