using System.CommandLine;
using PerfLab.Lab.Azure;
using PerfLab.Programs;

namespace PerfLab.Lab.Commands;

/// <summary>`lab`: the machines of the lab in Azure: what they do, what they cost, and that they stop. All that this program can.</summary>
internal static class LabCommand
{
    private const string What = "The machines of the lab in Azure: what they do, what they cost, and that they stop.";

    /// <summary>The whole program as a function that tests call. The arguments begin with `lab`, as a person typed them.</summary>
    /// <returns>The exit code.</returns>
    public static Task<int> InvokeAsync(string[] arguments, Terminal terminal, CancellationToken cancellationToken) =>
        Invocation.RunAsync(Invocation.Root(What, terminal, Create(terminal)), arguments, terminal, (_, _) => null, cancellationToken);

    public static Command Create(Terminal terminal) => Create(terminal, () => AzureAccess.OfThisProcess);

    /// <param name="terminal">Where results and progress go.</param>
    /// <param name="access">How Azure is reached; asked only when a command needs it.</param>
    internal static Command Create(Terminal terminal, Func<AzureAccess> access)
    {
        var lab = Examples.Command("lab", What, ["./perf-lab lab status"]);
        Command[] commands =
        [
            LabConfigureCommand.Create(terminal), LabStatusCommand.Create(terminal, access), LabStartCommand.Create(terminal, access),
            LabStopCommand.Create(terminal, access), LabReapCommand.Create(terminal, access), LabWatchCommand.Create(terminal),
        ];
        foreach (var command in commands)
        {
            lab.Add(command);
        }

        return lab;
    }
}
