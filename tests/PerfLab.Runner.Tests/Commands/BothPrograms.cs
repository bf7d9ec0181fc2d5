using System.CommandLine;
using PerfLab.Lab.Commands;
using PerfLab.Programs;
using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>What a person can type, whichever of the two programs answers; in this process.</summary>
internal static class BothPrograms
{
    /// <summary>Every command and option of both.</summary>
    public static RootCommand Root()
    {
        var terminal = new Terminal { Out = TextWriter.Null, Error = TextWriter.Null, Root = "/", WorkingFolder = "/" };
        var root = CommandLine.Create(terminal);
        var lab = LabCommand.Create(terminal);
        root.Subcommands.Remove(root.Subcommands.Single(command => command.Name == lab.Name)).ShouldBeTrue();
        root.Add(lab);
        return root;
    }

    public static Task<int> InvokeAsync(string[] arguments, Terminal terminal, CancellationToken cancellationToken) =>
        LabProgram.IsMeant(arguments) ? LabCommand.InvokeAsync(arguments, terminal, cancellationToken)
            : CommandLine.InvokeAsync(arguments, terminal, cancellationToken);
}
