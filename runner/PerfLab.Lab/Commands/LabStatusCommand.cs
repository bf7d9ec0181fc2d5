using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;
using PerfLab.Programs;

namespace PerfLab.Lab.Commands;

/// <summary>`lab status`: what runs, for whom, since when, and what it has cost.</summary>
internal static class LabStatusCommand
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, NewLine = "\n" };

    private sealed record Row(AzureResource Machine, MachineView? View, AzureException? Failure);

    public static Command Create(Terminal terminal, Func<AzureAccess> access)
    {
        var json = new Option<bool>("--json") { Description = "Print JSON." };
        var command = Examples.Command("status", "What runs, for whom, since when, and what it has cost this month.", ["./perf-lab lab status"]).With(json);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = LabMachines.Open(terminal, access);
            var now = terminal.Clock.GetUtcNow();
            var rows = await Task.WhenAll(lab.File.Resources.Select(machine => ReadAsync(lab, machine, now.AddMinutes(2), cancellationToken)));
            if (parsed.GetValue(json))
            {
                terminal.Out.WriteLine(new JsonArray([.. rows.Select(row => (JsonNode)ToJson(row, now))]).ToJsonString(Indented));
            }
            else
            {
                Write(terminal, lab.File, rows, now);
            }

            foreach (var failed in rows.Where(row => row.Failure is not null))
            {
                var why = failed.Failure!.Explain($"reading {failed.Machine.Name}", failed.Machine);
                terminal.Say($"perf-lab: {why.Tried}\n  came back: {why.CameBack}\n  to do:     {why.DoNext}");
            }

            return rows.Any(row => row.Failure is not null) ? ExitCode.Failed : ExitCode.Done;
        });
        return command;
    }

    private static async Task<Row> ReadAsync(LabMachines lab, AzureResource machine, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        try
        {
            return new(machine, await lab.Power.ReadAsync(machine, deadline, cancellationToken), null);
        }
        catch (AzureException failed)
        {
            return new(machine, null, failed);
        }
    }

    private static void Write(Terminal terminal, LabFile file, IReadOnlyList<Row> rows, DateTimeOffset now)
    {
        string[][] cells =
        [
            ["machine", "power", "held by", "until (UTC)", "this run", "this month"],
            .. rows.Select(row => Cells(row, now)),
            .. file.MetalMachines.Select(name => new[] { name, "metal", "-", "-", "-", "-" }),
        ];
        var widths = Enumerable.Range(0, cells[0].Length).Select(column => cells.Max(row => row[column].Length)).ToList();
        foreach (var row in cells)
        {
            terminal.Out.WriteLine(string.Join("  ", row.Select((cell, column) => cell.PadRight(widths[column]))).TrimEnd());
        }

        terminal.Out.WriteLine();
        terminal.Out.WriteLine($"{(file.Cluster is null ? "Everything is" : "Machines are")} switched off every day at {file.DailyShutdown}. Times are from the first call to the last; the disk and the address of a machine cost extra while it runs.");
        if (file.Cluster is { } cluster)
        {
            terminal.Out.WriteLine($"{cluster.Name} has no daily shutdown: `lab stop`, the reaper and its watchdog in Azure stop it. Its money is that of all {cluster.MostNodes} nodes that it may have.");
        }
    }

    private static string[] Cells(Row row, DateTimeOffset now)
    {
        if (row.View is not { } view)
        {
            return [row.Machine.Name, "?", "?", "?", "?", "?"];
        }

        var lease = view.Lease;
        var minutes = RunMinutes(view, now);
        var ended = lease is not null && !lease.IsLiveAt(now) ? " (over)" : "";
        var orphan = view.Tags.OrphanSince is not null ? " (suspected orphan)" : "";
        return [row.Machine.Name, view.Power.ToString().ToLowerInvariant() + orphan, lease?.Holder.ToString() ?? "-", lease is null ? "-" : Lease.TimeText(lease.Expiry) + ended,
            Spent(row.Machine, minutes), Spent(row.Machine, minutes + view.Tags.UsedMinutes(now))];
    }

    private static string Spent(AzureResource machine, double minutes) => minutes <= 0 ? "-" : Invariant($"{minutes:0} min, {Money.Shown(machine, minutes)}");

    private static double RunMinutes(MachineView view, DateTimeOffset now) =>
        !view.IsOff && view.Tags.Started is { } started && started < now ? (now - started).TotalMinutes : 0;

    private static JsonObject ToJson(Row row, DateTimeOffset now) => new()
    {
        ["machine"] = row.Machine.Name,
        ["kind"] = row.Machine is AzureCluster ? "cluster" : "azure",
        ["power"] = row.View?.Power.ToString().ToLowerInvariant(),
        ["provisioning"] = row.View?.Provisioning,
        ["lease"] = row.View?.Lease?.ToString(),
        ["runMinutes"] = row.View is { } view ? Math.Round(RunMinutes(view, now), 1) : null,
        ["monthMinutes"] = row.View?.Tags.UsedMinutes(now),
        ["pricePerHour"] = row.Machine.PricePerHour,
        ["failure"] = row.Failure?.Failure.Kind.ToString().ToLowerInvariant(),
    };
}
