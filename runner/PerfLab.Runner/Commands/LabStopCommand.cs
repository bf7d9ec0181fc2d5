using System.CommandLine;
using PerfLab.Runner.Azure;

namespace PerfLab.Runner.Commands;

/// <summary>`lab stop`: cost layer 1, the job that always runs.</summary>
internal static class LabStopCommand
{
    public static Command Create(Terminal terminal, Func<AzureDoor> door)
    {
        var name = new Argument<string>("machine") { Description = "Its name in lab.json." };
        var force = new Option<bool>("--force") { Description = "Also when another run holds it: that run fails." };
        var holder = new HolderOption();
        var command = new Command("stop", """
            Deallocate a machine, book its time, hand back the lease. Refuses a machine that another run holds.

            Example: ./perf-lab lab stop azure-d4s
            """) { name, force };
        holder.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = LabMachines.Open(terminal, door);
            var machine = lab.Named(parsed.GetValue(name)!);
            await lab.Stop.RunAsync(machine, parsed.GetValue(force) ? null : holder.Read(parsed), cancellationToken);
            terminal.Out.WriteLine($"{machine.Name} is deallocated and costs nothing but its disk");
            return ExitCode.Done;
        });
        return command;
    }
}
