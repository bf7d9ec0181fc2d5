using PerfLab.Runner.Azure;

namespace PerfLab.Runner.Tests.Azure;

public sealed class LifeCycleTests
{
    private readonly LabFixture lab = new();

    [Fact]
    public async Task A_run_starts_reimages_and_gives_back_a_machine()
    {
        var lease = await lab.StartAsync();

        lease.Holder.ShouldBe(LabFixture.Us);
        lab.Vm.Power.ShouldBe("running");
        lab.Vm.CustomData.ShouldBe($"data for {lease}");
        lab.Vm.Disk.ShouldBe(2, "a fresh system disk");
        lab.Vm.Tags[MachineTags.LeaseName].ShouldBe(lease.ToString());

        await lab.StopAsync();

        lab.Vm.Power.ShouldBe("deallocated");
        lab.Vm.Tags.Keys.ShouldBe(["perf-lab:stack", "owner", MachineTags.UsedName], ignoreOrder: true);
    }

    [Fact]
    public async Task The_lease_is_written_before_the_start()
    {
        await lab.StartAsync();

        var verbs = lab.Azure.Verbs.Where(verb => verb is not "read").ToList();
        verbs.ShouldBe(["tags", "start", "reimage"]);
    }
}
