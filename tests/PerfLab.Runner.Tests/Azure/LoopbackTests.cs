using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Azure.Core.Pipeline;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PerfLab.Power;
using PerfLab.Power.Azure;
using PerfLab.Power.Azure.Machines;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>The same fake behind a real socket and real TLS: what an in-process handler can't show about headers, bodies and connections.</summary>
public sealed class LoopbackTests : IAsyncLifetime
{
    private readonly FakeTimeProvider clock = FakeTimeProvider.AtTheStart();
    private readonly FakeAzure azure;
    private readonly FakeMachineInAzure vm;
    private readonly X509Certificate2 certificate = MakeCertificate();
    private WebApplication? server;
    private AzureDoor? door;

    public LoopbackTests()
    {
        azure = new FakeAzure(clock);
        vm = azure.Add();
    }

    public async ValueTask InitializeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.UseHttps(certificate)));
        builder.WebHost.UseKestrelHttpsConfiguration();
        server = builder.Build();
        server.Run(AnswerAsync);
        await server.StartAsync();
        var address = server.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single();
        var hash = certificate.GetCertHashString(HashAlgorithmName.SHA256);
        var handler = new SocketsHttpHandler
        {
            UseProxy = false,
            SslOptions = new SslClientAuthenticationOptions { RemoteCertificateValidationCallback = (_, shown, _, _) => shown?.GetCertHashString(HashAlgorithmName.SHA256) == hash },
        };
        door = new AzureDoor { Credential = new FakeCredential("lab-power"), Transport = new HttpClientTransport(new HttpClient(handler)), Endpoint = new Uri(address) };
    }

    public async ValueTask DisposeAsync()
    {
        await server!.DisposeAsync();
        certificate.Dispose();
        azure.Dispose();
    }

    [Fact]
    public async Task A_machine_is_made_and_deleted_over_the_wire()
    {
        var machines = new ScaleSets(door!, clock, new PowerLimits(), _ => { });
        var stop = new MachineStop(machines, clock, new PowerLimits(), _ => { });
        var start = new MachineStart(machines, stop, clock, new PowerLimits(), _ => { });
        var request = new StartRequest(FakeAzure.Machine(), LabFixture.Us, TimeSpan.FromHours(1)) { CustomData = lease => CustomData.For(CustomDataTests.Jit, lease) };

        await clock.RunAsync(() => start.RunAsync(request, CancellationToken.None));
        vm.Power.ShouldBe("running");
        vm.CustomData!.Length.ShouldBeGreaterThan(1000);
        await clock.RunAsync(() => stop.RunAsync(FakeAzure.Machine(), LabFixture.Us, CancellationToken.None));

        vm.Power.ShouldBe("empty");
        azure.Calls.ShouldAllBe(call => call.Caller == "lab-power");
    }

    [Fact]
    public async Task A_server_that_hangs_is_given_up()
    {
        azure.Faults.Add((_, _) => throw new TimeoutException("hang"));
        var machines = new ScaleSets(door! with { CallTimeout = TimeSpan.FromMilliseconds(200) }, clock, new PowerLimits { Pauses = [] }, _ => { });

        var error = await Should.ThrowAsync<AzureException>(() => clock.RunAsync(() => machines.ReadAsync(FakeAzure.Machine(), clock.GetUtcNow().AddMinutes(5), CancellationToken.None)));

        error.Failure.Kind.ShouldBe(FailureKind.Unavailable);
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
            answer = azure.Answer(context.Request.Method, uri, caller, body);
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
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        using var made = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pfx), null);
    }
}
