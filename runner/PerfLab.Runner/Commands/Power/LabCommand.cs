using System.CommandLine;
using PerfLab.Power.Azure;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Commands.Power;

/// <summary>`lab`: the machines of the lab in Azure: what they do, what they cost, and that they stop.</summary>
internal static class LabCommand
{
    public static Command Create(Terminal terminal) => Create(terminal, () => AzureAccess.OfThisProcess);

    /// <param name="terminal">Where results and progress go.</param>
    /// <param name="access">How Azure is reached; asked only when a command needs it.</param>
    internal static Command Create(Terminal terminal, Func<AzureAccess> access)
    {
        var lab = Examples.Command("lab", "The machines of the lab in Azure: what they do, what they cost, and that they stop.", ["./perf-lab lab status"]);
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
