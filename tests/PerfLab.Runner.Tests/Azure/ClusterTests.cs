using System.Net;
using System.Text;
using PerfLab.Runner.Azure;
using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>Lease and power of the cluster, from start to reaper, and what Azure may answer instead.</summary>
public sealed class ClusterTests
{
    private static readonly LeaseHolder ByHand = new(0, 0);
    private readonly FakeTimeProvider clock = FakeTimeProvider.AtTheStart();
    private readonly PowerLimits limits = new();
    private readonly List<string> said = [];
    private readonly FakeAzure azure;
    private readonly FakeClusterInAzure aks;
    private readonly MachineStart start;
    private readonly MachineStop stop;
    private readonly Reaper reaper;
    private readonly AzureCluster cluster = FakeClusterInAzure.Cluster();

    public ClusterTests()
    {
        azure = new FakeAzure(clock);
        aks = azure.AddCluster();
        var door = azure.DoorFor("lab-power");
        var power = new AzurePower(new VirtualMachines(door, clock, limits, said.Add), new Clusters(door, clock, limits, said.Add));
        stop = new MachineStop(power, clock, limits, said.Add);
        start = new MachineStart(power, stop, clock, limits, said.Add);
        reaper = new Reaper(power, stop, clock, limits);
    }

    private DateTimeOffset Now => clock.GetUtcNow();

    private Task<Lease> StartAsync() => clock.RunAsync(() => start.RunAsync(new StartRequest(cluster, ByHand, TimeSpan.FromHours(2)), CancellationToken.None));

    private Task StopAsync() => clock.RunAsync(() => stop.RunAsync(cluster, ByHand, CancellationToken.None));

    private async Task<Reaped> ReapAsync() => (await clock.RunAsync(() => reaper.RunAsync([cluster], new RunnerList([]), CancellationToken.None))).ShouldHaveSingleItem();

    private void RunningUnder(Lease? lease)
    {
        aks.Run();
        aks.Tags[MachineTags.StartedName] = Lease.TimeText(Now);
        if (lease is not null)
        {
            aks.Tags[MachineTags.LeaseName] = lease.ToString();
        }
    }

    [Fact]
    public async Task A_start_takes_the_lease_before_anything_costs_money_and_a_stop_books_the_minutes()
    {
        var lease = await StartAsync();
        aks.IsOff.ShouldBeFalse();
        aks.Tags[MachineTags.LeaseName].ShouldBe(lease.ToString());
        azure.Verbs.SkipWhile(verb => verb == "read").First().ShouldBe("tags");
        clock.Advance(TimeSpan.FromMinutes(20));

        await StopAsync();

        aks.IsOff.ShouldBeTrue();
        aks.Tags.Keys.ShouldBe(["perf-lab:stack", MachineTags.UsedName], ignoreOrder: true);
        new MachineTags(aks.Tags).UsedMinutes(Now).ShouldBeInRange(27, 29);
    }

    [Fact]
    public async Task A_cluster_that_takes_no_tags_while_it_is_off_gets_its_lease_as_soon_as_it_runs()
    {
        aks.TakesTagsWhenStopped = false;

        var lease = await StartAsync();

        aks.Tags[MachineTags.LeaseName].ShouldBe(lease.ToString());
        said.ShouldContain(line => line.EndsWith("the tags of cluster follow when it runs", StringComparison.Ordinal));
        await StopAsync();
        aks.IsOff.ShouldBeTrue();
        // The next start finds what the stop could not write, and books it.
        clock.Advance(TimeSpan.FromHours(5));
        await StartAsync();
        new MachineTags(aks.Tags).UsedMinutes(Now).ShouldBe(120, "to the end of the lease, two hours: nobody knows when it stopped");
    }

    [Fact]
    public async Task A_stop_waits_for_the_start_that_is_under_way()
    {
        using var killed = new CancellationTokenSource();
        azure.Faults.Add((call, _) =>
        {
            if (call.Verb == "read" && aks.Provisioning == "Starting")
            {
                killed.Cancel();
            }

            return null;
        });
        await Should.ThrowAsync<OperationCanceledException>(() => clock.RunAsync(() => start.RunAsync(new StartRequest(cluster, ByHand, TimeSpan.FromHours(1)), killed.Token)));

        await StopAsync();

        aks.IsOff.ShouldBeTrue();
        azure.Calls.Count(call => call.Verb == "stop").ShouldBe(1);
    }

    [Fact]
    public async Task A_stop_that_somebody_else_has_begun_is_as_good_as_ours()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(1)));
        aks.Handle(new FakeCall(Now, "somebody", "POST", aks.Id + "/stop", null), new Uri("https://management.azure.com" + aks.Id + "/stop")).Dispose();

        await StopAsync();

        azure.Verbs.ShouldNotContain("stop");
        aks.IsOff.ShouldBeTrue();
    }

    [Fact]
    public async Task A_stop_that_somebody_else_has_just_done_is_done()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(1)));
        azure.Faults.Add((call, _) =>
        {
            if (call.Verb == "stop")
            {
                aks.Rest();
            }

            return null;
        });

        await StopAsync();

        azure.Calls.Count(call => call.Verb == "stop").ShouldBe(1);
    }

    [Fact]
    public async Task A_lost_answer_is_not_asked_twice()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(1)));
        azure.Faults.Add((call, act) =>
        {
            if (call.Verb != "stop")
            {
                return null;
            }

            act().Dispose();
            throw new HttpRequestException("the connection was closed before the answer arrived");
        });

        await StopAsync();

        azure.Calls.Count(call => call.Verb == "stop").ShouldBe(1);
        aks.IsOff.ShouldBeTrue();
    }

    [Theory]
    [InlineData(true, "AllocationFailed", "Azure has no capacity for Standard_D4s_v5 in westeurope now: ask again later. The size")]
    [InlineData(false, "provisioning Failed", "its activity log in the portal has more")]
    public async Task A_start_without_capacity_is_stopped_again_and_told_as_far_as_Azure_lets_us_know(bool mayRead, string cameBack, string doNext)
    {
        aks.ShowsOperations = mayRead;
        for (var i = 0; i < 3; i++)
        {
            aks.OperationErrors.Enqueue(FakeAzure.OperationError("AllocationFailed", "Allocation failed. We do not have sufficient capacity for the requested VM size in this region."));
        }

        var error = await Should.ThrowAsync<LabException>(StartAsync);

        error.CameBack.ShouldContain(cameBack);
        error.DoNext.ShouldContain(doNext);
        aks.OperationErrors.Clear();
        aks.IsOff.ShouldBe(mayRead, "after three tries the fourth operation, the stop, works; after one try it fails as the start did");
    }

    [Fact]
    public async Task Throttling_waits_as_long_as_Azure_asks()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(1)));
        var times = 0;
        azure.Faults.Add((call, _) => call.Verb == "stop" && times++ == 0 ? FakeAzure.Error(HttpStatusCode.TooManyRequests, "TooManyRequests", "slow down", "120") : null);
        var before = Now;

        await StopAsync();

        azure.Calls.Last(call => call.Verb == "stop").At.ShouldBe(before.AddSeconds(120), TimeSpan.FromSeconds(1));
    }

    [Fact]
    public async Task Another_operation_in_progress_is_waited_for()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(1)));
        var times = 0;
        azure.Faults.Add((call, _) => call.Verb == "stop" && times++ < 2
            ? FakeAzure.Error(HttpStatusCode.Conflict, "OperationNotAllowed", "Operation is not allowed: Another operation (Updating) is in progress, please wait for it to finish.") : null);

        await StopAsync();

        aks.IsOff.ShouldBeTrue();
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
        azure.Faults.Add((call, _) => call.Verb == verb ? new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent(body, Encoding.UTF8, type) } : null);

        var error = await Should.ThrowAsync<LabException>(StopAsync);

        error.DoNext.ShouldContain("a proxy or a login page");
        error.DoNext.ShouldEndWith("by hand: az aks stop --subscription 00000000-0000-0000-0000-000000000001 --resource-group perf-lab --name cluster");
    }

    [Fact]
    public async Task The_token_follows_no_address_to_another_host()
    {
        azure.Faults.Add((call, act) =>
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
        aks.OperationErrors.Enqueue(FakeAzure.OperationError("AllocationFailed", "no capacity"));

        (await Should.ThrowAsync<LabException>(StartAsync)).CameBack.ShouldContain("provisioning Failed");

        azure.Calls.ShouldNotContain(call => call.Verb == "poll");
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
        using var json = System.Text.Json.JsonDocument.Parse($$"""{ "properties": { "provisioningState": "{{provisioning}}", "powerState": { "code": "{{code}}" } } }""");
        var view = MachineView.FromCluster(json.RootElement);

        (view.Power, view.IsOff).ShouldBe((power, isOff));
    }

    [Fact]
    public async Task The_reaper_stops_a_cluster_whose_lease_is_over_in_the_first_round()
    {
        RunningUnder(new Lease(ByHand, Now.AddMinutes(-1)));

        (await ReapAsync()).Decision.ShouldStartWith("ended: the lease of run 0/0 ended");
        aks.IsOff.ShouldBeTrue();
        aks.Tags.ShouldNotContainKey(MachineTags.LeaseName);
    }

    [Fact]
    public async Task The_reaper_stops_a_cluster_without_a_lease_in_the_second_round()
    {
        RunningUnder(null);

        (await ReapAsync()).Decision.ShouldStartWith("suspected: no readable lease");
        aks.IsOff.ShouldBeFalse();
        (await ReapAsync()).Ended.ShouldBeTrue();
        aks.IsOff.ShouldBeTrue();
    }

    [Fact]
    public async Task The_reaper_stops_a_cluster_that_is_new_in_the_first_round()
    {
        // infra/src/cluster.ts makes it suspected from birth: Azure makes no cluster that is stopped.
        aks.Run();
        aks.Tags[MachineTags.OrphanName] = Lease.TimeText(DateTimeOffset.UnixEpoch);

        (await ReapAsync()).Ended.ShouldBeTrue();
        aks.IsOff.ShouldBeTrue();
    }

    [Fact]
    public async Task A_cluster_with_a_lease_needs_no_runner()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(3)));
        clock.Advance(TimeSpan.FromMinutes(30));

        (await ReapAsync()).Decision.ShouldStartWith("in use by run 0/0");
        aks.IsOff.ShouldBeFalse();
    }

    [Fact]
    public async Task A_cluster_that_is_starting_is_judged_in_the_next_round()
    {
        aks.Handle(new FakeCall(Now, "somebody", "POST", aks.Id + "/start", null), new Uri("https://management.azure.com" + aks.Id + "/start")).Dispose();

        (await ReapAsync()).Decision.ShouldBe("starting; judged in the next round");
        azure.Verbs.ShouldNotContain("stop");
    }

    [Fact]
    public async Task A_cluster_that_fails_does_not_keep_a_machine_alive()
    {
        var vm = azure.Add();
        vm.Set("running", Now);
        vm.Tags[MachineTags.LeaseName] = new Lease(LabFixture.Us, Now.AddMinutes(-1)).ToString();
        azure.Faults.Add((call, _) => call.Path.Contains("managedClusters") ? FakeAzure.Error(HttpStatusCode.Forbidden, "AuthorizationFailed", "no") : null);

        var results = await clock.RunAsync(() => reaper.RunAsync([cluster, FakeAzure.Machine()], null, CancellationToken.None));

        results[0].Failure!.DoNext.ShouldContain("needs the role `cluster-power`");
        results[1].Ended.ShouldBeTrue();
    }
}
