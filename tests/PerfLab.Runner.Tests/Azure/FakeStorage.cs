using System.Net;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>Where the serial console's log lies. It must never see a token.</summary>
public sealed class FakeStorage(FakeAzure azure) : HttpMessageHandler
{
    protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken) =>
        Task.FromResult(request.Headers.Authorization is not null || azure.BootLog is not { } log
            ? new HttpResponseMessage(HttpStatusCode.NotFound)
            : new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent(log) });
}
