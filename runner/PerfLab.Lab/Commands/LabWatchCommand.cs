using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Machine.Watching;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;
using PerfLab.Programs;

namespace PerfLab.Lab.Commands;

/// <summary>`lab watch`: cost layer 2, the watchdog on the machine itself.</summary>
internal static class LabWatchCommand
{
    public static Command Create(Terminal terminal)
    {
        var heartbeat = new Option<string>("--heartbeat") { HelpName = "FILE", Description = "Touched while the runner lives.", DefaultValueFactory = _ => "/run/perf-lab/heartbeat" };
        var lease = new Option<string>("--lease") { HelpName = "FILE", Description = "The lease as the boot brought it.", DefaultValueFactory = _ => "/run/perf-lab/lease" };
        var events = new Option<string>("--events") { HelpName = "FILE", Description = "Where to note announced maintenance for sessions, which may not ask Azure.", DefaultValueFactory = _ => ScheduledEventsNotice.DefaultFile };
        var command = Examples.Command(
            "watch", "On a machine of the lab: delete it when its lease is over or its runner has gone silent; note announced maintenance. A systemd unit runs this.",
            ["./perf-lab lab watch"]).With(heartbeat, lease, events);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            using var http = MetadataService.Client(MetadataService.Address);
            var machine = new OwnMachine(new MetadataService(http), terminal.Clock);
            var files = new WatchdogFiles(parsed.GetValue(heartbeat)!, parsed.GetValue(lease)!);
            var watchdog = new Watchdog(machine, new AzureAccess { Credential = machine.Credential }, files, terminal.Clock, terminal.Say);
            terminal.Say("watching this machine's lease, heartbeat and announced maintenance");
            var reason = await WithNoticeAsync(watchdog, terminal, parsed.GetValue(events)!, cancellationToken);
            terminal.Say($"{reason}: Azure has accepted the deletion");
            return ExitCode.Done;
        });
        return command;
    }

    /// <summary>Two clients: an answer about maintenance may take minutes, and the lease must not wait for it.</summary>
    private static async Task<string> WithNoticeAsync(Watchdog watchdog, Terminal terminal, string file, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var http = MetadataService.Client(MetadataService.Address, ScheduledEventsWatch.FirstAnswer);
        var notice = Task.Run(() => new ScheduledEventsNotice(file).KeepAsync(new MetadataService(http), terminal.Clock, terminal.Say, over.Token), CancellationToken.None);
        try
        {
            return await watchdog.RunAsync(cancellationToken);
        }
        finally
        {
            await over.CancelAsync();
            await notice.ContinueWith(_ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        }
    }
}
