using PerfLab.Core.Model;
using PerfLab.Lab.Azure;

namespace PerfLab.Lab.Power;

/// <summary>A machine, or the cluster, wanted by a run.</summary>
public sealed record StartRequest(AzureResource Machine, LeaseHolder Holder, TimeSpan LeaseTime)
{
    /// <summary>Makes what the machine reads at its first boot; a cluster has none.</summary>
    public Func<Lease, string>? CustomData { get; init; }
}

/// <summary>Empty → lease → Creating → Booted. What fails on the way gives the machine back.</summary>
public sealed class MachineStart(IPower power, MachineStop stop, TimeProvider clock, PowerLimits limits, Action<string> say)
{
    public async Task<Lease> RunAsync(StartRequest request, CancellationToken cancellationToken)
    {
        var machine = request.Machine;
        var tried = $"starting {machine.Name} ({machine.AzureName}, {machine.Size}, {machine.Location})";
        try
        {
            await WaitUntilFreeAsync(request, cancellationToken);
            var lease = new Lease(request.Holder, clock.GetUtcNow() + request.LeaseTime);
            var deadline = clock.GetUtcNow() + limits.StartDeadline < lease.Expiry ? clock.GetUtcNow() + limits.StartDeadline : lease.Expiry;
            var before = await EmptyAsync(machine, deadline, cancellationToken);
            var taken = await TakeLeaseAsync(request, lease, before, deadline, cancellationToken);
            if (taken)
            {
                await SeeThatItIsOursAsync(request, lease, deadline, cancellationToken);
            }

            try
            {
                await AllocateAsync(request, lease, deadline, cancellationToken);
                say("running");
                if (!taken)
                {
                    await TakeLateAsync(request, lease, before, deadline, cancellationToken);
                }

                return lease;
            }
            catch (AzureException)
            {
                await GiveBackAsync(machine, request.Holder, cancellationToken);
                throw;
            }
        }
        catch (AzureException failed)
        {
            throw failed.Explain(tried, machine);
        }
    }

    /// <summary>
    /// The concurrency group has let this run go first, so a live lease of another run is one whose `lab-down` is late or dead: the
    /// watchdog ends it.
    /// </summary>
    private async Task WaitUntilFreeAsync(StartRequest request, CancellationToken cancellationToken)
    {
        var end = clock.GetUtcNow() + limits.BusyWait;
        while (true)
        {
            var view = await power.ReadAsync(request.Machine, end, cancellationToken);
            // Who has just written a lease is about to start.
            var now = clock.GetUtcNow();
            var isStarting = view.Tags.Started is { } started && now - started < limits.LeaseToStart;
            if (view.Lease is not { } lease || lease.Holder == request.Holder || !lease.IsLiveAt(now) || (view.IsOff && !isStarting))
            {
                return;
            }

            if (clock.GetUtcNow() >= end)
            {
                throw new LabException($"starting {request.Machine.Name}",
                    $"run {lease.Holder} still holds it, until {Lease.TimeText(lease.Expiry)} at the latest ({view.Power.ToString().ToLowerInvariant()})",
                    $"ask again after that; if that run is dead, its owner may end it: perf-lab lab stop {request.Machine.Name} --force");
            }

            say($"{request.Machine.Name} is held by run {lease.Holder} until {Lease.TimeText(lease.Expiry)}; waiting");
            await Task.Delay(TimeSpan.FromMinutes(1), clock, cancellationToken);
        }
    }

    /// <summary>What is still there is somebody's who is done: a request gets a machine of its own. A cluster stays as it is.</summary>
    private async Task<MachineView> EmptyAsync(AzureResource machine, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var view = await power.ReadAsync(machine, deadline, cancellationToken);
        if (view.IsOff || machine is not AzureMachine)
        {
            return view;
        }

        say($"{machine.Name} still holds {string.Join(", ", view.Instances.Concat(view.Left).DefaultIfEmpty("a place"))}: deleted first");
        await stop.EndAsync(machine, view, deadline, cancellationToken);
        return await power.ReadAsync(machine, deadline, cancellationToken);
    }

    /// <summary>
    /// Tags have no compare-and-swap: of two who write at once, the last one has the machine, and the other leaves. So nobody looks before whoever
    /// saw it free, too, has had time to write.
    /// </summary>
    private async Task SeeThatItIsOursAsync(StartRequest request, Lease lease, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        for (var readings = 1; ; readings++)
        {
            await Task.Delay(limits.ViewPause, clock, cancellationToken);
            var view = await power.ReadAsync(request.Machine, deadline, cancellationToken);
            var isOurs = view.Lease?.ToString() == lease.ToString();
            if (isOurs && (view.IsOff || request.Machine is not AzureMachine))
            {
                return;
            }

            // An old reading is read again; another's lease, or a machine that nobody of ours made, is no old reading.
            if (isOurs || view.Lease is { } other && other.IsLiveAt(clock.GetUtcNow()) || readings == limits.ViewReadings)
            {
                var mine = new Dictionary<string, string>(StringComparer.Ordinal) { [MachineTags.LeaseName] = lease.ToString() };
                await power.RemoveTagsAsync(request.Machine, mine, deadline, cancellationToken);
                throw TakenBy(view.Lease?.ToString() ?? "no lease can be read", request);
            }
        }
    }

    private static LabException TakenBy(string lease, StartRequest request) => new($"starting {request.Machine.Name}", $"another run took it at the same moment ({lease})",
        "ask again when that one is done; in GitHub the concurrency group of `benchmark-run.yml` keeps two from coming this far");

    /// <summary>Before anything costs money: from here on watchdog and reaper know when this ends.</summary>
    /// <returns>False when Azure takes no tags before it runs.</returns>
    private async Task<bool> TakeLeaseAsync(
        StartRequest request, Lease lease, MachineView view, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var machine = request.Machine;
        if (view.IsOff)
        {
            // The watchdog may have ended the last run: it has no right to the tags.
            await stop.CloseBooksAsync(machine, view, deadline, cancellationToken);
        }

        var tags = new Dictionary<string, string>(StringComparer.Ordinal) { [MachineTags.LeaseName] = lease.ToString() };
        if (view.IsOff || view.Tags.Started is null)
        {
            // Not now: when the lease could only be written to what already ran, that is minutes later.
            tags[MachineTags.StartedName] = Lease.TimeText(lease.Expiry - request.LeaseTime);
        }

        await power.RemoveTagsAsync(machine, view.Tags.Pairs(MachineTags.OrphanName), deadline, cancellationToken);
        if (!await power.MergeTagsAsync(machine, tags, deadline, cancellationToken))
        {
            return false;
        }

        say($"lease {lease}");
        return true;
    }

    /// <summary>A cluster that took no tags while it was stopped: two may have started it at once.</summary>
    private async Task TakeLateAsync(StartRequest request, Lease lease, MachineView before, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var view = await power.ReadAsync(request.Machine, deadline, cancellationToken);
        if (view.Lease is { } other && other.Holder != request.Holder && other.IsLiveAt(clock.GetUtcNow()))
        {
            throw TakenBy(other.ToString(), request);
        }

        if (!await TakeLeaseAsync(request, lease, before, deadline, cancellationToken))
        {
            throw new AzureException(new(FailureKind.Refused, "it runs, and Azure takes no lease of it"));
        }

        await SeeThatItIsOursAsync(request, lease, deadline, cancellationToken);
    }

    private async Task AllocateAsync(StartRequest request, Lease lease, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var machine = request.Machine;
        var pause = limits.AllocationWindow / limits.AllocationTries;
        AzureException? before = null;
        for (var tries = 1; ; tries++)
        {
            try
            {
                await power.StartAsync(machine, request.CustomData?.Invoke(lease), deadline, cancellationToken);
                return;
            }
            catch (AzureException failed) when (failed.Failure.Kind is FailureKind.Capacity or FailureKind.Unexplained && tries < limits.AllocationTries && clock.GetUtcNow() + pause < deadline)
            {
                before = failed;
                say($"{failed.Failure.Message}; try {tries} of {limits.AllocationTries}, again in {pause.TotalMinutes:0} min");
                if (machine is AzureMachine)
                {
                    // Whatever the failed try has left: capacity, a card, half a machine.
                    await power.StopAsync(machine, deadline, cancellationToken);
                }

                await Task.Delay(pause, clock, cancellationToken);
            }
            catch (AzureException late) when (before is not null && late.Failure.Kind is FailureKind.Busy or FailureKind.Unavailable)
            {
                // The last try ran out of time; what the ones before it failed by is the reason.
                throw before;
            }
        }
    }

    /// <summary>Best effort: what fails here is said, and the lease brings watchdog and reaper.</summary>
    private async Task GiveBackAsync(AzureResource machine, LeaseHolder holder, CancellationToken cancellationToken)
    {
        try
        {
            await stop.RunAsync(machine, holder, cancellationToken);
        }
        catch (LabException failed)
        {
            say($"{failed.Tried}: {failed.CameBack}");
        }
    }
}
