using System.Text;
using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

public sealed class LifeCycleTests
{
    private readonly LabFixture lab = new();

    [Fact]
    public async Task A_run_makes_uses_and_deletes_a_machine()
    {
        var lease = await lab.StartAsync();

        lease.Holder.ShouldBe(LabFixture.Us);
        lab.Vm.Power.ShouldBe("running");
        lab.Vm.CustomData.ShouldBe(LabFixture.DataFor(lease));
        lab.Vm.Tags[MachineTags.LeaseName].ShouldBe(lease.ToString());

        await lab.StopAsync();

        lab.Vm.Power.ShouldBe("empty");
        lab.Vm.Capacity.ShouldBe(0);
        lab.Azure.ScaleSets.Parts.ShouldBeEmpty();
        Encoding.UTF8.GetString(Convert.FromBase64String(lab.Vm.ModelData)).ShouldBe("#cloud-config\n", "the used configuration doesn't stay");
        lab.Vm.Tags.Keys.ShouldBe(["perf-lab:stack", "owner", MachineTags.UsedName], ignoreOrder: true);
    }

    [Fact]
    public async Task The_lease_is_written_before_the_start()
    {
        await lab.StartAsync();

        lab.Azure.Verbs.ShouldBe(["tags", "start", "schedule"]);
    }

    [Fact]
    public async Task A_start_and_a_stop_say_the_whole_sku_and_no_tags()
    {
        await lab.StartAsync();
        await lab.StopAsync();

        var patches = lab.Azure.Calls.Where(call => call.Method == "PATCH" && call.Verb != "tags").Select(call => JsonNode.Parse(call.Body!)!).ToList();
        patches.ConvertAll(body => body["sku"]!.ToJsonString()).Distinct().ShouldBe(
            ["""{"name":"Standard_D4s_v5","tier":"Standard","capacity":1}""", """{"name":"Standard_D4s_v5","tier":"Standard","capacity":0}"""]);
        patches.ShouldAllBe(body => body["tags"] == null);
    }

    /// <summary>A workflow's step that is run again, say.</summary>
    [Fact]
    public async Task A_run_that_asks_again_does_not_wait_for_itself()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(2)));
        var before = lab.Now;

        await lab.StartAsync();

        (lab.Now - before).ShouldBeLessThan(TimeSpan.FromMinutes(5));
        (lab.Vm.Made, lab.Vm.Power).ShouldBe((2, "running"));
    }

    [Fact]
    public async Task The_time_of_every_run_is_booked_on_the_month()
    {
        await lab.StartAsync();
        lab.Clock.Advance(TimeSpan.FromMinutes(60));
        await lab.StopAsync();
        var first = new MachineTags(lab.Vm.Tags).UsedMinutes(lab.Now);
        await lab.StartAsync();
        await lab.StopAsync();

        first.ShouldBeInRange(62, 66);
        new MachineTags(lab.Vm.Tags).UsedMinutes(lab.Now).ShouldBeInRange(first + 2, first + 6);
        new MachineTags(lab.Vm.Tags).UsedMinutes(lab.Now.AddMonths(1)).ShouldBe(0);
    }

    [Fact]
    public async Task Nobody_stops_a_machine_that_another_run_holds()
    {
        lab.RunningUnder(new Lease(LabFixture.Them, lab.Now.AddHours(1)));

        var error = await Should.ThrowAsync<LabException>(() => lab.StopAsync());

        error.CameBack.ShouldBe("run 42/1 holds it until 2026-11-02T09:00:00Z");
        lab.Vm.Power.ShouldBe("running");
    }

    [Fact]
    public async Task An_owner_may_stop_any_machine()
    {
        lab.RunningUnder(new Lease(LabFixture.Them, lab.Now.AddHours(1)));

        await lab.Clock.RunAsync(() => lab.Stop.RunAsync(lab.Machine, holder: null, CancellationToken.None));

        lab.Vm.Power.ShouldBe("empty");
    }

    [Theory]
    [InlineData("gibberish")]
    [InlineData("42/1/2099-01-01T00:00:00Z")]
    [InlineData("42/1/2026-11-02T07:59:59Z")]
    public async Task A_lease_that_is_over_unreadable_or_absurd_protects_nobody(string text)
    {
        lab.RunningUnder(null);
        lab.Vm.Tags[MachineTags.LeaseName] = text;

        await lab.StopAsync();

        lab.Vm.Power.ShouldBe("empty");
    }

    [Fact]
    public async Task A_run_waits_for_the_machine_of_another_and_takes_it_when_it_is_free()
    {
        lab.RunningUnder(new Lease(LabFixture.Them, lab.Now.AddMinutes(5)));

        var lease = await lab.StartAsync();

        lease.Holder.ShouldBe(LabFixture.Us);
        lab.Said[0].ShouldContain("held by run 42/1");
    }

    [Fact]
    public async Task A_run_does_not_wait_for_ever()
    {
        lab.RunningUnder(new Lease(LabFixture.Them, lab.Now.AddHours(3)));
        var before = lab.Now;

        var error = await Should.ThrowAsync<LabException>(() => lab.StartAsync());

        (lab.Now - before).ShouldBe(lab.Limits.BusyWait);
        error.DoNext.ShouldContain("--force");
        lab.Vm.Tags[MachineTags.LeaseName].ShouldStartWith("42/1/");
    }

    [Theory]
    [InlineData("stopped")]
    [InlineData("running")]
    [InlineData("deallocating")]
    [InlineData("starting")]
    public async Task A_machine_of_nobody_is_deleted_before_one_is_made_whatever_its_state(string power)
    {
        lab.Vm.Set(power, lab.Now);

        await lab.StartAsync();
        lab.Vm.Made.ShouldBe(2);
        await lab.StopAsync();

        lab.Vm.Power.ShouldBe("empty");
    }

    [Fact]
    public async Task Stopping_twice_is_harmless()
    {
        await lab.StartAsync();
        await lab.StopAsync();
        var tags = lab.Vm.Tags.ToDictionary();

        await lab.StopAsync();

        lab.Vm.Tags.ShouldBe(tags);
        lab.Azure.Calls.Count(call => call.Verb == "delete").ShouldBe(1);
    }

    [Fact]
    public async Task A_lease_taken_while_the_old_one_is_removed_survives()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(1)));
        var newer = new Lease(LabFixture.Them, lab.Now.AddHours(2)).ToString();
        lab.Azure.Faults.Add((call, _) =>
        {
            if (call.Verb == "delete")
            {
                lab.Vm.Tags[MachineTags.LeaseName] = newer;
            }

            return null;
        });

        await lab.StopAsync();

        lab.Vm.Tags[MachineTags.LeaseName].ShouldBe(newer);
    }

    [Fact]
    public async Task An_interrupted_start_ends_at_once_and_leaves_its_lease_to_the_other_layers()
    {
        using var interrupt = new CancellationTokenSource();
        lab.Azure.Faults.Add((call, _) =>
        {
            if (call.Verb == "start")
            {
                interrupt.Cancel();
            }

            return null;
        });

        await Should.ThrowAsync<OperationCanceledException>(() => lab.Clock.RunAsync(() => lab.Start.RunAsync(lab.Request(), interrupt.Token)));

        Lease.Parse(lab.Vm.Tags[MachineTags.LeaseName])!.Holder.ShouldBe(LabFixture.Us);
    }
}
