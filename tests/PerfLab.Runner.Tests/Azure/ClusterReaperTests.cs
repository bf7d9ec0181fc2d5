using System.Net;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>What the reaper does with the cluster.</summary>
public sealed class ClusterReaperTests : ClusterLab
{
    [Fact]
    public async Task The_reaper_stops_a_cluster_whose_lease_is_over_in_the_first_round()
    {
        RunningUnder(new Lease(ByHand, Now.AddMinutes(-1)));

        (await ReapAsync()).Decision.ShouldStartWith("ended: the lease of run 0/0 ended");
        Aks.IsOff.ShouldBeTrue();
        Aks.Tags.ShouldNotContainKey(MachineTags.LeaseName);
    }

    [Fact]
    public async Task The_reaper_stops_a_cluster_without_a_lease_in_the_second_round()
    {
        RunningUnder(null);

        (await ReapAsync()).Decision.ShouldStartWith("suspected: no readable lease");
        Aks.IsOff.ShouldBeFalse();
        (await ReapAsync()).Ended.ShouldBeTrue();
        Aks.IsOff.ShouldBeTrue();
    }

    [Fact]
    public async Task The_reaper_stops_a_cluster_that_is_new_in_the_first_round()
    {
        // infra/src/cluster.ts makes it suspected from birth: Azure makes no cluster that is stopped.
        Aks.Run();
        Aks.Tags[MachineTags.OrphanName] = Lease.TimeText(DateTimeOffset.UnixEpoch);

        (await ReapAsync()).Ended.ShouldBeTrue();
        Aks.IsOff.ShouldBeTrue();
    }

    [Fact]
    public async Task A_cluster_with_a_lease_needs_no_runner()
    {
        RunningUnder(new Lease(ByHand, Now.AddHours(3)));
        Clock.Advance(TimeSpan.FromMinutes(30));

        (await ReapAsync()).Decision.ShouldStartWith("in use by run 0/0");
        Aks.IsOff.ShouldBeFalse();
    }

    [Fact]
    public async Task A_cluster_that_is_starting_is_judged_in_the_next_round()
    {
        Aks.Handle(new FakeCall(Now, "somebody", "POST", Aks.Id + "/start", null), new Uri("https://management.azure.com" + Aks.Id + "/start")).Dispose();

        (await ReapAsync()).Decision.ShouldBe("starting; judged in the next round");
        Azure.Verbs.ShouldNotContain("stop");
    }

    [Fact]
    public async Task A_cluster_that_fails_does_not_keep_a_machine_alive()
    {
        var vm = Azure.Add();
        vm.Set("running", Now);
        vm.Tags[MachineTags.LeaseName] = new Lease(LabFixture.Us, Now.AddMinutes(-1)).ToString();
        Azure.Faults.Add((call, _) => call.Path.Contains("managedClusters") ? FakeAzure.Error(HttpStatusCode.Forbidden, "AuthorizationFailed", "no") : null);

        var results = await Clock.RunAsync(() => Reaper.RunAsync([Cluster, FakeAzure.Machine()], null, CancellationToken.None));

        results[0].Failure!.DoNext.ShouldContain("needs the role `cluster-power`");
        results[1].Ended.ShouldBeTrue();
    }
}
