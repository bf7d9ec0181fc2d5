using System.Text.Json;
using System.Text.Json.Nodes;
using PerfLab.Runner.Machine.Rows;

namespace PerfLab.Runner.Machine;

/// <summary>
/// Size, place and id of a virtual machine of Azure, as its metadata service says. Only asked where the DMI says that this is Azure; on the
/// lab the firewall lets only root ask, so that a session of the job's user has "unknown" here and doctor, run by the owner, the value.
/// </summary>
internal static class AzureInstance
{
    private static readonly Uri Compute = new("http://169.254.169.254/metadata/instance/compute?api-version=2021-02-01");
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    /// <summary>Null elsewhere than on Azure.</summary>
    public static async Task<JsonObject?> AskAsync(MachineFiles files, HttpMessageHandler? handler, CancellationToken cancellationToken)
    {
        if (files.Text("/sys/class/dmi/id/chassis_asset_tag")?.Trim() != HypervisorRow.AzureTag)
        {
            return null;
        }

        var compute = await GetAsync(handler, cancellationToken);
        string Of(string name) => compute?[name] is JsonValue value && value.TryGetValue<string>(out var text) ? KernelText.Line(text) ?? MachineFiles.Unknown : MachineFiles.Unknown;
        return new JsonObject { ["size"] = Of("vmSize"), ["location"] = Of("location"), ["vmId"] = Of("vmId") };
    }

    private static async Task<JsonObject?> GetAsync(HttpMessageHandler? handler, CancellationToken cancellationToken)
    {
        using var client = new HttpClient(handler ?? new SocketsHttpHandler { UseProxy = false, AllowAutoRedirect = false }, disposeHandler: handler is null)
        {
            Timeout = Patience,
            MaxResponseContentBufferSize = 1 << 20,
        };
        using var request = new HttpRequestMessage(HttpMethod.Get, Compute) { Headers = { { "Metadata", "true" } } };
        try
        {
            using var answer = await client.SendAsync(request, cancellationToken);
            return answer.IsSuccessStatusCode ? JsonNode.Parse(await answer.Content.ReadAsStringAsync(cancellationToken)) as JsonObject : null;
        }
        catch (Exception e) when (e is HttpRequestException or JsonException or IOException || (e is TaskCanceledException && !cancellationToken.IsCancellationRequested))
        {
            return null;
        }
    }
}
