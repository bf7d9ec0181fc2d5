using System.Diagnostics;
using System.Text.Json.Nodes;
using PerfLab.Runner.Tests.Commits;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>Lines to the server, and its answers by number.</summary>
internal sealed class Agent(Process process) : IDisposable
{
    private int _number;

    public int Pid => process.Id;

    /// <summary>
    /// The program's own output folder, as it is shipped: beside the tests lie assemblies of a web server, which hide what it would lack.
    /// </summary>
    public static Agent Start(CommittedLab lab)
    {
        var beside = AppContext.BaseDirectory.Replace("PerfLab.Runner.Tests", "PerfLab.Runner", StringComparison.Ordinal);
        var program = new[] { beside, beside.Replace("/tests/PerfLab.Runner/", "/runner/PerfLab.Runner/", StringComparison.Ordinal) }
            .Select(folder => Path.Combine(folder, "perf-lab.dll")).First(File.Exists);
        return new(Process.Start(new ProcessStartInfo("dotnet", ["exec", program, "mcp"])
        {
            WorkingDirectory = lab.At(""),
            UseShellExecute = false,
            RedirectStandardError = true,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            Environment = { ["PERF_LAB_ROOT"] = lab.At(""), ["TMPDIR"] = lab.At("") },
        })!);
    }

    public async Task IntroduceAsync()
    {
        var answer = await AskAsync("initialize", new JsonObject
        {
            ["protocolVersion"] = "2025-06-18",
            ["capabilities"] = new JsonObject(),
            ["clientInfo"] = new JsonObject { ["name"] = "a test", ["version"] = "1" },
        });
        ((string?)answer["result"]!["serverInfo"]!["name"]).ShouldBe("perf-lab");
        await SayAsync("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    }

    public async Task<(string Text, bool IsError)> CallAsync(string tool, params (string Name, string Value)[] arguments)
    {
        var answer = await AskAsync("tools/call", Call(tool, arguments));
        var result = answer["result"].ShouldNotBeNull(answer.ToJsonString());
        return ((string)result["content"]![0]!["text"]!, (bool?)result["isError"] ?? false);
    }

    public int Begin(string method, JsonObject? parameters = null)
    {
        var message = new JsonObject { ["jsonrpc"] = "2.0", ["id"] = ++_number, ["method"] = method };
        if (parameters is not null)
        {
            message["params"] = parameters;
        }

        process.StandardInput.WriteLine(message.ToJsonString());
        process.StandardInput.Flush();
        return _number;
    }

    public async Task<JsonNode> AskAsync(string method, JsonObject? parameters = null)
    {
        var number = Begin(method, parameters);
        while (await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken) is { } line)
        {
            // Whatever else comes is an answer to something else.
            if (JsonNode.Parse(line) is { } answer && answer["id"]?.ToJsonString() == number.ToString(System.Globalization.CultureInfo.InvariantCulture))
            {
                return answer;
            }
        }

        throw new InvalidOperationException($"the server ended: {await process.StandardError.ReadToEndAsync()}");
    }

    public async Task SayAsync(string line)
    {
        await process.StandardInput.WriteLineAsync(line);
        await process.StandardInput.FlushAsync();
    }

    public void Dispose()
    {
        process.StandardInput.Close();
        if (!process.WaitForExit(10_000))
        {
            process.Kill(entireProcessTree: true);
        }

        process.Dispose();
    }

    public static JsonObject Call(string tool, params (string Name, string Value)[] arguments) => new()
    {
        ["name"] = tool,
        ["arguments"] = new JsonObject(arguments.Select(one => KeyValuePair.Create(one.Name, (JsonNode?)one.Value))),
    };
}
