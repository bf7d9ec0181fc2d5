using Azure;
using Azure.ResourceManager;
using Azure.ResourceManager.Compute;
using Azure.ResourceManager.Compute.Models;

namespace PerfLab.Lab.Azure;

/// <summary>
/// A machine's life: a scale set of one fixed size that holds nobody is scaled to one for a request, and emptied after it. Fresh disk,
/// exact
/// image, no state between requests, nothing that bills while idle (docs/decisions/0010-one-machine-per-request.md).
/// </summary>
public sealed class ScaleSets(AzureAccess access, TimeProvider clock, PowerLimits limits, Action<string> say) : IPower
{
    /// <summary>The one-shot configuration of the last request must not stay; Azure takes no empty text for "nothing".</summary>
    private static readonly string Blank = Convert.ToBase64String("#cloud-config\n"u8);

    private readonly ArmClient arm = access.Open();
    private readonly PatientCalls calls = new(clock, limits, say);
    private readonly Instances instances = new(access, clock, limits, say);
    private readonly Following following = new(access, clock, limits, say);
    private readonly Remains remains = new(access, new PatientCalls(clock, limits, say));
    private readonly DailyShutdowns shutdowns = new(access, new PatientCalls(clock, limits, say));

    public async Task<MachineView> ReadAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        (await LookAsync((AzureMachine)resource, deadline, cancellationToken)).View;

    public async Task<bool> MergeTagsAsync(
        AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        await new ResourceTags(arm, calls).MergeAsync(resource, tags, deadline, cancellationToken);
        return true;
    }

    public async Task<bool> RemoveTagsAsync(
        AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        await new ResourceTags(arm, calls).RemoveAsync(resource, tags, deadline, cancellationToken);
        return true;
    }

    /// <summary>
    /// One PATCH: capacity one, and what the machine reads at its first boot. It says where to be, not how far to go, so a lost answer is
    /// asked again.
    /// </summary>
    public async Task<MachineView> StartAsync(
        AzureResource resource, string? customData, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var machine = (AzureMachine)resource;
        var before = await LookAsync(machine, deadline, cancellationToken);
        var patch = Patch(before, capacity: 1, customData ?? Blank);
        var operation = await calls.AskAsync(ct => Set(machine).UpdateAsync(WaitUntil.Started, patch, ct), deadline, cancellationToken);
        var end = Earlier(deadline, clock.GetUtcNow() + limits.OperationDeadline);
        var ended = await following.UntilEndedAsync(operation!.GetRawResponse(), end, cancellationToken);
        // The operation's word is not taken for it: it says Succeeded while the view says otherwise, or its status was lost.
        end = ended ? Earlier(deadline, clock.GetUtcNow() + (limits.ViewPause * limits.ViewReadings)) : end;
        var now = await UntilRunningAsync(machine, end, deadline, cancellationToken);
        await ShutDownDailyAsync(machine, now, deadline, cancellationToken);
        return now.View;
    }

    /// <summary>
    /// Deletes what is there until nothing is: virtual machines, capacity, custom data, and what a deletion has left. Whether the capacity
    /// falls
    /// by itself, what a failed allocation leaves, and which answer was lost doesn't matter: each look decides what is still to do.
    /// </summary>
    public async Task<MachineView> StopAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var machine = (AzureMachine)resource;
        var asked = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase);
        var blanked = false;
        while (true)
        {
            var now = await LookAsync(machine, deadline, cancellationToken);
            if (blanked && now.View.IsOff)
            {
                return now.View;
            }

            await DeleteAsync(machine, now, asked, deadline, cancellationToken);
            if (!blanked || now.Capacity > 0)
            {
                await EmptyAsync(machine, now, deadline, cancellationToken);
                blanked = true;
            }

            if (clock.GetUtcNow() + limits.ViewPause > deadline)
            {
                var there = string.Join(", ", now.View.Instances.Concat(now.View.Left));
                throw new AzureException(new(FailureKind.Unavailable, $"what was deleted is still there: {there}"));
            }

            // Nothing was there: the next look needs no pause.
            await Task.Delay(now.View.IsOff ? TimeSpan.Zero : limits.ViewPause, clock, cancellationToken);
        }
    }

    /// <summary>What the serial console has shown since the boot; null when there is none, or it could not be had.</summary>
    public Task<string?> BootLogAsync(AzureMachine machine, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        instances.BootLogAsync(machine, deadline, cancellationToken);

    private async Task<Holding> LookAsync(AzureMachine machine, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var set = (await calls.AskAsync(ct => Set(machine).GetAsync(cancellationToken: ct), deadline, cancellationToken))!.Value.Data;
        if (machine.Stack is { } stack && set.Tags.TryGetValue(AzureMachine.StackTag, out var owner) && owner != stack)
        {
            throw new AzureException(new(FailureKind.Foreign, $"{machine.AzureName} is of the stack \"{owner}\", not of \"{stack}\""));
        }

        var held = await instances.ListAsync(machine, deadline, cancellationToken);
        return new(set, held, await remains.FindAsync(machine, deadline, cancellationToken));
    }

    private async Task DeleteAsync(
        AzureMachine machine, Holding now, Dictionary<string, int> asked, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        foreach (var instance in now.Instances.Where(instance => instance.ProvisioningState is not "Deleting"))
        {
            RefuseEndless(asked, instance.Name, now);
            await instances.AskForDeletionAsync(instance.Id, deadline, cancellationToken);
            await shutdowns.RemoveAsync(machine, instance.Name, deadline, cancellationToken);
        }

        // A deletion that is under way takes them along.
        foreach (var remain in now.Instances.Count > 0 ? [] : now.Left.Where(remain => !remain.IsGoing))
        {
            RefuseEndless(asked, remain.Name, now);
            await DeleteRemainAsync(remain, deadline, cancellationToken);
        }
    }

    /// <summary>An address can't go before its card, nor a card that Azure still reserves: the next look asks again.</summary>
    private async Task DeleteRemainAsync(Remain remain, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        try
        {
            await remains.AskForDeletionAsync(remain, deadline, cancellationToken);
        }
        catch (AzureException refused) when (refused.Failure.Kind is FailureKind.Refused or FailureKind.Busy)
        {
            say($"{remain.Name} can't be deleted yet: {refused.Failure.Message}");
        }
    }

    private void RefuseEndless(Dictionary<string, int> asked, string name, Holding now)
    {
        asked[name] = asked.GetValueOrDefault(name) + 1;
        if (asked[name] > limits.Pauses.Count + 1)
        {
            throw new AzureException(new(
                FailureKind.Unavailable, $"Azure accepted {asked[name] - 1} deletions of {name} and it is still there ({now.View.Provisioning})"));
        }
    }

    private async Task EmptyAsync(AzureMachine machine, Holding now, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        try
        {
            await calls.AskAsync(ct => Set(machine).UpdateAsync(WaitUntil.Started, Patch(now, capacity: 0, Blank), ct), deadline, cancellationToken);
        }
        catch (AzureException refused) when (refused.Failure.Kind is FailureKind.Refused)
        {
            // What is used up is worthless; that the machine goes is not.
            say($"{refused.Failure.Message}; the used custom data stays until the next start");
            await calls.AskAsync(ct => Set(machine).UpdateAsync(WaitUntil.Started, Patch(now, capacity: 0, customData: null), ct), deadline, cancellationToken);
        }
    }

    /// <summary>The whole `sku`, whether Azure wants it or not; never `tags`: a PATCH that names them replaces all of them.</summary>
    private static VirtualMachineScaleSetPatch Patch(Holding now, int capacity, string? customData) => new()
    {
        Sku = new ComputeSku { Name = now.Set.Sku?.Name, Tier = now.Set.Sku?.Tier, Capacity = capacity },
        VirtualMachineProfile = customData is null ? null : new() { OSProfile = new() { CustomData = customData } },
    };

    private async Task<Holding> UntilRunningAsync(
        AzureMachine machine, DateTimeOffset end, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        for (var failed = 0; ;)
        {
            var now = await LookAsync(machine, deadline, cancellationToken);
            if (now.View is { Instances.Count: 1, Power: PowerState.Running, Provisioning: "Succeeded" })
            {
                return now;
            }

            if (now.FailedBecause is { } code)
            {
                throw new AzureException(AzureFailure.FromCode(code, "the virtual machine could not be made"));
            }

            // Where the operation's status may not be read and a failed try has left nothing with a code, the state is all that tells of it. The
            // first readings may still be of the try before.
            failed = now.View.Provisioning is "Failed" ? failed + 1 : 0;
            if (failed >= limits.ViewReadings)
            {
                throw new AzureException(new(FailureKind.Unexplained, "the machine could not be made: Azure says Failed, and not why"));
            }

            if (now.Instances.Count > 1 || clock.GetUtcNow() + limits.ViewPause > end)
            {
                throw new AzureException(new(FailureKind.Unavailable,
                    $"after the start the machine is {now.View.Power.ToString().ToLowerInvariant()}, provisioning {now.View.Provisioning}, {now.Instances.Count} in it"));
            }

            await Task.Delay(limits.ViewPause, clock, cancellationToken);
        }
    }

    /// <summary>One layer less is no reason to measure nothing: it is said, and the other three stand.</summary>
    private async Task ShutDownDailyAsync(AzureMachine machine, Holding now, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        try
        {
            await shutdowns.MakeAsync(machine, now.Instances[0].Id, deadline, cancellationToken);
        }
        catch (AzureException failed)
        {
            say($"{DailyShutdowns.Missing}: {failed.Failure.Message}{DailyShutdowns.ToDo(failed.Failure)}");
        }
    }

    private VirtualMachineScaleSetResource Set(AzureMachine machine) => arm.GetVirtualMachineScaleSetResource(machine.Id);

    private static DateTimeOffset Earlier(DateTimeOffset one, DateTimeOffset other) => one < other ? one : other;
}
