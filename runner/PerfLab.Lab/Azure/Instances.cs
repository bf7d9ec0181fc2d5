using Azure;
using Azure.Core;
using Azure.ResourceManager;
using Azure.ResourceManager.Compute;
using Azure.ResourceManager.Compute.Models;

namespace PerfLab.Lab.Azure;

/// <summary>
/// The virtual machines that a scale set holds: with Flexible orchestration each is one of its own, in the lab's resource group.
/// </summary>
internal sealed class Instances(AzureAccess access, TimeProvider clock, PowerLimits limits, Action<string> say)
{
    /// <summary>More than a scale set of the lab can ever hold: an endless list is no list.</summary>
    private const int Most = 1000;

    private readonly ArmClient arm = access.Open();
    private readonly PatientCalls calls = new(clock, limits, say);

    public async Task<IReadOnlyList<VirtualMachineData>> ListAsync(
        AzureMachine machine, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        (await calls.AskAsync(ct => ListOnceAsync(machine, ct), deadline, cancellationToken))!;

    /// <summary>
    /// Ends when Azure has accepted it, which deletes card, address and disk too. Gone already is as good. Also for the watchdog, which may
    /// do
    /// this and nothing else, and dies of it.
    /// </summary>
    public Task AskForDeletionAsync(ResourceIdentifier instance, DateTimeOffset deadline, CancellationToken cancellationToken) => calls.AskAsync(
        async ct =>
        {
            try
            {
                await arm.GetVirtualMachineResource(instance).DeleteAsync(WaitUntil.Started, forceDeletion: null, ct);
            }
            catch (RequestFailedException gone) when (gone.Status == 404)
            {
                return false;
            }

            return true;
        },
        deadline, cancellationToken);

    /// <summary>What the serial console has shown since the boot; null when there is none, or it could not be had.</summary>
    public async Task<string?> BootLogAsync(AzureMachine machine, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        try
        {
            if (await ListAsync(machine, deadline, cancellationToken) is not [var instance, ..])
            {
                say($"{machine.Name} is empty: there is no console");
                return null;
            }

            var answer = await calls.AskAsync(ct => arm.GetVirtualMachineResource(instance.Id).RetrieveBootDiagnosticsDataAsync(sasUriExpirationTimeInMinutes: 5, ct), deadline, cancellationToken);
            using var storage = access.Storage();
            return answer?.Value.SerialConsoleLogBlobUri is { Scheme: "https" } address ? await storage.GetStringAsync(address, cancellationToken) : null;
        }
        catch (Exception exception) when (exception is AzureException or HttpRequestException or InvalidOperationException
            || (exception is TaskCanceledException && !cancellationToken.IsCancellationRequested))
        {
            say($"the boot log of {machine.Name} could not be had: {exception.Message}");
            return null;
        }
    }

    private async Task<IReadOnlyList<VirtualMachineData>> ListOnceAsync(AzureMachine machine, CancellationToken cancellationToken)
    {
        var id = $"/subscriptions/{machine.SubscriptionId}/resourceGroups/{machine.ResourceGroup}";
        var group = arm.GetResourceGroupResource(new ResourceIdentifier(id));
        var found = new List<VirtualMachineData>();
        var listed = 0;
        var filter = $"'virtualMachineScaleSet/id' eq '{machine.Id}'";
        await foreach (var instance in group.GetVirtualMachines().GetAllAsync(filter, GetVirtualMachineExpandType.InstanceView, cancellationToken))
        {
            // The filter is Azure's word for it; whose machine it is decides over a deletion.
            var owner = instance.Data.VirtualMachineScaleSetId?.ToString();
            if (string.Equals(owner, machine.Id.ToString(), StringComparison.OrdinalIgnoreCase))
            {
                found.Add(instance.Data);
            }

            if (++listed > Most)
            {
                throw new FormatException("the list of machines does not end");
            }
        }

        for (var i = 0; i < found.Count; i++)
        {
            found[i] = found[i].InstanceView is null ? await WithViewAsync(found[i], cancellationToken) : found[i];
        }

        return found;
    }

    /// <summary>
    /// A list with a filter has brought no instance views of a Flexible scale set (Azure/azure-sdk-for-go#19707), though it is documented to:
    /// then each machine is asked for its own. One that goes meanwhile stays as it was listed: the next look has it no more.
    /// </summary>
    private async Task<VirtualMachineData> WithViewAsync(VirtualMachineData listed, CancellationToken cancellationToken)
    {
        try
        {
            return (await arm.GetVirtualMachineResource(listed.Id).GetAsync(InstanceViewType.InstanceView, cancellationToken)).Value.Data;
        }
        catch (RequestFailedException gone) when (gone.Status == 404)
        {
            return listed;
        }
    }
}
