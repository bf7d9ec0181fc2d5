using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution.Kubernetes;

/// <summary>All launches of a session run on one node, until that node takes no more.</summary>
public sealed class NodeLossTests
{
    [Fact]
    public async Task launches_stay_on_the_node_of_the_first()
    {
        using var cluster = new FakeCluster("n2");
        await using var launcher = await cluster.ReadyAsync();
        (await FakeCluster.WhereAsync(launcher)).ShouldBe("n2");
        cluster.Add("n1"); // which the stand-in would take first
        (await FakeCluster.WhereAsync(launcher)).ShouldBe("n2");
    }

    [Fact]
    public async Task a_node_that_vanishes_during_a_launch_is_forgotten_and_the_next_one_runs_elsewhere()
    {
        using var cluster = new FakeCluster("n1", "n2");
        await using var launcher = await cluster.ReadyAsync();
        (await FakeCluster.WhereAsync(launcher)).ShouldBe("n1");
        var running = launcher.LaunchAsync(FakeCluster.Launch("sleep"), TestContext.Current.CancellationToken);
        while (cluster.Pods.Count == 0 && !running.IsCompleted)
        {
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }

        cluster.Lose("n1");
        var end = await running;
        (end.How, end.Reason).ShouldBe((EndKind.KilledFromOutside, "its pod was removed: DeletionByTaintManager: Taint manager: deleting due to NoExecute taint"));
        (await FakeCluster.WhereAsync(launcher)).ShouldBe("n2");
    }

    /// <summary>Between two launches, or between base and head: the round is void, and nothing says that the program failed.</summary>
    [Fact]
    public async Task a_node_that_takes_no_launch_any_more_voids_the_round_and_is_forgotten()
    {
        using var cluster = new FakeCluster("n1", "n2");
        await using var launcher = await cluster.ReadyAsync(startSeconds: 2);
        (await FakeCluster.WhereAsync(launcher)).ShouldBe("n1");
        cluster.Lose("n1");

        var end = await launcher.LaunchAsync(FakeCluster.Launch(), TestContext.Current.CancellationToken);
        end.How.ShouldBe(EndKind.KilledFromOutside);
        end.Reason.ShouldNotBeNull().ShouldStartWith("it did not run within 2 s: no node takes its pod: 0/2 nodes are available");
        (await FakeCluster.WhereAsync(launcher)).ShouldBe("n2");
    }

    [Fact]
    public async Task without_any_node_a_launch_fails_in_the_schedulers_words()
    {
        using var cluster = new FakeCluster("n1");
        await using var launcher = await cluster.ReadyAsync(startSeconds: 1);
        var end = await launcher.LaunchAsync(FakeCluster.Launch(cpus: 2), TestContext.Current.CancellationToken);
        end.How.ShouldBe(EndKind.NotStarted);
        end.Reason.ShouldNotBeNull().ShouldContain("0/2 nodes are available");
    }
}
