using PerfLab.Machine.Watching;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure.Simulation;

/// <summary>The real watchdog on the fake machine: lives and dies with each boot.</summary>
internal sealed class SimulatedWatchdog : IDisposable
{
    private readonly FakeMachineInAzure vm;
    private readonly FakeTimeProvider clock;
    private readonly FakeMetadata metadata;
    private readonly WatchdogFiles files;
    private readonly OwnMachine service;
    private readonly AzureAccess access;
    private CancellationTokenSource? boot;
    private int bootNumber;

    public SimulatedWatchdog(FakeMachineInAzure vm, FakeAzure azure, FakeTimeProvider clock, string folder)
    {
        (this.vm, this.clock) = (vm, clock);
        files = new WatchdogFiles(Path.Combine(folder, "heartbeat"), Path.Combine(folder, "lease"));
        metadata = new FakeMetadata(vm, "watchdog") { Fault = Beat };
        service = new OwnMachine(new MetadataService(metadata.Client), clock);
        access = azure.AccessFor("watchdog") with { Credential = service.Credential };
    }

    /// <summary>Whether the GitHub runner on the machine works, and touches its file.</summary>
    public bool RunnerLives { get; set; }

    public bool IsDead { get; set; }

    public void Dispose()
    {
        metadata.Dispose();
        boot?.Dispose();
    }

    public async Task RunAsync(Func<bool> isOver)
    {
        while (!isOver())
        {
            await Task.Delay(TimeSpan.FromMinutes(1), clock);
            if (vm.Power == "running" && !IsDead)
            {
                await WatchThisBootAsync();
            }
        }
    }

    private async Task WatchThisBootAsync()
    {
        using var end = new CancellationTokenSource();
        (boot, bootNumber) = (end, vm.Boots);
        try
        {
            var dog = new Watchdog(service, access, files, clock, _ => { }) { Limits = new() { Every = TimeSpan.FromMinutes(1) } };
            await dog.RunAsync(end.Token);
        }
        catch (OperationCanceledException)
        {
            // The machine is off.
        }
        finally
        {
            boot = null;
        }
    }

    /// <summary>The dog dies with its machine. It learns that at its own turn, so that the order of all events is the same every time.</summary>
    private HttpResponseMessage? Beat()
    {
        if (vm.Power is not "running" || vm.Boots != bootNumber)
        {
            boot?.Cancel();
            throw new HttpRequestException("the machine is off");
        }

        if (RunnerLives)
        {
            File.WriteAllText(files.Heartbeat, "");
            File.SetLastWriteTimeUtc(files.Heartbeat, clock.GetUtcNow().UtcDateTime);
        }

        return null;
    }
}
