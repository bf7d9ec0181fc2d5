using PerfLab.Core.Model;
using PerfLab.Lab.Azure;

namespace PerfLab.Lab.Power;

/// <summary>What the reaper found and did with one machine, or the cluster.</summary>
public sealed record Reaped(AzureResource Machine, string Decision)
{
    public LabException? Failure { get; init; }
    public bool Ended { get; init; }
}

/// <summary>
/// Cost layer 3, every 30 minutes: ends what has outlived its lease at once, and what nobody seems to want on the second look. One
/// machine's failure doesn't keep the others alive.
/// </summary>
public sealed class Reaper(IPower power, MachineStop stop, TimeProvider clock, PowerLimits limits)
{
    /// <param name="lab">All machines of the lab, and its cluster.</param>
    /// <param name="runners">GitHub's list, or null when GitHub was not asked: then only leases decide.</param>
    /// <param name="cancellationToken">Between two calls.</param>
    public async Task<IReadOnlyList<Reaped>> RunAsync(IReadOnlyList<AzureResource> lab, RunnerList? runners, CancellationToken cancellationToken) =>
        await Task.WhenAll(lab.Select(machine => RunAsync(machine, runners, cancellationToken)));

    private async Task<Reaped> RunAsync(AzureResource machine, RunnerList? runners, CancellationToken cancellationToken)
    {
        var deadline = clock.GetUtcNow() + limits.StopDeadline;
        try
        {
            var view = await power.ReadAsync(machine, deadline, cancellationToken);
            return await ActAsync(machine, view, Suspicion(machine, view, runners), deadline, cancellationToken);
        }
        catch (AzureException failed)
        {
            return new(machine, "failed") { Failure = failed.Explain($"reaping {machine.Name}", machine) };
        }
    }

    private sealed record Verdict(string Reason, bool AtOnce);

    /// <summary>Null for a machine that someone has a right to.</summary>
    private Verdict? Suspicion(AzureResource machine, MachineView view, RunnerList? runners)
    {
        var now = clock.GetUtcNow();
        if (view.Instances.Count > 1)
        {
            return new($"{view.Instances.Count} virtual machines where one belongs", AtOnce: true);
        }

        if (view.Lease is not { } lease)
        {
            return new("no readable lease", AtOnce: false);
        }

        if (!lease.IsLiveAt(now))
        {
            return new(now < lease.Expiry ? $"a lease longer than {Lease.Longest.TotalHours:0} h" : $"the lease of run {lease.Holder} ended at {Lease.TimeText(lease.Expiry)}", AtOnce: true);
        }

        if (view.Power is PowerState.Stopped or PowerState.Deallocated && !view.IsOff)
        {
            return new($"{view.Power.ToString().ToLowerInvariant()} but billed", AtOnce: false);
        }

        var grace = view.Tags.Started is { } started && now - started < limits.BootGrace;
        // No runner lives on a cluster.
        return machine is AzureMachine && runners is not null && !grace && !runners.Serves(lease, machine.Name)
            ? new($"GitHub knows no living runner {RunnerList.NameFor(lease.Holder, machine.Name)}", AtOnce: false) : null;
    }

    private async Task<Reaped> ActAsync(AzureResource machine, MachineView view, Verdict? verdict, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var orphanTag = view.Tags.Pairs(MachineTags.OrphanName);
        if (view.IsOff)
        {
            var over = view.Lease is null || verdict is { AtOnce: true };
            if (over)
            {
                await stop.CloseBooksAsync(machine, view, deadline, cancellationToken);
            }

            return new(machine, over ? machine.OffWord : $"{machine.OffWord}, wanted by run {view.Lease!.Holder}");
        }

        if (verdict is null)
        {
            await power.RemoveTagsAsync(machine, orphanTag, deadline, cancellationToken);
            return new(machine, $"in use by run {view.Lease!.Holder} until {Lease.TimeText(view.Lease.Expiry)}");
        }

        if (machine is AzureCluster && view.Power is PowerState.Starting)
        {
            // Azure lets nobody stop it before it runs, and until then it may have taken no lease.
            return new(machine, "starting; judged in the next round");
        }

        if (!verdict.AtOnce && view.Tags.OrphanSince is null)
        {
            var tag = new Dictionary<string, string>(StringComparer.Ordinal) { [MachineTags.OrphanName] = Lease.TimeText(clock.GetUtcNow()) };
            await power.MergeTagsAsync(machine, tag, deadline, cancellationToken);
            return new(machine, $"suspected: {verdict.Reason}; ended in the next round unless that changes");
        }

        return await EndAsync(machine, view, verdict, deadline, cancellationToken);
    }

    private async Task<Reaped> EndAsync(AzureResource machine, MachineView seen, Verdict verdict, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        // A run may have taken the machine since it was read.
        var view = await power.ReadAsync(machine, deadline, cancellationToken);
        if (view.Lease is { } lease && lease != seen.Lease && lease.IsLiveAt(clock.GetUtcNow()))
        {
            return new(machine, $"just taken by run {lease.Holder}");
        }

        await stop.EndAsync(machine, view, deadline, cancellationToken);
        return new(machine, $"ended: {verdict.Reason}") { Ended = true };
    }
}
