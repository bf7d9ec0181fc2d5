using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using PerfLab.Core.Model;
using PerfLab.Programs;

namespace PerfLab.Runner.Commands;

/// <summary>
/// The Model Context Protocol over two streams (https://modelcontextprotocol.io/specification). It decides nothing: a call becomes
/// arguments of the command line, one at a time, and what that prints is the result.
/// </summary>
internal static class AgentDoor
{
    private const int MostLines = 40;

    /// <param name="invoke">The command line: arguments in, exit code out.</param>
    /// <param name="terminal">Where the agent stands.</param>
    /// <param name="input">Its messages, a line each.</param>
    /// <param name="output">Ours.</param>
    /// <param name="cancellationToken">Ends it, and what runs.</param>
    public static async Task ServeAsync(
        Func<string[], Terminal, CancellationToken, Task<int>> invoke, Terminal terminal, Stream input, Stream output,
        CancellationToken cancellationToken)
    {
        using var turn = new SemaphoreSlim(1);
        await using var transport = new StreamServerTransport(new BoundedMessages(input), output, "perf-lab");
        await using var server = McpServer.Create(transport, new()
        {
            ServerInfo = new() { Name = "perf-lab", Version = "0.1.0" },
            ServerInstructions = "compare measures; its answer is a verdict with an error rate. All looks of a working tree against "
                + "one base share one error, whatever rows they choose, so measure when an edit is ready, not to see.",
            Capabilities = new() { Tools = new() },
            Handlers = new()
            {
                ListToolsHandler = (_, _) => ValueTask.FromResult(
                    new ListToolsResult { Tools = [.. AgentTool.All.Select(tool => tool.Described)] }),
                CallToolHandler = async (call, stop) =>
                {
                    if (call.Server.ClientInfo is null)
                    {
                        throw new McpProtocolException("initialize comes before the first call", McpErrorCode.InvalidRequest);
                    }

                    var words = AgentTool.ArgumentsOf(call.Params?.Name ?? "", call.Params?.Arguments, terminal, out var problem);
                    return words is null ? Text(problem!, isError: true) : await RunAsync(invoke, words, terminal, turn, stop);
                },
            },
        });
        await server.RunAsync(cancellationToken);
    }

    private static async Task<CallToolResult> RunAsync(
        Func<string[], Terminal, CancellationToken, Task<int>> invoke, IReadOnlyList<string> words, Terminal terminal, SemaphoreSlim turn,
        CancellationToken cancellationToken)
    {
        await turn.WaitAsync(cancellationToken);
        try
        {
            await using StringWriter printed = new(), said = new();
            var code = await invoke([.. words], terminal with
            {
                Out = TextWriter.Synchronized(printed),
                Error = TextWriter.Synchronized(said),
                IsErrorInteractive = false,
                SharesLooks = true,
            }, cancellationToken);
            cancellationToken.ThrowIfCancellationRequested();
            var notes = string.Join('\n', said.ToString().Split('\n').TakeLast(MostLines));
            return Text($"{UntrustedText.Fence(printed.ToString())}\n\nexit code {Invariant($"{code}")}\n\n{UntrustedText.Fence(notes)}",
                isError: code is ExitCode.Failed or ExitCode.WrongUse);
        }
        finally
        {
            turn.Release();
        }
    }

    private static CallToolResult Text(string text, bool isError) =>
        new() { Content = [new TextContentBlock { Text = text }], IsError = isError };
}
