using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Azure;

/// <summary>Draining → Deallocating → Deallocated, the lease handed back and the time booked.</summary>
internal sealed class MachineStop(VirtualMachines machines, TimeProvider clock, PowerLimits limits, Action<string> say)
{
    /// <param name="machine">To be deallocated.</param>
    /// <param name="holder">Whose lease may be ended; null ends anybody's.</param>
    /// <param name="cancellationToken">Leaves the machine to watchdog and reaper.</param>
    public async Task RunAsync(AzureMachine machine, LeaseHolder? holder, CancellationToken cancellationToken)
    {
        var deadline = clock.GetUtcNow() + limits.StopDeadline;
        MachineView? view = null;
        try
        {
            view = await machines.ReadAsync(machine, deadline, cancellationToken);
            RefuseForeign(machine, view, holder);
            await EndAsync(machine, view, deadline, cancellationToken);
        }
        catch (AzureException failed)
        {
            throw StillRunning(machine, view, failed);
        }
    }

    /// <summary>Deallocates whatever the machine's lease says; for callers that have looked at it themselves.</summary>
    internal async Task EndAsync(AzureMachine machine, MachineView view, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        if (view.Power is not PowerState.Deallocated)
        {
            await machines.DeallocateAsync(machine, deadline, cancellationToken);
            say($"{machine.Name} is deallocated");
        }

        await CloseBooksAsync(machine, view, deadline, cancellationToken);
    }

    /// <summary>
    /// Removes the tags of the run and books its minutes. When the machine was found deallocated, nobody knows since when: at most to the
    /// end of its lease. A lease that somebody took meanwhile has another value and stays.
    /// </summary>
    internal async Task CloseBooksAsync(AzureMachine machine, MachineView view, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var now = clock.GetUtcNow();
        var end = view.Power is PowerState.Deallocated && view.Lease is { } lease && lease.Expiry < now ? lease.Expiry : now;
        if (!view.Tags.HasRunTags)
        {
            return;
        }

        if (view.Tags.Started is not null)
        {
            var used = new Dictionary<string, string>(StringComparer.Ordinal) { [MachineTags.UsedName] = view.Tags.Booking(end) };
            await machines.MergeTagsAsync(machine, used, deadline, cancellationToken);
        }

        await machines.RemoveTagsAsync(machine, view.Tags.Pairs(MachineTags.LeaseName, MachineTags.StartedName, MachineTags.OrphanName), deadline, cancellationToken);
    }

    private void RefuseForeign(AzureMachine machine, MachineView view, LeaseHolder? holder)
    {
        if (holder is not null && view.Lease is { } lease && lease.Holder != holder && lease.IsLiveAt(clock.GetUtcNow()))
        {
            throw new LabException($"stopping {machine.Name} for run {holder}", $"run {lease.Holder} holds it until {Lease.TimeText(lease.Expiry)}",
                "nothing: its own run stops it. An owner can end it all the same with --force");
        }
    }

    private LabException StillRunning(AzureMachine machine, MachineView? view, AzureException failed)
    {
        var reason = failed.Explain($"stopping {machine.Name}", machine);
        var since = view?.Tags.Started is { } started ? $" since {Lease.TimeText(started)}" : "";
        var state = view is null ? "its state could not be read" : $"it is still {view.Power.ToString().ToLowerInvariant()}{since}";
        return new(reason.Tried, $"{reason.CameBack}; {state}, at {Money.PerHour(machine)}",
            $"{reason.DoNext}. The watchdog on the machine, the reaper (every 30 min) and the daily shutdown try next; by hand: {machine.DeallocateByHand}", failed);
    }
}
