using System.Text;
using PerfLab.Core.Model;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>What nobody knows without Azure, both ways, and the inputs that nobody wishes for. A request ends with nothing left, whichever way it is.</summary>
public sealed class UnknownsTests
{
    private readonly LabFixture lab = new();

    private void NothingIsLeft()
    {
        (lab.Vm.Power, lab.Vm.Capacity).ShouldBe(("empty", 0));
        lab.Azure.ScaleSets.Parts.ShouldBeEmpty();
        lab.Vm.Tags.ShouldNotContainKey(MachineTags.LeaseName);
    }

    /// <summary>
    /// Every combination of what is not known, with capacity at once and with none at the first try: 640 requests. Without `--all` every
    /// seventh of them, in which each two of the unknowns come in all four ways.
    /// </summary>
    [Fact]
    public async Task A_request_leaves_nothing_however_Azure_decides_what_nobody_knows()
    {
        for (var bits = 0; bits < 640; bits += Nightly.IsAsked ? 1 : 7)
        {
            var other = new LabFixture();
            var azure = other.Azure.ScaleSets;
            azure.CapacityFallsByItself = (bits & 1) != 0;
            azure.WantsWholeSku = (bits & 2) != 0;
            azure.AsksForJoin = (bits & 4) != 0;
            azure.TakesBlankCustomData = (bits & 8) != 0;
            azure.HandsTagsOn = (bits & 16) != 0;
            azure.StatusMayBeRead = (bits & 32) != 0;
            azure.ListsInstanceViews = (bits & 64) != 0;
            var failed = bits / 128;    // 0 to 3: a first try that fails, in four ways; 4: none does
            if (failed < 4)
            {
                (azure.FailedAllocationKeepsCapacity, azure.FailedAllocationLeavesMachine) = ((failed & 1) != 0, (failed & 2) != 0);
                azure.StartErrors.Enqueue(FakeAzure.OperationError("AllocationFailed", "no capacity"));
            }

            await other.StartAsync();
            other.Vm.Power.ShouldBe("running", $"{bits}");
            await other.StopAsync();

            (other.Vm.Power, other.Vm.Capacity, azure.Parts.Count, other.Vm.Made).ShouldBe(("empty", 0, 0, failed < 4 ? 2 : 1), $"{bits}: {string.Join("; ", other.Said)}");
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_deletion_that_leaves_card_address_and_disk_is_cleaned_up(bool handsTagsOn)
    {
        lab.Azure.ScaleSets.HandsTagsOn = handsTagsOn;
        await lab.StartAsync();
        lab.Azure.ScaleSets.NextDeleteLeavesParts = true;

        await lab.StopAsync();

        lab.Azure.Calls.Count(call => call.Verb == "clear").ShouldBeGreaterThanOrEqualTo(3);
        NothingIsLeft();
    }

    /// <summary>A list shows for some time what is gone.</summary>
    [Fact]
    public async Task What_is_gone_before_it_is_deleted_is_as_good_as_deleted()
    {
        lab.RunningUnder(null);
        lab.Vm.Set("empty", lab.Now);
        lab.Azure.ScaleSets.Parts.Add(new("Microsoft.Network/networkInterfaces", "lab-1-card-00000001", vm: null));
        lab.Azure.Faults.Add((call, _) =>
        {
            if (call.Verb == "clear")
            {
                lab.Azure.ScaleSets.Parts.Clear();
                return FakeAzure.Error(System.Net.HttpStatusCode.NotFound, "ResourceNotFound", "The Resource was not found.");
            }

            return null;
        });

        await lab.StopAsync();

        NothingIsLeft();
    }

    /// <summary>As a failed allocation leaves it: Azure thinks that one is there, and asked for one, it would do nothing.</summary>
    [Fact]
    public async Task A_place_that_nobody_takes_is_given_back_before_a_machine_is_asked_for()
    {
        lab.Vm.Capacity = 1;

        await lab.StartAsync();

        lab.Vm.Power.ShouldBe("running");
        lab.Said.ShouldContain("lab-1 still holds a place: deleted first");
    }

    [Fact]
    public async Task Of_two_requests_at_once_one_has_the_machine_and_the_other_says_so()
    {
        var runs = new[] { LabFixture.Us, LabFixture.Them }.Select(holder => Task.Run(async () =>
        {
            try
            {
                await lab.Start.RunAsync(lab.Request(holder), CancellationToken.None);
                return holder.ToString();
            }
            catch (LabException refused)
            {
                return refused.CameBack;
            }
        })).ToList();
        await lab.Clock.RunAsync([.. runs.Cast<Task>()]);
        var ended = runs.ConvertAll(run => run.Result);

        lab.Vm.Made.ShouldBe(1);
        ended.Count(text => text == lab.Vm.Tags[MachineTags.LeaseName].Split("/2026", 2)[0]).ShouldBe(1, string.Join("; ", ended));
        ended.Count(text => text.Contains("still holds it", StringComparison.Ordinal) || text.Contains("at the same moment", StringComparison.Ordinal)).ShouldBe(1, string.Join("; ", ended));
    }

    /// <summary>Both saw the machine free; the other is five seconds slower.</summary>
    [Fact]
    public async Task A_lease_that_another_run_writes_seconds_after_ours_has_the_machine()
    {
        DateTimeOffset? ours = null;
        lab.Azure.Faults.Add((call, _) =>
        {
            if (ours is { } written && call.At >= written.AddSeconds(5))
            {
                ours = null;
                lab.Vm.Tags[MachineTags.LeaseName] = new Lease(LabFixture.Them, lab.Now.AddHours(1)).ToString();
            }

            ours = call.Verb == "tags" && call.Body!.Contains("Merge", StringComparison.Ordinal) ? call.At : ours;
            return null;
        });

        var error = await Should.ThrowAsync<LabException>(() => lab.StartAsync());

        error.CameBack.ShouldStartWith("another run took it at the same moment (42/1/");
        lab.Azure.Verbs.ShouldNotContain("start");
    }

    [Fact]
    public async Task An_empty_machine_whose_lease_was_just_written_is_not_free()
    {
        lab.Vm.Tags[MachineTags.LeaseName] = new Lease(LabFixture.Them, lab.Now.AddHours(1)).ToString();
        lab.Vm.Tags[MachineTags.StartedName] = Lease.TimeText(lab.Now);
        var before = lab.Now;

        await lab.StartAsync();

        lab.Said.ShouldContain(line => line.StartsWith("lab-1 is held by run 42/1", StringComparison.Ordinal));
        lab.Azure.Calls.First(call => call.Verb == "tags").At.ShouldBeGreaterThan(before.AddMinutes(1));
    }

    /// <summary>The watchdog has deleted the machine, the capacity fell by itself, and a card is left.</summary>
    [Fact]
    public async Task What_is_left_without_a_machine_is_deleted_and_its_configuration_blanked()
    {
        await lab.StartAsync();
        lab.Azure.ScaleSets.NextDeleteLeavesParts = true;
        var vm = lab.Vm.Vms[0];
        lab.Azure.Answer("DELETE", new Uri($"https://management.azure.com{vm.Id}?api-version=2024-07-01"), "machine", null).Dispose();
        lab.Clock.Advance(TimeSpan.FromMinutes(5));
        lab.Azure.Settle();
        (lab.Vm.Power, lab.Vm.Capacity, lab.Azure.ScaleSets.Parts.Count > 0).ShouldBe(("empty", 0, true));

        await lab.StopAsync();

        // Its daily shutdown stays: it costs nothing, and nobody of ours may list schedules.
        lab.Azure.ScaleSets.Parts.ShouldAllBe(part => part.Kind.EndsWith("/schedules", StringComparison.Ordinal));
        Encoding.UTF8.GetString(Convert.FromBase64String(lab.Vm.ModelData)).ShouldBe("#cloud-config\n");
    }

    [Fact]
    public async Task A_lease_that_another_run_writes_over_ours_has_the_machine()
    {
        lab.Azure.Faults.Add((call, act) =>
        {
            if (call.Verb != "tags" || call.Body!.Contains("Delete", StringComparison.Ordinal))
            {
                return null;
            }

            var answer = act();
            lab.Vm.Tags[MachineTags.LeaseName] = new Lease(LabFixture.Them, lab.Now.AddHours(1)).ToString();
            return answer;
        });

        var error = await Should.ThrowAsync<LabException>(() => lab.StartAsync());

        error.CameBack.ShouldStartWith("another run took it at the same moment (42/1/");
        lab.Azure.Verbs.ShouldNotContain("start");
        lab.Vm.Tags[MachineTags.LeaseName].ShouldStartWith("42/1/");
    }

    [Fact]
    public async Task A_quota_of_three_cores_is_one_try_and_says_what_to_ask_for()
    {
        lab.Azure.ScaleSets.CoreQuota = 3;

        var error = await Should.ThrowAsync<LabException>(() => lab.StartAsync());

        error.CameBack.ShouldContain("Current Limit: 3");
        error.DoNext.ShouldContain("core quota in westeurope");
        lab.Azure.Calls.Count(call => call.Verb == "start").ShouldBe(1);
        NothingIsLeft();
    }

    [Fact]
    public async Task A_size_that_the_policy_denies_is_named_as_that()
    {
        lab.Azure.ScaleSets.AllowedSizes = ["Standard_D8s_v5"];

        var error = await Should.ThrowAsync<LabException>(() => lab.StartAsync());

        error.CameBack.ShouldContain("RequestDisallowedByPolicy");
        error.DoNext.ShouldStartWith("a policy forbids it");
        NothingIsLeft();
    }

    [Fact]
    public async Task A_machine_of_another_stack_with_the_same_name_is_not_started()
    {
        lab.Vm.Tags[AzureMachine.StackTag] = "other";

        (await Should.ThrowAsync<LabException>(() => lab.StartAsync())).CameBack.ShouldBe("lab-1 is of the stack \"other\", not of \"dev\"");
        lab.Azure.Verbs.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("42/1/not-a-time")]
    [InlineData("\u0000")]
    [InlineData("42/1/2026-11-02T09:00:00Z/more")]
    public async Task Garbage_in_the_lease_tag_is_no_lease_and_is_written_over(string text)
    {
        lab.Vm.Tags[MachineTags.LeaseName] = text;

        var lease = await lab.StartAsync();

        lab.Vm.Tags[MachineTags.LeaseName].ShouldBe(lease.ToString());
        await lab.StopAsync();
        NothingIsLeft();
    }

    /// <summary>The reaper's clock is ten minutes before, or behind, that of the run that wrote the lease.</summary>
    [Theory]
    [InlineData(10)]
    [InlineData(-10)]
    public async Task A_clock_that_is_ten_minutes_off_ends_a_machine_ten_minutes_off(int minutes)
    {
        var expiry = lab.Now.AddHours(1);
        lab.RunningUnder(new Lease(LabFixture.Us, expiry));
        var reaper = new Reaper(lab.Machines, lab.Stop, lab.Clock, lab.Limits);
        lab.Clock.Advance(TimeSpan.FromMinutes(60 + minutes) + TimeSpan.FromSeconds(1));

        var reaped = (await lab.Clock.RunAsync(() => reaper.RunAsync([lab.Machine], null, CancellationToken.None))).ShouldHaveSingleItem();

        reaped.Ended.ShouldBe(minutes > 0, "the promise is by the reaper's clock");
    }

    [Fact]
    public async Task A_schedule_that_Azure_refuses_costs_a_layer_and_not_the_request()
    {
        lab.Azure.ScaleSets.HasDevTestLab = false;

        await lab.StartAsync();

        lab.Vm.Power.ShouldBe("running");
        var said = lab.Said.Where(line => line.StartsWith("WITHOUT a daily shutdown, the last of four layers: MissingSubscriptionRegistration: ", StringComparison.Ordinal)).ShouldHaveSingleItem();
        said.ShouldEndWith(" To do, once, as the owner: az provider register --namespace Microsoft.DevTestLab --wait");
    }
}
