using PerfLab.Machine.Facts;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Flow;

/// <summary>The machine just before the first launch.</summary>
/// <param name="Events">Asks for announced maintenance until it is disposed; null: nobody asks.</param>
internal sealed record ReadyMachine(
    MachineInspection Inspection, HygienePolicy Policy, ScheduledEventsWatch? Events, MachineFindings Found) : IAsyncDisposable
{
    public ValueTask DisposeAsync() => Events?.DisposeAsync() ?? ValueTask.CompletedTask;
}
