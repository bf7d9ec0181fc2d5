using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>A fake Azure behind a real socket and real TLS, on loopback. One call at a time.</summary>
internal sealed class FakeAzureServer(FakeAzure azure) : IAsyncDisposable
{
    private readonly Lock gate = new();
    private WebApplication? server;

    /// <summary>Its own; nobody signed it.</summary>
    public X509Certificate2 Certificate { get; } = MakeCertificate();

    /// <summary>After each call, and whenever the owner likes.</summary>
    public Action Settled { get; set; } = () => { };

    public async Task<Uri> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.UseHttps(Certificate)));
        builder.WebHost.UseKestrelHttpsConfiguration();
        server = builder.Build();
        server.Run(AnswerAsync);
        await server.StartAsync();
        return new Uri(server.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single());
    }

    /// <summary>While nobody calls.</summary>
    public void Do(Action act)
    {
        lock (gate)
        {
            act();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await server!.DisposeAsync();
        Certificate.Dispose();
    }

    private async Task AnswerAsync(HttpContext context)
    {
        using var reader = new StreamReader(context.Request.Body);
        var body = await reader.ReadToEndAsync();
        var caller = context.Request.Headers.Authorization.ToString().Replace("Bearer ", "", StringComparison.Ordinal);
        var uri = new Uri($"https://{context.Request.Host}{context.Request.Path}{context.Request.QueryString}");
        HttpResponseMessage answer;
        try
        {
            lock (gate)
            {
                answer = azure.Answer(context.Request.Method, uri, caller, body);
                Settled();
            }
        }
        catch (TimeoutException)
        {
            await Task.Delay(Timeout.Infinite, context.RequestAborted).ContinueWith(_ => { }, TaskScheduler.Default);
            return;
        }

        using (answer)
        {
            context.Response.StatusCode = (int)answer.StatusCode;
            foreach (var (name, values) in answer.Headers.Concat(answer.Content.Headers))
            {
                context.Response.Headers[name] = values.ToArray();
            }

            await answer.Content.CopyToAsync(context.Response.Body);
        }
    }

    private static X509Certificate2 MakeCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=management.azure.com", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("management.azure.com");
        request.CertificateExtensions.Add(names.Build());
        using var made = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pfx), null);
    }
}
