using Azure;
using Azure.Core;

namespace PerfLab.Lab.Azure;

/// <summary>
/// Cost layer 4: Azure's own daily shutdown, made for each virtual machine after its start and removed with it. It fires when everything
/// of ours is dead.
/// </summary>
internal sealed class DailyShutdowns(AzureAccess access, PatientCalls calls)
{
    private const string ApiVersion = "2018-09-15";

    /// <summary>How a start says that it goes on with three layers; the action `lab-up` makes a warning of the run of it.</summary>
    public const string Missing = "WITHOUT a daily shutdown, the last of four layers";

    private readonly ArmCalls arm = new(access);

    public Task MakeAsync(AzureMachine machine, ResourceIdentifier instance, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        if (machine.Shutdown is not { } shutdown)
        {
            return Task.CompletedTask;
        }

        var body = new JsonObject
        {
            ["location"] = machine.Location,
            ["tags"] = new JsonObject { [AzureMachine.MachineTag] = machine.AzureName },
            ["properties"] = new JsonObject
            {
                ["status"] = "Enabled",
                ["taskType"] = "ComputeVmShutdownTask",
                ["dailyRecurrence"] = new JsonObject { ["time"] = shutdown.Time },
                ["timeZoneId"] = shutdown.TimeZone,
                ["targetResourceId"] = instance.ToString(),
                ["notificationSettings"] = new JsonObject { ["status"] = "Disabled" },
            },
        };
        return calls.AskAsync(ct => SendAsync(RequestMethod.Put, machine, instance.Name, ct, body), deadline, cancellationToken);
    }

    /// <summary>A provider that a subscription has never used is registered by its owner: no identity of the lab may.</summary>
    public static string ToDo(AzureFailure failure) => failure.Message.Contains("MissingSubscriptionRegistration", StringComparison.Ordinal)
        ? " To do, once, as the owner: az provider register --namespace Microsoft.DevTestLab --wait" : "";

    /// <summary>Gone already is as good.</summary>
    public Task RemoveAsync(AzureMachine machine, string instance, DateTimeOffset deadline, CancellationToken cancellationToken) => calls.AskAsync(
        async ct =>
        {
            try
            {
                return await SendAsync(RequestMethod.Delete, machine, instance, ct);
            }
            catch (RequestFailedException gone) when (gone.Status == 404)
            {
                return false;
            }
        },
        deadline, cancellationToken);

    /// <summary>Azure answers 400 to any other name.</summary>
    private async Task<bool> SendAsync(
        RequestMethod method, AzureMachine machine, string instance, CancellationToken cancellationToken, JsonObject? body = null)
    {
        var path = $"/subscriptions/{machine.SubscriptionId}/resourceGroups/{machine.ResourceGroup}/providers/Microsoft.DevTestLab/schedules/shutdown-computevm-{instance}";
        (await arm.SendAsync(method, arm.At(path, ApiVersion), cancellationToken, body)).Dispose();
        return true;
    }
}
