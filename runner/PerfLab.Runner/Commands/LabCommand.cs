using System.CommandLine;
using PerfLab.Runner.Azure;

namespace PerfLab.Runner.Commands;

/// <summary>`lab`: the machines of the lab in Azure: what they do, what they cost, and that they stop.</summary>
internal static class LabCommand
{
    public static Command Create(Terminal terminal) => Create(terminal, () => AzureDoor.OfThisProcess);

    /// <param name="terminal">Where results and progress go.</param>
    /// <param name="door">How Azure is reached; asked only when a command needs it.</param>
    internal static Command Create(Terminal terminal, Func<AzureDoor> door) => new("lab", """
        The machines of the lab in Azure: what they do, what they cost, and that they stop.

        Example: ./perf-lab lab status
        """)
    {
        LabConfigureCommand.Create(terminal),
        LabStatusCommand.Create(terminal, door),
        LabStartCommand.Create(terminal, door),
        LabStopCommand.Create(terminal, door),
        LabReapCommand.Create(terminal, door),
        LabWatchCommand.Create(terminal),
    };
}
