using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Kubernetes;

namespace PerfLab.Runner.Tests.Execution.Kubernetes;

/// <summary>A session's nodes are its own: from before its first launch, between launches, until its end.</summary>
public sealed class NodePlaceTests : IDisposable
{
    private readonly SessionFixture session = new((0, 5));

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private RunPlan Plan => session.Plan;

    public void Dispose() => session.Dispose();

    [Fact]
    public async Task two_that_begin_at_once_get_two_nodes_and_a_third_is_told_why_there_is_none()
    {
        Nightly.Only("20 seconds");
        using var cluster = new FakeCluster("n1", "n2");
        await using var one = await cluster.ReadyAsync();
        await using var two = one.Beside();
        await Task.WhenAll(one.PlaceAsync(Plan, Token), two.PlaceAsync(Plan, Token));
        cluster.Pods.Select(pod => pod.Split(' ')[0]).Order(StringComparer.Ordinal).ShouldBe(["n1", "n2"]);

        await using var three = await cluster.ReadyAsync(startSeconds: 2);
        var none = await Should.ThrowAsync<NoPlaceException>(() => three.PlaceAsync(Plan, Token));
        none.Tried.ShouldBe("finding a node for launches of 1 core in namespace perf-lab");
        none.CameBack.ShouldBe("it did not run within 2 s: no node takes its pod: 0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.");
        none.DoNext.ShouldContain("--wait 30m");

        var where = await FakeCluster.WhereAsync(two);
        await two.DisposeAsync();
        cluster.Pods.Count.ShouldBe(1, "nothing of it is left");
        await three.PlaceAsync(Plan, Token);
        (await FakeCluster.WhereAsync(three)).ShouldBe(where);
    }

    /// <summary>Of an older lab, say, or of one that asked for no place: it is kept off a node that somebody has.</summary>
    [Fact]
    public async Task nobody_comes_to_the_node_of_a_session_that_does_not_launch_just_now()
    {
        Nightly.Only("10 seconds");
        using var cluster = new FakeCluster("n1", "n2");
        await using var one = await cluster.ReadyAsync();
        await one.PlaceAsync(Plan, Token);
        await using var other = await cluster.ReadyAsync();
        (await FakeCluster.WhereAsync(other), await FakeCluster.WhereAsync(one)).ShouldBe(("n2", "n1"));
    }

    [Fact]
    public async Task a_node_that_is_lost_between_base_and_head_voids_the_round_before_anything_is_launched()
    {
        Nightly.Only("10 seconds");
        using var cluster = new FakeCluster("n1", "n2");
        await using var launcher = await cluster.ReadyAsync();
        await launcher.PlaceAsync(Plan, Token);
        (await FakeCluster.WhereAsync(launcher)).ShouldBe("n1");
        cluster.Lose("n1");
        while (launcher.Places.Lost is null)
        {
            await Task.Delay(10, Token); // the lab notices by the pod that keeps the node
        }

        var jobs = cluster.Jobs.Count;
        var end = await launcher.LaunchAsync(FakeCluster.Launch(), Token);
        end.How.ShouldBe(EndKind.KilledFromOutside);
        end.Reason.ShouldNotBeNull().ShouldStartWith("the node n1 was lost between two launches: its pod was removed: DeletionByTaintManager");
        cluster.Jobs.Count.ShouldBe(jobs);
        (await FakeCluster.WhereAsync(launcher)).ShouldBe("n2");
        cluster.Pods.ShouldHaveSingleItem().ShouldStartWith("n2 ", Case.Sensitive, "it is kept there, too");
    }

    [Fact]
    public async Task a_session_whose_last_node_is_lost_ends_instead_of_failing_launch_after_launch()
    {
        Nightly.Only("some seconds");
        using var cluster = new FakeCluster("n1");
        await using var launcher = await cluster.ReadyAsync(startSeconds: 2);
        await launcher.PlaceAsync(Plan, Token);
        cluster.Lose("n1");
        (await launcher.LaunchAsync(FakeCluster.Launch(), Token)).How.ShouldBe(EndKind.KilledFromOutside);
        await Should.ThrowAsync<NoPlaceException>(() => launcher.LaunchAsync(FakeCluster.Launch(), Token));
    }

    [Fact]
    public async Task what_keeps_a_node_asks_for_no_core_has_an_end_and_is_renewed_before_it()
    {
        using var cluster = new FakeCluster("n1");
        await using var launcher = await cluster.ReadyAsync();
        await launcher.PlaceAsync(Plan, Token);
        var claim = cluster.Jobs[^1];
        claim.ShouldContain("""{"cpu":"0",""");
        claim.ShouldContain(FormattableString.Invariant($"\"activeDeadlineSeconds\":{NodePlaces.Life.TotalSeconds + FakeCluster.Patient + 60:0}"));

        launcher.Places.Renewed = TimeSpan.Zero;
        (await FakeCluster.WhereAsync(launcher)).ShouldBe("n1");
        cluster.Jobs.Count(job => job.Contains("\"cpu\":\"0\"", StringComparison.Ordinal)).ShouldBe(2);
        cluster.Pods.ShouldHaveSingleItem("one in place of the other");
    }
}
