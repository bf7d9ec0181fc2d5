using System.Net;
using System.Text.Json.Nodes;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

public sealed class ReaperTests
{
    private readonly LabFixture lab = new();
    private readonly Reaper reaper;

    public ReaperTests() => reaper = new Reaper(lab.Machines, lab.Stop, lab.Clock, lab.Limits);

    private static RunnerList Nobody => new([]);

    private async Task<Reaped> ReapAsync(RunnerList? runners = null) =>
        (await lab.Clock.RunAsync(() => reaper.RunAsync([lab.Machine], runners, CancellationToken.None))).ShouldHaveSingleItem();

    [Fact]
    public async Task A_live_lease_is_left_alone()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(1)));

        (await ReapAsync()).Decision.ShouldBe("in use by run 4711/1 until 2026-11-02T09:00:00Z");
        lab.Vm.Power.ShouldBe("running");
    }

    [Fact]
    public async Task A_lease_that_is_over_ends_the_machine_in_the_first_round()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddMinutes(-1)));

        (await ReapAsync()).Ended.ShouldBeTrue();
        lab.Vm.Power.ShouldBe("empty");
        lab.Vm.Tags.ShouldNotContainKey(MachineTags.LeaseName);
    }

    [Fact]
    public async Task A_machine_without_a_lease_is_ended_in_the_second_round()
    {
        lab.RunningUnder(null);

        (await ReapAsync()).Decision.ShouldStartWith("suspected: no readable lease");
        lab.Vm.Power.ShouldBe("running");
        (await ReapAsync()).Ended.ShouldBeTrue();
        lab.Vm.Power.ShouldBe("empty");
    }

    [Fact]
    public async Task A_runner_that_GitHub_does_not_know_is_ended_in_the_second_round()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(3)));
        lab.Clock.Advance(TimeSpan.FromMinutes(20));

        (await ReapAsync(Nobody)).Decision.ShouldStartWith("suspected: GitHub knows no living runner run-4711-1-lab-1");
        (await ReapAsync(Nobody)).Ended.ShouldBeTrue();
    }

    [Fact]
    public async Task A_suspicion_that_does_not_hold_is_taken_back()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(3)));
        lab.Clock.Advance(TimeSpan.FromMinutes(20));
        await ReapAsync(Nobody);

        await ReapAsync(new RunnerList([new("run-4711-1-lab-1", "online", Busy: true)]));

        lab.Vm.Tags.ShouldNotContainKey(MachineTags.OrphanName);
        lab.Vm.Power.ShouldBe("running");
    }

    [Theory]
    [InlineData(true, true, true)]
    [InlineData(true, false, true)]
    [InlineData(false, false, true)]
    [InlineData(false, true, false)]
    public void Offline_and_busy_is_dead(bool online, bool busy, bool serves) =>
        new RunnerList([new("run-4711-1-lab-1", online ? "online" : "offline", busy)]).Serves(new Lease(LabFixture.Us, lab.Now), "lab-1").ShouldBe(serves);

    [Fact]
    public async Task A_booting_machine_is_not_suspected()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(1)));
        lab.Clock.Advance(TimeSpan.FromMinutes(14));

        (await ReapAsync(Nobody)).Decision.ShouldStartWith("in use");
    }

    [Theory]
    [InlineData("stopped")]
    [InlineData("deallocated")]
    public async Task A_machine_that_is_off_and_billed_is_ended(string power)
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(1)));
        lab.Vm.Set(power, lab.Now);

        (await ReapAsync()).Decision.ShouldStartWith($"suspected: {power} but billed");
        (await ReapAsync()).Ended.ShouldBeTrue();
        lab.Vm.Power.ShouldBe("empty");
    }

    [Fact]
    public async Task Two_machines_where_one_belongs_are_both_deleted_at_once()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(1)));
        lab.Vm.Add("", lab.Now).Provisioning = "Succeeded";

        (await ReapAsync()).Decision.ShouldBe("ended: 2 virtual machines where one belongs");
        lab.Vm.Vms.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("networkInterfaces", true)]
    [InlineData("publicIPAddresses", true)]
    [InlineData("networkInterfaces", false)]
    public async Task What_a_machine_has_left_is_deleted_in_the_second_round(string kind, bool tagged)
    {
        var card = new FakePart("Microsoft.Network/" + kind, "lab-1-card-00000001", vm: null);
        var others = new FakePart("Microsoft.Network/" + kind, "lab-2-card-00000001", vm: null);
        lab.Azure.ScaleSets.Parts.AddRange([card, others]);
        if (tagged)
        {
            card.Tags[AzureMachine.MachineTag] = "LAB-1";
        }

        (await ReapAsync()).Decision.ShouldStartWith("suspected: no readable lease");
        (await ReapAsync()).Ended.ShouldBeTrue();
        lab.Azure.ScaleSets.Parts.ShouldHaveSingleItem().ShouldBe(others);
    }

    [Theory]
    [InlineData("Microsoft.Network/networkInterfaces")]
    [InlineData("Microsoft.Network/publicIPAddresses")]
    [InlineData("Microsoft.Compute/disks")]
    public async Task What_somebody_uses_is_nothing_that_a_machine_has_left(string kind)
    {
        // Say a disk of ours that its owner hangs on a machine of his own, to look what was on it.
        var used = new FakePart(kind, "lab-1-part-00000001", $"{FakeAzure.Group}/providers/Microsoft.Compute/virtualMachines/somebodys");
        used.Tags[AzureMachine.MachineTag] = "lab-1";
        lab.Azure.ScaleSets.Parts.Add(used);

        (await ReapAsync()).Decision.ShouldBe("empty");
        (await ReapAsync()).Decision.ShouldBe("empty");

        lab.Azure.Verbs.ShouldBeEmpty();
    }

    [Fact]
    public async Task What_another_machine_has_left_is_its_own_also_when_the_names_begin_alike()
    {
        lab.Azure.ScaleSets.Parts.AddRange([new("Microsoft.Compute/disks", "lab-10_disk_00000001", vm: null), new("Microsoft.Compute/disks", "lab-1-spare", vm: null)]);
        lab.Azure.ScaleSets.Parts[1].Tags[AzureMachine.MachineTag] = "lab-2";

        (await ReapAsync()).Decision.ShouldBe("empty");
    }

    /// <summary>The filter is Azure's word for it, and a proxy or a new version may not know it.</summary>
    [Fact]
    public async Task A_machine_of_somebody_else_in_the_same_group_is_left_alone_when_Azure_lists_it_with_ours()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddMinutes(-1)));
        var other = lab.Azure.Add("lab-2");
        other.Set("running", lab.Now);
        lab.Azure.Faults.Add((call, _) => call.Verb == "list" && call.Path.Contains("/virtualMachines", StringComparison.Ordinal)
            ? FakeAzure.Json(HttpStatusCode.OK, new JsonObject
            {
                ["value"] = new JsonArray([.. lab.Vm.Vms.Select(vm => vm.Model(lab.Vm, vm.Statuses)), .. other.Vms.Select(vm => vm.Model(other, vm.Statuses))]),
            }) : null);

        (await ReapAsync()).Decision.ShouldStartWith("ended: the lease of run 4711/1 ended");

        (lab.Vm.Power, other.Power).ShouldBe(("empty", "running"));
    }

    [Fact]
    public async Task A_machine_of_another_stack_with_the_same_name_is_left_alone()
    {
        lab.RunningUnder(null);
        lab.Vm.Tags[AzureMachine.StackTag] = "other";

        (await ReapAsync()).Failure!.DoNext.ShouldContain("two stacks share a resource group");
        lab.Azure.Verbs.ShouldBeEmpty();
    }

    [Fact]
    public async Task A_machine_that_a_run_has_just_taken_is_left_alone()
    {
        lab.RunningUnder(new Lease(LabFixture.Them, lab.Now.AddMinutes(-1)));
        var reads = 0;
        lab.Azure.Faults.Add((call, _) =>
        {
            if (call.Verb == "read" && ++reads == 2)
            {
                lab.Vm.Tags[MachineTags.LeaseName] = new Lease(LabFixture.Us, lab.Now.AddHours(1)).ToString();
            }

            return null;
        });

        (await ReapAsync()).Decision.ShouldBe("just taken by run 4711/1");
        lab.Vm.Power.ShouldBe("running");
    }

    [Fact]
    public async Task What_the_watchdog_left_behind_is_tidied_and_booked_to_the_end_of_the_lease()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddMinutes(60)));
        lab.Clock.Advance(TimeSpan.FromMinutes(65));
        lab.Vm.Set("empty", lab.Now);
        lab.Clock.Advance(TimeSpan.FromHours(9));

        await ReapAsync();

        lab.Vm.Tags[MachineTags.UsedName].ShouldBe("2026-11/60");
        lab.Vm.Tags.ShouldNotContainKey(MachineTags.LeaseName);
    }

    [Fact]
    public async Task One_machine_that_fails_does_not_keep_another_alive()
    {
        lab.RunningUnder(null);
        lab.Vm.Tags[MachineTags.OrphanName] = Lease.TimeText(lab.Now);
        lab.Azure.Add("lab-2");
        lab.Azure.Faults.Add((call, _) => call.Path.Contains("lab-2") ? FakeAzure.Error(HttpStatusCode.Forbidden, "AuthorizationFailed", "no") : null);

        var results = await lab.Clock.RunAsync(() => reaper.RunAsync([FakeAzure.Machine("lab-2"), lab.Machine], null, CancellationToken.None));

        results[0].Failure!.DoNext.ShouldContain("`power`");
        results[1].Ended.ShouldBeTrue();
    }

    [Theory]
    [InlineData("""{"total_count":1,"runners":[{"id":5,"name":"run-1-1-lab-1","os":"linux","status":"online","busy":false,"labels":[]}]}""", true)]
    [InlineData("""{"runners":[]}""", true)]
    [InlineData("""{"message":"Not Found"}""", false)]
    [InlineData("<html>", false)]
    [InlineData("""{"runners":[{"name":7}]}""", false)]
    [InlineData("""{"runners":[null]}""", false)]
    public void Only_GitHubs_list_is_believed(string text, bool good) => (RunnerList.Format.Read(text).Value is not null).ShouldBe(good);
}
