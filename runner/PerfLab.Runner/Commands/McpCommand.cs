using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Programs;

namespace PerfLab.Runner.Commands;

/// <summary>`mcp`: the same commands for an agent, over standard input and output.</summary>
internal static class McpCommand
{
    public static Command Create(Terminal terminal)
    {
        var command = Examples.Command(
            "mcp", "Serve compare, explain, bisect and diff to an agent by the Model Context Protocol, over standard input and output.",
            ["./perf-lab mcp"]);
        command.SetAction(async (_, cancellationToken) =>
        {
            await using var input = Console.OpenStandardInput();
            await using var output = Console.OpenStandardOutput();
            await AgentDoor.ServeAsync(CommandLine.InvokeAsync, terminal, input, output, cancellationToken);
            return ExitCode.Done;
        });
        return command;
    }
}
