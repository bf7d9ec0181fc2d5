using System.CommandLine;
using PerfLab.Runner.Azure;

namespace PerfLab.Runner.Commands;

/// <summary>`lab watch`: cost layer 2, the watchdog on the machine itself.</summary>
internal static class LabWatchCommand
{
    public static Command Create(Terminal terminal)
    {
        var heartbeat = new Option<string>("--heartbeat") { HelpName = "FILE", Description = "Touched while the runner lives.", DefaultValueFactory = _ => "/run/perf-lab/heartbeat" };
        var lease = new Option<string>("--lease") { HelpName = "FILE", Description = "The lease as the boot brought it.", DefaultValueFactory = _ => "/run/perf-lab/lease" };
        var command = new Command("watch", """
            On a machine of the lab: deallocate it when its lease is over or its runner has gone silent. A systemd unit runs this.

            Example: ./perf-lab lab watch
            """) { heartbeat, lease };
        command.SetAction(async (parsed, cancellationToken) =>
        {
            using var http = MetadataService.Client(MetadataService.Address);
            var metadata = new MetadataService(http, terminal.Clock);
            var files = new WatchdogFiles(parsed.GetValue(heartbeat)!, parsed.GetValue(lease)!);
            var watchdog = new Watchdog(metadata, new AzureDoor { Credential = metadata.Credential }, files, terminal.Clock, terminal.Say);
            terminal.Say($"watching: {await watchdog.RunAsync(cancellationToken)}: Azure has accepted the deallocation");
            return ExitCode.Done;
        });
        return command;
    }
}
