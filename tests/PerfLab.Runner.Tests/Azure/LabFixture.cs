using System.Text;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>One machine in a fake Azure, and what acts on it.</summary>
internal sealed class LabFixture
{
    public static readonly LeaseHolder Us = new(4711, 1);
    public static readonly LeaseHolder Them = new(42, 1);

    public LabFixture()
    {
        Azure = new FakeAzure(Clock);
        Vm = Azure.Add();
        Machines = new ScaleSets(Azure.AccessFor("lab-power"), Clock, Limits, Said.Add);
        Stop = new MachineStop(Machines, Clock, Limits, Said.Add);
        Start = new MachineStart(Machines, Stop, Clock, Limits, Said.Add);
    }

    public FakeTimeProvider Clock { get; } = FakeTimeProvider.AtTheStart();
    public PowerLimits Limits { get; } = new();
    public FakeAzure Azure { get; }
    public FakeMachineInAzure Vm { get; }
    public List<string> Said { get; } = [];
    public ScaleSets Machines { get; }
    public MachineStop Stop { get; }
    public MachineStart Start { get; }
    public AzureMachine Machine { get; } = FakeAzure.Machine();
    public DateTimeOffset Now => Clock.GetUtcNow();

    public StartRequest Request(LeaseHolder? holder = null) => new(Machine, holder ?? Us, TimeSpan.FromHours(2)) { CustomData = DataFor };

    public static string DataFor(Lease lease) => Convert.ToBase64String(Encoding.UTF8.GetBytes($"#cloud-config\n# as long as what a machine really reads at its first boot, which is never under a hundred characters: {lease}\n"));

    public Task<Lease> StartAsync() => Clock.RunAsync(() => Start.RunAsync(Request(), CancellationToken.None));

    public Task StopAsync(LeaseHolder? holder = null) => Clock.RunAsync(() => Stop.RunAsync(Machine, holder ?? Us, CancellationToken.None));

    /// <summary>The machine runs under this lease, as if a run had started it.</summary>
    public void RunningUnder(Lease? lease)
    {
        Vm.Tags[MachineTags.StartedName] = Lease.TimeText(Now);
        if (lease is not null)
        {
            Vm.Tags[MachineTags.LeaseName] = lease.ToString();
        }

        Vm.Set("running", Now);
    }
}
