using System.Net.Security;
using System.Security.Cryptography;
using Azure.Core.Pipeline;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>The same fake behind a real socket and real TLS: what an in-process handler can't show about headers, bodies and connections.</summary>
public sealed class LoopbackTests : IAsyncLifetime
{
    private readonly FakeTimeProvider clock = FakeTimeProvider.AtTheStart();
    private readonly FakeAzure azure;
    private readonly FakeMachineInAzure vm;
    private readonly FakeAzureServer server;
    private AzureAccess? access;

    public LoopbackTests()
    {
        azure = new FakeAzure(clock);
        vm = azure.Add();
        server = new FakeAzureServer(azure);
    }

    public async ValueTask InitializeAsync()
    {
        var address = await server.StartAsync();
        var hash = server.Certificate.GetCertHashString(HashAlgorithmName.SHA256);
        var handler = new SocketsHttpHandler
        {
            UseProxy = false,
            SslOptions = new SslClientAuthenticationOptions { RemoteCertificateValidationCallback = (_, shown, _, _) => shown?.GetCertHashString(HashAlgorithmName.SHA256) == hash },
        };
        access = new AzureAccess { Credential = new FakeCredential("lab-power"), Transport = new HttpClientTransport(new HttpClient(handler)), Endpoint = address };
    }

    public async ValueTask DisposeAsync()
    {
        await server.DisposeAsync();
        azure.Dispose();
    }

    [Fact]
    public async Task A_machine_is_made_and_deleted_over_the_wire()
    {
        var machines = new ScaleSets(access!, clock, new PowerLimits(), _ => { });
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
        var machines = new ScaleSets(access! with { CallTimeout = TimeSpan.FromMilliseconds(200) }, clock, new PowerLimits { Pauses = [] }, _ => { });

        var error = await Should.ThrowAsync<AzureException>(() => clock.RunAsync(() => machines.ReadAsync(FakeAzure.Machine(), clock.GetUtcNow().AddMinutes(5), CancellationToken.None)));

        error.Failure.Kind.ShouldBe(FailureKind.Unavailable);
    }
}
