using Azure;
using Azure.Core;
using Azure.Core.Pipeline;

namespace PerfLab.Lab.Azure;

/// <summary>
/// Calls of Azure's resource manager by hand, for kinds of things whose SDK of thousands of types would be the larger part of the
/// program.
/// </summary>
internal sealed class ArmCalls(AzureAccess access)
{
    private readonly HttpPipeline pipeline = access.OpenPipeline();

    public Uri At(string path, string apiVersion) => new(access.Endpoint, $"{path}?api-version={apiVersion}");

    /// <summary>An address that Azure has put into an answer: the token goes along to no other host.</summary>
    /// <returns>Null for anything else.</returns>
    public Uri? OwnAddress(string? text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var address) && address.Scheme == access.Endpoint.Scheme && address.Authority == access.Endpoint.Authority ? address : null;

    /// <exception cref="RequestFailedException">Azure says no.</exception>
    public async Task<Response> SendAsync(RequestMethod method, Uri address, CancellationToken cancellationToken, JsonObject? body = null)
    {
        using var request = pipeline.CreateRequest();
        request.Method = method;
        request.Uri.Reset(address);
        request.Headers.Add(HttpHeader.Common.JsonAccept);
        if (body is not null)
        {
            request.Headers.Add(HttpHeader.Common.JsonContentType);
            request.Content = RequestContent.Create(Encoding.UTF8.GetBytes(body.ToJsonString()));
        }

        var answer = await pipeline.SendRequestAsync(request, cancellationToken);
        return answer.IsError ? throw new RequestFailedException(answer) : answer;
    }
}
