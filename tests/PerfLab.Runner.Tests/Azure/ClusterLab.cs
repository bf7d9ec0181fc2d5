using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>A cluster in a fake Azure, and what acts on it.</summary>
public abstract class ClusterLab
{
    private protected static LeaseHolder ByHand { get; } = new(0, 0);
    private protected FakeTimeProvider Clock { get; } = FakeTimeProvider.AtTheStart();
    private readonly PowerLimits limits = new();
    private protected List<string> Said { get; } = [];
    private protected FakeAzure Azure { get; }
    private protected FakeClusterInAzure Aks { get; }
    private protected MachineStart Starter { get; }
    private readonly MachineStop stop;
    private protected Reaper Reaper { get; }
    private protected AzureCluster Cluster { get; } = FakeClusterInAzure.Cluster();

    protected ClusterLab()
    {
        Azure = new FakeAzure(Clock);
        Aks = Azure.AddCluster();
        var access = Azure.AccessFor("lab-power");
        var power = new AzurePower(new ScaleSets(access, Clock, limits, Said.Add), new Clusters(access, Clock, limits, Said.Add));
        stop = new MachineStop(power, Clock, limits, Said.Add);
        Starter = new MachineStart(power, stop, Clock, limits, Said.Add);
        Reaper = new Reaper(power, stop, Clock, limits);
    }

    private protected DateTimeOffset Now => Clock.GetUtcNow();

    private protected Task<Lease> StartAsync() => Clock.RunAsync(() => Starter.RunAsync(new StartRequest(Cluster, ByHand, TimeSpan.FromHours(2)), CancellationToken.None));

    private protected Task StopAsync() => Clock.RunAsync(() => stop.RunAsync(Cluster, ByHand, CancellationToken.None));

    private protected async Task<Reaped> ReapAsync() => (await Clock.RunAsync(() => Reaper.RunAsync([Cluster], new RunnerList([]), CancellationToken.None))).ShouldHaveSingleItem();

    private protected void RunningUnder(Lease? lease)
    {
        Aks.Run();
        Aks.Tags[MachineTags.StartedName] = Lease.TimeText(Now);
        if (lease is not null)
        {
            Aks.Tags[MachineTags.LeaseName] = lease.ToString();
        }
    }
}
