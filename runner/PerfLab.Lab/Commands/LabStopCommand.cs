using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Lab.Azure;
using PerfLab.Programs;

namespace PerfLab.Lab.Commands;

/// <summary>`lab stop`: cost layer 1, the job that always runs.</summary>
internal static class LabStopCommand
{
    public static Command Create(Terminal terminal, Func<AzureAccess> access)
    {
        var name = new Argument<string>("machine") { Description = "Its name in lab.json; the cluster has one too." };
        var force = new Option<bool>("--force") { Description = "Also when another run holds it: that run fails." };
        var bootLog = new Option<string?>("--boot-log") { HelpName = "FILE", Description = "First save what the machine's console showed: for a runner that never came online." };
        var holder = new HolderOption();
        var command = Examples.Command(
            "stop",
            "Delete a machine, or stop the cluster; record its time and release the lease. Refuses a machine that another run holds.",
            ["./perf-lab lab stop azure-d4s"]).With(name, force, bootLog);
        holder.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = LabMachines.Open(terminal, access);
            var machine = lab.Named(parsed.GetValue(name)!);
            if (machine is not AzureMachine && parsed.GetValue(bootLog) is not null)
            {
                throw new WrongUseException([new("--boot-log", $"{machine.Name} is a cluster: it has no console")]);
            }

            if (parsed.GetValue(bootLog) is { } file && machine is AzureMachine console && await lab.Machines.BootLogAsync(console, terminal.Clock.GetUtcNow().AddMinutes(2), cancellationToken) is { } log)
            {
                await File.WriteAllTextAsync(Path.Combine(terminal.WorkingFolder, file), log, cancellationToken);
                terminal.Say($"the boot log is in {file}");
            }

            await lab.Stop.RunAsync(machine, parsed.GetValue(force) ? null : holder.Read(parsed), cancellationToken);
            terminal.Out.WriteLine($"{machine.Name} is {machine.OffWord} and costs nothing{(machine is AzureCluster ? " but its disks" : "")}");
            return ExitCode.Done;
        });
        return command;
    }
}
