using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>The instance metadata service of one fake machine. Like the real one it refuses callers without the header.</summary>
internal sealed class FakeMetadata(FakeMachineInAzure machine, string caller) : HttpMessageHandler
{
    /// <summary>What tags the service shows: those that the machine got when it was made. The real one shows changes minutes late.</summary>
    public Func<string?> ShownLease { get; set; } = () => machine.Vms.FirstOrDefault()?.Lease;

    /// <summary>What the service says of announced maintenance, as text: it may be anything.</summary>
    public string Events { get; set; } = """{"DocumentIncarnation":1,"Events":[]}""";

    /// <summary>An answer in the place of the right one.</summary>
    public Func<HttpResponseMessage?> Fault { get; set; } = () => null;

    public HttpClient Client => new(this, disposeHandler: false) { BaseAddress = new Uri("http://metadata.test") };

    protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken) =>
        Task.FromResult(Fault() ?? Answer(request));

    private HttpResponseMessage Answer(HttpRequestMessage request)
    {
        if (!request.Headers.Contains("Metadata"))
        {
            return new HttpResponseMessage(HttpStatusCode.BadRequest);
        }

        return request.RequestUri!.AbsolutePath switch
        {
            "/metadata/instance/compute" => Json(new JsonObject
            {
                ["name"] = machine.Vms.FirstOrDefault()?.Name ?? machine.Name,
                ["resourceId"] = machine.Vms.FirstOrDefault()?.Id,
                ["location"] = "westeurope",
                ["vmSize"] = "Standard_D4s_v5",
                ["tagsList"] = ShownLease() is { } lease
                    ? new JsonArray(new JsonObject { ["name"] = "owner", ["value"] = "somebody" }, new JsonObject { ["name"] = MachineTags.LeaseName, ["value"] = lease })
                    : new JsonArray(),
            }),
            "/metadata/identity/oauth2/token" => Json(new JsonObject { ["access_token"] = caller, ["expires_in"] = "86399", ["token_type"] = "Bearer" }),
            "/metadata/scheduledevents" when request.RequestUri.Query == "?api-version=2020-07-01" => new(HttpStatusCode.OK) { Content = new StringContent(Events) },
            _ => new HttpResponseMessage(HttpStatusCode.NotFound),
        };
    }

    private static HttpResponseMessage Json(JsonObject body) => new(HttpStatusCode.OK) { Content = new StringContent(body.ToJsonString(), Encoding.UTF8, "application/json") };
}
