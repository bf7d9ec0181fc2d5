using System.Net;
using System.Text;
using PerfLab.Core.Model;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>Lease and power of the cluster, and what Azure may answer instead.</summary>
public sealed class ClusterTests : ClusterLab
{
    [Fact]
    public async Task A_start_takes_the_lease_before_anything_costs_money_and_a_stop_books_the_minutes()
    {
        var lease = await StartAsync();
        Aks.IsOff.ShouldBeFalse();
        Aks.Tags[MachineTags.LeaseName].ShouldBe(lease.ToString());
        Azure.Verbs.SkipWhile(verb => verb == "read").First().ShouldBe("tags");
        Clock.Advance(TimeSpan.FromMinutes(20));

        await StopAsync();

        Aks.IsOff.ShouldBeTrue();
        Aks.Tags.Keys.ShouldBe(["perf-lab:stack", MachineTags.UsedName], ignoreOrder: true);
        new MachineTags(Aks.Tags).UsedMinutes(Now).ShouldBeInRange(27, 29);
    }

    [Fact]
    public async Task A_cluster_that_takes_no_tags_while_it_is_off_gets_its_lease_as_soon_as_it_runs()
    {
        Aks.TakesTagsWhenStopped = false;

        var lease = await StartAsync();

        Aks.Tags[MachineTags.LeaseName].ShouldBe(lease.ToString());
        Said.ShouldContain(line => line.EndsWith("the tags of cluster follow when it runs", StringComparison.Ordinal));
        await StopAsync();
        Aks.IsOff.ShouldBeTrue();
        // The next start finds what the stop could not write, and books it.
        Clock.Advance(TimeSpan.FromHours(5));
        await StartAsync();
        new MachineTags(Aks.Tags).UsedMinutes(Now).ShouldBe(120, "to the end of the lease, two hours: nobody knows when it stopped");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Of_two_who_start_it_at_once_one_has_it_and_the_other_says_so(bool takesTagsWhenStopped)
    {
        Aks.TakesTagsWhenStopped = takesTagsWhenStopped;
        var runs = new[] { new LeaseHolder(41, 1), new LeaseHolder(42, 1) }.Select(holder => Task.Run(async () =>
        {
            try
            {
                await Starter.RunAsync(new StartRequest(Cluster, holder, TimeSpan.FromHours(2)), CancellationToken.None);
                return holder.ToString();
            }
            catch (LabException refused)
            {
                return refused.CameBack;
            }
        })).ToList();
        await Clock.RunAsync([.. runs.Cast<Task>()]);
        var ended = runs.ConvertAll(run => run.Result);

        ended.Count(text => text == Aks.Tags[MachineTags.LeaseName].Split("/2026", 2)[0]).ShouldBe(1, string.Join("; ", ended));
        ended.Count(text => text.Contains("still holds it", StringComparison.Ordinal) || text.Contains("at the same moment", StringComparison.Ordinal)).ShouldBe(1, string.Join("; ", ended));
        Aks.IsOff.ShouldBeFalse();
    }

    [Fact]
    public async Task A_lease_that_was_refused_just_before_somebody_elses_start_is_written_once_more()
    {
        Aks.TakesTagsWhenStopped = false;
        var refusals = 0;
        Azure.Faults.Add((call, act) =>
        {
            if (call.Verb != "tags" || refusals++ > 0)
            {
                return null;
            }

            var refused = act();
            Aks.Handle(new FakeCall(Now, "somebody", "POST", Aks.Id + "/start", null), new Uri("https://management.azure.com" + Aks.Id + "/start")).Dispose();
            return refused;
        });

        var lease = await StartAsync();

        Aks.Tags[MachineTags.LeaseName].ShouldBe(lease.ToString());
        Aks.IsOff.ShouldBeFalse();
    }

    [Fact]
    public async Task A_stop_waits_for_the_start_that_is_under_way()
    {
        using var killed = new CancellationTokenSource();
        Azure.Faults.Add((call, _) =>
        {
            if (call.Verb == "read" && Aks.Provisioning == "Starting")
            {
                killed.Cancel();
            }

            return null;
        });
        await Should.ThrowAsync<OperationCanceledException>(() => Clock.RunAsync(() => Starter.RunAsync(new StartRequest(Cluster, ByHand, TimeSpan.FromHours(1)), killed.Token)));

        await StopAsync();

        Aks.IsOff.ShouldBeTrue();
        Azure.Calls.Count(call => call.Verb == "stop").ShouldBe(1);
    }

    [Fact]
    public async Task A_stop_that_somebody_else_has_begun_is_as_good_as_ours()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(1)));
        Aks.Handle(new FakeCall(Now, "somebody", "POST", Aks.Id + "/stop", null), new Uri("https://management.azure.com" + Aks.Id + "/stop")).Dispose();

        await StopAsync();

        Azure.Verbs.ShouldNotContain("stop");
        Aks.IsOff.ShouldBeTrue();
    }

    [Fact]
    public async Task A_stop_that_somebody_else_has_just_done_is_done()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(1)));
        Azure.Faults.Add((call, _) =>
        {
            if (call.Verb == "stop")
            {
                Aks.Rest();
            }

            return null;
        });

        await StopAsync();

        Azure.Calls.Count(call => call.Verb == "stop").ShouldBe(1);
    }

    [Fact]
    public async Task A_lost_answer_is_not_asked_twice()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(1)));
        Azure.Faults.Add((call, act) =>
        {
            if (call.Verb != "stop")
            {
                return null;
            }

            act().Dispose();
            throw new HttpRequestException("the connection was closed before the answer arrived");
        });

        await StopAsync();

        Azure.Calls.Count(call => call.Verb == "stop").ShouldBe(1);
        Aks.IsOff.ShouldBeTrue();
    }

    [Theory]
    [InlineData(true, "AllocationFailed", "Azure has no capacity for Standard_D4s_v5 in westeurope now: ask again later. The size")]
    [InlineData(false, "provisioning Failed", "its activity log in the portal has more")]
    public async Task A_start_without_capacity_is_stopped_again_and_told_as_far_as_Azure_lets_us_know(bool mayRead, string cameBack, string doNext)
    {
        Aks.ShowsOperations = mayRead;
        for (var i = 0; i < 3; i++)
        {
            Aks.OperationErrors.Enqueue(FakeAzure.OperationError("AllocationFailed", "Allocation failed. We do not have sufficient capacity for the requested VM size in this region."));
        }

        var error = await Should.ThrowAsync<LabException>(StartAsync);

        error.CameBack.ShouldContain(cameBack);
        error.DoNext.ShouldContain(doNext);
        Aks.OperationErrors.Clear();
        Aks.IsOff.ShouldBe(mayRead, "after three tries the fourth operation, the stop, works; after one try it fails as the start did");
    }

    /// <summary>What is read first is what was there before the start: Azure's view lags behind its operation.</summary>
    [Fact]
    public async Task A_cluster_that_had_failed_before_its_start_is_not_taken_for_one_that_fails_now()
    {
        Aks.Provisioning = "Failed";
        DateTimeOffset? begun = null;
        Azure.Faults.Add((call, act) =>
        {
            begun = call.Verb == "start" ? call.At : begun;
            if (call.Verb != "read" || begun is not { } time || call.At >= time.AddSeconds(30))
            {
                return null;
            }

            var now = Aks.Provisioning;
            Aks.Provisioning = "Failed";
            var late = act();
            Aks.Provisioning = now;
            return late;
        });

        await StartAsync();

        (Aks.Power, Aks.Provisioning).ShouldBe(("Running", "Succeeded"));
    }

    [Fact]
    public async Task Throttling_waits_as_long_as_Azure_asks()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(1)));
        var times = 0;
        Azure.Faults.Add((call, _) => call.Verb == "stop" && times++ == 0 ? FakeAzure.Error(HttpStatusCode.TooManyRequests, "TooManyRequests", "slow down", "120") : null);
        var before = Now;

        await StopAsync();

        Azure.Calls.Last(call => call.Verb == "stop").At.ShouldBe(before.AddSeconds(120), TimeSpan.FromSeconds(1));
    }

    [Fact]
    public async Task Another_operation_in_progress_is_waited_for()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(1)));
        var times = 0;
        Azure.Faults.Add((call, _) => call.Verb == "stop" && times++ < 2
            ? FakeAzure.Error(HttpStatusCode.Conflict, "OperationNotAllowed", "Operation is not allowed: Another operation (Updating) is in progress, please wait for it to finish.") : null);

        await StopAsync();

        Aks.IsOff.ShouldBeTrue();
    }

    [Theory]
    [InlineData("read", "<html>Sign in</html>", "text/html")]
    [InlineData("read", "", "application/json")]
    [InlineData("read", "[]", "application/json")]
    [InlineData("read", "{\"properties\":7}", "application/json")]
    [InlineData("stop", "<html>Sign in</html>", "text/html")]
    public async Task An_answer_that_is_not_Azures_is_named(string verb, string body, string type)
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(1)));
        Azure.Faults.Add((call, _) => call.Verb == verb ? new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent(body, Encoding.UTF8, type) } : null);

        var error = await Should.ThrowAsync<LabException>(StopAsync);

        error.DoNext.ShouldContain("a proxy or a login page");
        error.DoNext.ShouldEndWith("by hand: az aks stop --subscription 00000000-0000-0000-0000-000000000001 --resource-group perf-lab --name cluster");
    }

    [Fact]
    public async Task The_token_follows_no_address_to_another_host()
    {
        Azure.Faults.Add((call, act) =>
        {
            if (call.Verb != "start")
            {
                return null;
            }

            var answer = act();
            answer.Headers.Remove("Azure-AsyncOperation");
            answer.Headers.TryAddWithoutValidation("Azure-AsyncOperation", "https://evil.test/operations/1");
            return answer;
        });
        Aks.OperationErrors.Enqueue(FakeAzure.OperationError("AllocationFailed", "no capacity"));

        (await Should.ThrowAsync<LabException>(StartAsync)).CameBack.ShouldContain("provisioning Failed");

        Azure.Calls.ShouldNotContain(call => call.Verb == "poll");
    }

    [Theory]
    [InlineData("Starting", "Running", PowerState.Starting, false)]
    [InlineData("Stopping", "Stopped", PowerState.Stopping, false)]
    [InlineData("Succeeded", "Running", PowerState.Running, false)]
    [InlineData("Succeeded", "Stopped", PowerState.Stopped, true)]
    [InlineData("Failed", "Stopped", PowerState.Stopped, false)]
    [InlineData("Succeeded", "Paused", PowerState.Unknown, false)]
    public void Only_a_stop_that_has_ended_costs_nothing(string provisioning, string code, PowerState power, bool isOff)
    {
        var view = MachineView.FromCluster(new(new(provisioning, new(code))));

        (view.Power, view.IsOff).ShouldBe((power, isOff));
    }
}
