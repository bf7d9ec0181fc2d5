using PerfLab.Power;
using PerfLab.Power.Azure;

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
        Machines = new VirtualMachines(Azure.DoorFor("lab-power"), Clock, Limits, Said.Add);
        Stop = new MachineStop(Machines, Clock, Limits, Said.Add);
        Start = new MachineStart(Machines, Stop, Clock, Limits, Said.Add);
    }

    public FakeTimeProvider Clock { get; } = FakeTimeProvider.AtTheStart();
    public PowerLimits Limits { get; } = new();
    public FakeAzure Azure { get; }
    public FakeMachineInAzure Vm { get; }
    public List<string> Said { get; } = [];
    public VirtualMachines Machines { get; }
    public MachineStop Stop { get; }
    public MachineStart Start { get; }
    public AzureMachine Machine { get; } = FakeAzure.Machine();
    public DateTimeOffset Now => Clock.GetUtcNow();

    public StartRequest Request(bool reimage = true) => new(Machine, Us, TimeSpan.FromHours(2)) { CustomData = reimage ? lease => $"data for {lease}" : null };

    public Task<Lease> StartAsync(bool reimage = true) => Clock.RunAsync(() => Start.RunAsync(Request(reimage), CancellationToken.None));

    public Task StopAsync(LeaseHolder? holder = null) => Clock.RunAsync(() => Stop.RunAsync(Machine, holder ?? Us, CancellationToken.None));

    /// <summary>The machine runs under this lease, as if a run had started it.</summary>
    public void RunningUnder(Lease? lease)
    {
        Vm.Set("running", Now);
        Vm.Tags[MachineTags.StartedName] = Lease.TimeText(Now);
        if (lease is not null)
        {
            Vm.Tags[MachineTags.LeaseName] = lease.ToString();
        }
    }
}
