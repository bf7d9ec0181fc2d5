using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;

namespace PerfLab.Machine.Watching;

/// <summary>
/// Size, place and id of a virtual machine of Azure, as its metadata service says. Only asked where the DMI says that this is Azure; on the
/// lab the firewall lets only root ask, so that a session of the job's user has "unknown" here and doctor, run by the owner, the value.
/// </summary>
internal static class AzureInstance
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    /// <summary>Null elsewhere than on Azure.</summary>
    public static async Task<JsonObject?> AskAsync(MachineFiles files, TimeProvider time, CancellationToken cancellationToken)
    {
        if (files.Text("/sys/class/dmi/id/chassis_asset_tag")?.Trim() != HypervisorRow.AzureTag)
        {
            return null;
        }

        using var http = MetadataService.Client(MetadataService.Address, Patience);
        return Of(await new MetadataService(http).ComputeAsync(cancellationToken));
    }

    /// <summary>What the service answered, as facts; hostile for all we know.</summary>
    public static JsonObject Of(AzureCompute? compute)
    {
        static string Text(string? said) => (said is null ? null : KernelText.Line(said)) ?? MachineFiles.Unknown;
        return new JsonObject { ["size"] = Text(compute?.VmSize), ["location"] = Text(compute?.Location), ["vmId"] = Text(compute?.VmId) };
    }
}
