using Azure;
using Azure.ResourceManager;
using Azure.ResourceManager.Compute;
using Azure.ResourceManager.Compute.Models;

namespace PerfLab.Power.Azure;

/// <summary>Power, lease and disk of a virtual machine.</summary>
public sealed class VirtualMachines(AzureDoor door, TimeProvider clock, PowerLimits limits, Action<string> say) : IPower
{
    private readonly ArmClient arm = door.Open();
    private readonly PatientCalls calls = new(clock, limits, say);

    public async Task<MachineView> ReadAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var answer = await calls.AskAsync(ct => Vm(resource).GetAsync(InstanceViewType.InstanceView, ct), deadline, cancellationToken);
        return MachineView.From(answer!.Value.Data);
    }

    public async Task<bool> MergeTagsAsync(AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        await new ResourceTags(arm, calls).MergeAsync(resource, tags, deadline, cancellationToken);
        return true;
    }

    public async Task<bool> RemoveTagsAsync(AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        await new ResourceTags(arm, calls).RemoveAsync(resource, tags, deadline, cancellationToken);
        return true;
    }

    public Task<MachineView> StartAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        OperateAsync(new Operation(resource, "start", ct => Vm(resource).PowerOnAsync(WaitUntil.Started, ct), view => view.Power is PowerState.Running), deadline, cancellationToken);

    public Task<MachineView> StopAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        OperateAsync(new Operation(resource, "deallocate", ct => Vm(resource).DeallocateAsync(WaitUntil.Started, cancellationToken: ct), view => view.IsOff), deadline, cancellationToken);

    /// <summary>What the serial console has shown since the boot; null when there is none, or it could not be had.</summary>
    public async Task<string?> BootLogAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        try
        {
            var answer = await calls.AskAsync(ct => Vm(resource).RetrieveBootDiagnosticsDataAsync(sasUriExpirationTimeInMinutes: 5, ct), deadline, cancellationToken);
            using var storage = door.Storage();
            return answer?.Value.SerialConsoleLogBlobUri is { Scheme: "https" } address ? await storage.GetStringAsync(address, cancellationToken) : null;
        }
        catch (Exception exception) when (exception is AzureException or HttpRequestException or InvalidOperationException
            || (exception is TaskCanceledException && !cancellationToken.IsCancellationRequested))
        {
            say($"the boot log of {resource.Name} could not be had: {exception.Message}");
            return null;
        }
    }

    /// <summary>Ends when Azure has accepted it: for a caller that may do this and nothing else, and dies of it.</summary>
    public Task AskForDeallocationAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        calls.AskAsync(ct => Vm(resource).DeallocateAsync(WaitUntil.Started, cancellationToken: ct), deadline, cancellationToken);

    /// <summary>A fresh system disk with this custom data. Never sent twice once it has begun: the custom data holds a runner configuration that works once.</summary>
    public async Task<MachineView> ReimageAsync(AzureResource resource, string customData, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var before = await ReadAsync(resource, deadline, cancellationToken);
        var content = new VirtualMachineReimageContent { OSProfile = new OSProfileProvisioningData { CustomData = customData } };
        var operation = new Operation(resource, "reimage", ct => Vm(resource).ReimageAsync(WaitUntil.Started, content, ct), view => view is { Power: PowerState.Running, Provisioning: "Succeeded" })
        {
            HasBegun = view => view.OsDisk != before.OsDisk || view.Provisioning is "Updating",
        };
        return await OperateAsync(operation, deadline, cancellationToken);
    }

    private sealed record Operation(AzureResource Machine, string Name, Func<CancellationToken, Task<ArmOperation>> Begin, Func<MachineView, bool> IsDone)
    {
        public Func<MachineView, bool>? HasBegun { get; init; }
    }

    private async Task<MachineView> OperateAsync(Operation operation, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        Func<CancellationToken, Task<bool>>? hasBegun = operation.HasBegun is { } begun ? async ct => begun(await ReadAsync(operation.Machine, deadline, ct)) : null;
        var running = await calls.AskAsync(operation.Begin, deadline, cancellationToken, hasBegun);
        var operationEnd = Earlier(deadline, clock.GetUtcNow() + limits.OperationDeadline);
        var ended = running is not null && await FollowAsync(operation.Name, running, operationEnd, cancellationToken);
        // The operation's word is not taken for it: it says Succeeded while the view says otherwise, or its status was lost.
        var viewEnd = ended ? Earlier(deadline, clock.GetUtcNow() + (limits.ViewPause * limits.ViewReadings)) : operationEnd;
        return await WatchAsync(operation, viewEnd, deadline, cancellationToken);
    }

    /// <summary>Asks the operation, not the machine: Azure's advice against throttling. False when its end could not be learned.</summary>
    private async Task<bool> FollowAsync(string name, ArmOperation operation, DateTimeOffset end, CancellationToken cancellationToken)
    {
        while (!operation.HasCompleted)
        {
            var pause = operation.GetRawResponse().Headers.TryGetValue("Retry-After", out var text) && int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)
                ? Math.Clamp(seconds, 1, 30) : 5;
            if (clock.GetUtcNow().AddSeconds(pause) > end)
            {
                say($"the {name} operation did not end within {limits.OperationDeadline.TotalMinutes:0} min; looking at the machine itself");
                return false;
            }

            await Task.Delay(TimeSpan.FromSeconds(pause), clock, cancellationToken);
            try
            {
                await operation.UpdateStatusAsync(cancellationToken);
            }
            catch (Exception exception) when (!cancellationToken.IsCancellationRequested && AzureFailure.From(exception, clock.GetUtcNow()) is { } failure)
            {
                // A status request that failed has ended the SDK's operation object, not Azure's operation.
                if (!failure.IsPassing && failure.Kind is not FailureKind.Throttled)
                {
                    throw new AzureException(failure, exception);
                }

                say($"{failure.Message}; looking at the machine itself");
                await Task.Delay(failure.RetryAfter is { } wait && wait <= limits.LongestRetryAfter ? wait : limits.ViewPause, clock, cancellationToken);
                return false;
            }
        }

        return true;
    }

    private async Task<MachineView> WatchAsync(Operation operation, DateTimeOffset end, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        while (true)
        {
            var view = await ReadAsync(operation.Machine, deadline, cancellationToken);
            if (operation.IsDone(view))
            {
                return view;
            }

            if (clock.GetUtcNow() + limits.ViewPause > end)
            {
                throw new AzureException(new(FailureKind.Unavailable,
                    $"after the {operation.Name} the machine is {view.Power.ToString().ToLowerInvariant()}, provisioning {view.Provisioning}"));
            }

            await Task.Delay(limits.ViewPause, clock, cancellationToken);
        }
    }

    private VirtualMachineResource Vm(AzureResource machine) => arm.GetVirtualMachineResource(machine.Id);

    private static DateTimeOffset Earlier(DateTimeOffset one, DateTimeOffset other) => one < other ? one : other;
}
