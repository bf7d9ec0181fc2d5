using PerfLab.Core.Model;
using PerfLab.Lab.Azure;

namespace PerfLab.Lab.Power;

/// <summary>Busy → Deleting → Empty (a cluster: Stopping → Stopped), the lease handed back and the time booked.</summary>
public sealed class MachineStop(IPower power, TimeProvider clock, PowerLimits limits, Action<string> say)
{
    /// <param name="machine">To be switched off.</param>
    /// <param name="holder">Whose lease may be ended; null ends anybody's.</param>
    /// <param name="cancellationToken">Leaves the machine to watchdog and reaper.</param>
    public async Task RunAsync(AzureResource machine, LeaseHolder? holder, CancellationToken cancellationToken)
    {
        var deadline = clock.GetUtcNow() + limits.StopDeadline;
        MachineView? view = null;
        try
        {
            view = await power.ReadAsync(machine, deadline, cancellationToken);
            RefuseForeign(machine, view, holder);
            await EndAsync(machine, view, deadline, cancellationToken);
        }
        catch (AzureException failed)
        {
            throw StillRunning(machine, view, failed);
        }
    }

    /// <summary>Switches it off whatever the machine's lease says; for callers that have looked at it themselves.</summary>
    internal async Task EndAsync(AzureResource machine, MachineView view, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        if (!view.IsOff)
        {
            await power.StopAsync(machine, deadline, cancellationToken);
            say($"{machine.Name} is {machine.OffWord}");
        }

        await CloseBooksAsync(machine, view, deadline, cancellationToken);
    }

    /// <summary>
    /// Removes the tags of the run and books its minutes. When it was found off, nobody knows since when: at most to the
    /// end of its lease. A lease that somebody took meanwhile has another value and stays.
    /// </summary>
    internal async Task CloseBooksAsync(AzureResource machine, MachineView view, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var now = clock.GetUtcNow();
        var end = (view.IsOff || view.Power is PowerState.Empty or PowerState.Deallocated) && view.Lease is { } lease && lease.Expiry < now ? lease.Expiry : now;
        if (!view.Tags.HasRunTags)
        {
            return;
        }

        if (view.Tags.Started is not null)
        {
            var used = new Dictionary<string, string>(StringComparer.Ordinal) { [MachineTags.UsedName] = view.Tags.Booking(end) };
            if (!await power.MergeTagsAsync(machine, used, deadline, cancellationToken))
            {
                // Who starts it next finds the tags as they are, and books then.
                return;
            }
        }

        await power.RemoveTagsAsync(machine, view.Tags.Pairs(MachineTags.LeaseName, MachineTags.StartedName, MachineTags.OrphanName), deadline, cancellationToken);
    }

    private void RefuseForeign(AzureResource machine, MachineView view, LeaseHolder? holder)
    {
        if (holder is not null && view.Lease is { } lease && !holder.MayEnd(lease.Holder) && lease.IsLiveAt(clock.GetUtcNow()))
        {
            throw new LabException($"stopping {machine.Name} for run {holder}", $"run {lease.Holder} holds it until {Lease.TimeText(lease.Expiry)}",
                "nothing: its own run stops it. An owner can end it all the same with --force");
        }
    }

    private LabException StillRunning(AzureResource machine, MachineView? view, AzureException failed)
    {
        var reason = failed.Explain($"stopping {machine.Name}", machine);
        var since = view?.Tags.Started is { } started ? $" since {Lease.TimeText(started)}" : "";
        var state = view is null ? "its state could not be read" : $"it is still {view.Power.ToString().ToLowerInvariant()}{since}";
        return new(reason.Tried, $"{reason.CameBack}; {state}, at {Money.PerHour(machine)}",
            $"{reason.DoNext}. {(machine is AzureCluster ? "The reaper and the watchdog in Azure try next" : "The watchdog on the machine, the reaper and the daily shutdown try next")}; by hand: {machine.StopByHand}", failed);
    }
}
