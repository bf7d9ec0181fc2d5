using System.Net;
using System.Text;
using PerfLab.Core.Model;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>What Azure may answer instead of doing it, and what a person is told.</summary>
public sealed class FaultTests
{
    private readonly LabFixture lab = new();

    [Fact]
    public async Task No_capacity_is_tried_three_times_over_a_quarter_of_an_hour_and_then_given_up()
    {
        for (var i = 0; i < 5; i++)
        {
            lab.Azure.ScaleSets.StartErrors.Enqueue(FakeAzure.OperationError("AllocationFailed", "We do not have sufficient capacity for the requested VM size in this region."));
        }

        var before = lab.Now;
        var error = await Should.ThrowAsync<LabException>(() => lab.StartAsync());

        var starts = lab.Azure.Calls.Where(call => call.Verb == "start").ToList();
        starts.Count.ShouldBe(3);
        (starts[^1].At - before).ShouldBeLessThanOrEqualTo(TimeSpan.FromMinutes(15));
        error.CameBack.ShouldContain("AllocationFailed");
        error.DoNext.ShouldStartWith("Azure has no capacity for Standard_D4s_v5 in westeurope now");
        lab.Vm.Tags.ShouldNotContainKey(MachineTags.LeaseName);
        lab.Vm.Vms.ShouldBeEmpty();
        lab.Azure.ScaleSets.Parts.ShouldBeEmpty();
    }

    [Fact]
    public async Task No_try_begins_after_the_lease_that_it_is_for()
    {
        for (var i = 0; i < 5; i++)
        {
            lab.Azure.ScaleSets.StartErrors.Enqueue(FakeAzure.OperationError("AllocationFailed", "no capacity"));
        }

        var end = lab.Now.AddMinutes(8);
        await Should.ThrowAsync<LabException>(() => lab.Clock.RunAsync(() => lab.Start.RunAsync(lab.Request() with { LeaseTime = TimeSpan.FromMinutes(8) }, CancellationToken.None)));

        var starts = lab.Azure.Calls.Where(call => call.Verb == "start").ToList();
        starts.Count.ShouldBe(2, "the third of the tries, five minutes apart, has no lease any more");
        starts.ShouldAllBe(call => call.At < end);
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(false, false)]
    public async Task Capacity_that_comes_back_is_taken_whatever_the_failed_try_has_left(bool keepsCapacity, bool leavesMachine)
    {
        (lab.Azure.ScaleSets.FailedAllocationKeepsCapacity, lab.Azure.ScaleSets.FailedAllocationLeavesMachine) = (keepsCapacity, leavesMachine);
        lab.Azure.ScaleSets.StartErrors.Enqueue(FakeAzure.OperationError("ZonalAllocationFailed", "no capacity"));

        await lab.StartAsync();

        lab.Vm.Power.ShouldBe("running");
    }

    [Theory]
    [InlineData(409, "SkuNotAvailable", "The requested size is currently not available in location 'westeurope'.", "not offered to this subscription")]
    [InlineData(409, "OperationNotAllowed", "Operation could not be completed as it results in exceeding approved Total Regional Cores quota.", "core quota")]
    [InlineData(400, "QuotaExceeded", "Quota exceeded.", "core quota")]
    [InlineData(403, "AuthorizationFailed", "The client does not have authorization to perform action.", "needs the role `power`")]
    [InlineData(401, "ExpiredAuthenticationToken", "The access token expiry UTC time is earlier than now.", "`azure/login`")]
    [InlineData(404, "ResourceNotFound", "The Resource was not found.", "run `pulumi up`")]
    [InlineData(403, "LinkedAuthorizationFailed", "The client has permission to perform action 'write'; however, it does not have permission to perform action 'join'.", "needs the role `power`")]
    [InlineData(410, "Gone", "The resource is no longer there.", "read the message")]
    [InlineData(422, "UnprocessableEntity", "Something that no service takes.", "read the message")]
    [InlineData(400, "InvalidParameter", "Something that the caller did wrong.", "read the message")]
    [InlineData(409, "OperationNotAllowed", "Something else that the caller did wrong.", "read the message")]
    public async Task What_no_second_try_can_mend_is_not_tried_again(int status, string code, string message, string advice)
    {
        lab.Azure.Faults.Add((call, _) => call.Verb == "start" ? FakeAzure.Error((HttpStatusCode)status, code, message) : null);

        var error = await Should.ThrowAsync<LabException>(() => lab.StartAsync());

        lab.Azure.Calls.Count(call => call.Verb == "start").ShouldBe(1);
        error.CameBack.ShouldContain(code);
        error.DoNext.ShouldContain(advice);
    }

    [Theory]
    [InlineData("ResourceOperationFailure")]
    [InlineData("Conflict")]
    public async Task The_inner_code_decides_not_the_wrapper(string outer)
    {
        lab.Azure.Faults.Add((call, _) => call.Verb == "start" ? new HttpResponseMessage(HttpStatusCode.Conflict)
        {
            Content = new StringContent($$"""{"error":{"code":"{{outer}}","message":"failed","details":[{"code":"SkuNotAvailable","message":"x"}]} }""", Encoding.UTF8, "application/json"),
        } : null);

        (await Should.ThrowAsync<LabException>(() => lab.StartAsync())).DoNext.ShouldContain("not offered");
    }

    [Theory]
    [InlineData("120", 120)]
    [InlineData("1200", 1200)]
    [InlineData("Mon, 02 Nov 2026 08:10:00 GMT", 600)]
    [InlineData(null, 60)]
    [InlineData("0", 0)]
    [InlineData("-5", 60)]
    [InlineData("soon", 60)]
    public async Task Throttling_waits_as_long_as_Azure_asks(string? retryAfter, int seconds)
    {
        Throttle(retryAfter, times: 1);
        var before = lab.Now;

        await lab.Clock.RunAsync(() => lab.Machines.ReadAsync(lab.Machine, before.AddHours(1), CancellationToken.None));

        (lab.Now - before).TotalSeconds.ShouldBe(seconds, 1);
        lab.Said.ShouldHaveSingleItem().ShouldContain($"again in {(lab.Now - before).TotalSeconds:0} s");
    }

    [Theory]
    [InlineData("1201")]
    [InlineData("1000000000")]
    public async Task Throttling_for_longer_than_the_cap_is_reported_at_once(string retryAfter)
    {
        Throttle(retryAfter, times: 99);
        var before = lab.Now;

        // A century: no deadline may be what ends it.
        var error = await Should.ThrowAsync<AzureException>(() => lab.Clock.RunAsync(() => lab.Machines.ReadAsync(lab.Machine, before.AddYears(100), CancellationToken.None)));

        lab.Now.ShouldBe(before);
        error.Explain("reading", lab.Machine).DoNext.ShouldContain("Azure throttles this subscription and asks to wait");
    }

    [Theory]
    [InlineData("1201")]
    [InlineData("1000000000")]
    public async Task A_status_that_is_throttled_for_longer_than_the_cap_is_given_up_and_the_machine_looked_at(string retryAfter)
    {
        lab.Azure.Faults.Add((call, _) => call.Verb == "poll" ? FakeAzure.Error(HttpStatusCode.TooManyRequests, "TooManyRequests", "slow down", retryAfter) : null);
        var before = lab.Now;

        await lab.StartAsync();

        lab.Vm.Power.ShouldBe("running");
        (lab.Now - before).ShouldBeLessThan(TimeSpan.FromMinutes(5));
    }

    [Theory]
    [InlineData("<html>Sign in</html>", "text/html")]
    [InlineData("", "application/json")]
    [InlineData("{\"id\":", "application/json")]
    [InlineData("null", "application/json")]
    [InlineData("[]", "application/json")]
    [InlineData("{\"properties\":{\"instanceView\":{\"statuses\":\"none\"}}}", "application/json")]
    public async Task An_answer_that_is_not_Azures_is_named(string body, string type)
    {
        lab.Azure.Faults.Add((call, _) => call.Verb == "read" ? new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent(body, Encoding.UTF8, type) } : null);

        var error = await Should.ThrowAsync<LabException>(() => lab.StopAsync());

        error.DoNext.ShouldContain("a proxy or a login page");
    }

    [Fact]
    public async Task A_redirect_is_not_followed_with_the_token()
    {
        lab.Azure.Faults.Add((call, _) =>
        {
            var answer = new HttpResponseMessage(HttpStatusCode.Redirect);
            answer.Headers.Location = new Uri("https://elsewhere.test/login");
            return answer;
        });

        await Should.ThrowAsync<LabException>(() => lab.StopAsync());

        lab.Azure.Calls.ShouldAllBe(call => call.Path.StartsWith("/subscriptions/"));
    }

    [Theory]
    [InlineData(500)]
    [InlineData(503)]
    [InlineData(408)]
    public async Task A_passing_failure_of_any_call_does_not_lose_the_machine(int status)
    {
        var hit = new HashSet<string>();
        lab.Azure.Faults.Add((call, _) => call.Verb != "poll" && hit.Add(call.Verb) ? FakeAzure.Error((HttpStatusCode)status, "InternalServerError", "try again") : null);

        await lab.StartAsync();
        await lab.StopAsync();

        hit.ShouldBe(["read", "list", "tags", "start", "schedule", "delete", "unschedule", "empty"], ignoreOrder: true);
        lab.Vm.Power.ShouldBe("empty");
    }

    [Fact]
    public async Task A_dropped_connection_is_a_passing_failure()
    {
        var dropped = 0;
        lab.Azure.Faults.Add((_, _) => dropped++ < 2 ? throw new HttpRequestException("connection reset") : null);

        await lab.StartAsync();

        lab.Vm.Power.ShouldBe("running");
    }

    [Theory]
    [InlineData("start")]
    [InlineData("delete")]
    [InlineData("empty")]
    [InlineData("schedule")]
    public async Task A_call_whose_answer_was_lost_makes_nothing_twice_and_leaves_nothing(string verb)
    {
        var lost = false;
        lab.Azure.Faults.Add((call, act) =>
        {
            if (call.Verb != verb || lost)
            {
                return null;
            }

            lost = true;
            act().Dispose();
            throw new HttpRequestException("connection reset");
        });

        await lab.StartAsync();
        await lab.StopAsync();

        lost.ShouldBeTrue();
        lab.Vm.Made.ShouldBe(1);
        (lab.Vm.Power, lab.Vm.Capacity).ShouldBe(("empty", 0));
        lab.Azure.ScaleSets.Parts.ShouldBeEmpty();
    }

    [Fact]
    public async Task A_view_that_lags_behind_the_operation_is_read_again()
    {
        string[] stale = ["ProvisioningState/updating", "PowerState/starting"], silent = ["ProvisioningState/succeeded"], twice = ["PowerState/running", "PowerState/stopped"];
        foreach (var view in new[] { stale, silent, twice })
        {
            lab.Azure.ScaleSets.Views.Enqueue(view);
        }

        await lab.StartAsync();

        lab.Azure.Calls.Count(call => call.Verb == "read").ShouldBeGreaterThanOrEqualTo(6);
    }

    [Fact]
    public async Task An_operation_that_says_succeeded_and_did_nothing_is_found_out_and_bounded()
    {
        lab.Azure.Operations.Lie = true;
        var before = lab.Now;

        var error = await Should.ThrowAsync<LabException>(() => lab.StartAsync());

        error.CameBack.ShouldContain("after the start the machine is empty");
        (lab.Now - before).ShouldBeLessThan(lab.Limits.StartDeadline);
    }

    [Fact]
    public async Task An_operation_that_never_ends_is_bounded()
    {
        lab.Azure.Operations.NeverEnd = true;
        var before = lab.Now;

        var error = await Should.ThrowAsync<LabException>(() => lab.StartAsync());

        error.CameBack.ShouldContain("after the start the machine is empty");
        (lab.Now - before).ShouldBeLessThan(lab.Limits.StartDeadline + lab.Limits.StopDeadline);
    }

    [Fact]
    public async Task A_lost_status_of_an_operation_is_replaced_by_looking_at_the_machine()
    {
        var polls = 0;
        lab.Azure.Faults.Add((call, _) => call.Verb == "poll" && polls++ == 0 ? FakeAzure.Error(HttpStatusCode.InternalServerError, "InternalServerError", "x") : null);

        await lab.StartAsync();

        lab.Vm.Power.ShouldBe("running");
        lab.Azure.Calls.Count(call => call.Verb == "start").ShouldBe(1);
    }

    [Fact]
    public async Task A_machine_that_can_not_be_deleted_is_reported_loudly()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(1)));
        lab.Azure.Faults.Add((call, _) => call.Verb == "delete" ? FakeAzure.Error(HttpStatusCode.InternalServerError, "InternalServerError", "x") : null);

        var error = await Should.ThrowAsync<LabException>(() => lab.StopAsync());

        error.CameBack.ShouldContain("it is still running since 2026-11-02T08:00:00Z, at 0.19 an hour");
        error.DoNext.ShouldContain("az vmss scale --subscription 00000000-0000-0000-0000-000000000001 --resource-group perf-lab --name lab-1 --new-capacity 0");
        lab.Azure.Calls.Count(call => call.Verb == "delete").ShouldBe(lab.Limits.Pauses.Count + 1);
    }

    [Fact]
    public async Task Whoever_gives_up_ends_with_that_whatever_the_last_call_came_to()
    {
        using var interrupt = new CancellationTokenSource();
        lab.Azure.Faults.Add((call, _) =>
        {
            interrupt.Cancel();
            return FakeAzure.Error(HttpStatusCode.InternalServerError, "InternalServerError", "x");
        });

        await Should.ThrowAsync<OperationCanceledException>(() => lab.Clock.RunAsync(() => lab.Start.RunAsync(lab.Request(), interrupt.Token)));
    }

    [Fact]
    public async Task A_deletion_that_is_accepted_and_never_happens_is_bounded()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(1)));
        lab.Azure.Operations.NeverEnd = true;

        (await Should.ThrowAsync<LabException>(() => lab.StopAsync())).CameBack.ShouldContain("deletions of lab-1_00000001 and it is still there");
        lab.Azure.Calls.Count(call => call.Verb == "delete").ShouldBe(lab.Limits.Pauses.Count + 1);
    }

    [Fact]
    public async Task A_start_that_fails_half_way_gives_back_all_of_it()
    {
        lab.Azure.ScaleSets.StartErrors.Enqueue(FakeAzure.OperationError("OSProvisioningTimedOut", "OS Provisioning did not finish in the allotted time"));

        await Should.ThrowAsync<LabException>(() => lab.StartAsync());

        lab.Vm.Power.ShouldBe("empty");
        lab.Azure.ScaleSets.Parts.ShouldBeEmpty();
        lab.Vm.Tags.ShouldNotContainKey(MachineTags.LeaseName);
    }

    private void Throttle(string? retryAfter, int times)
    {
        var left = times;
        lab.Azure.Faults.Add((_, _) => left-- > 0 ? FakeAzure.Error(HttpStatusCode.TooManyRequests, "TooManyRequests", "slow down", retryAfter) : null);
    }
}
