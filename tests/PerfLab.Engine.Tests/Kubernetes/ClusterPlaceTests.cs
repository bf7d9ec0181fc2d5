using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Kubernetes;

namespace PerfLab.Engine.Tests.Kubernetes;

/// <summary>Several sessions, or shards of one plan, on a real cluster: its scheduler gives each a node that no other comes to.</summary>
[Collection(OnOneCluster.Name)]
public sealed class ClusterPlaceTests(ClusterFixture cluster)
{
    /// <summary>Three nodes and four sessions: also between its launches a session's node is its own.</summary>
    [Fact]
    public async Task each_session_gets_a_node_of_its_own_and_the_fourth_is_told_that_there_is_none()
    {
        await using var launches = await ReadyAsync(startSeconds: 60);
        var first = launches.Launcher;
        List<KubernetesLauncher> others = [first.Beside(), first.Beside()];
        try
        {
            await Task.WhenAll(others.Prepend(first).Select(launcher => launcher.PlaceAsync(Plan, TestContext.Current.CancellationToken)));
            var nodes = await NodesAsync();
            nodes.Distinct().Count().ShouldBe(3, string.Join(' ', nodes));

            await using var fourth = await ReadyAsync(startSeconds: 3);
            var none = await Should.ThrowAsync<NoPlaceException>(() => fourth.Launcher.PlaceAsync(Plan, TestContext.Current.CancellationToken));
            none.CameBack.ShouldBe("it did not run within 3 s: no node takes its pod: 0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules. "
                + "preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.");

            await others[1].DisposeAsync();
            await fourth.Launcher.PlaceAsync(Plan, TestContext.Current.CancellationToken);
            (await NodesAsync()).Order().ShouldBe(nodes.Order());
        }
        finally
        {
            foreach (var other in others)
            {
                await other.DisposeAsync();
            }
        }

        await first.DisposeAsync();
        (await ClusterFixture.LeftAsync()).ShouldBe("");
    }

    internal static RunPlan Plan { get; } = new()
    {
        Seed = 1,
        IsAa = false,
        Policy = new(),
        Cells = [new()
        {
            Id = "c001",
            Workload = "script",
            Mode = "steady",
            Dimensions = new Dictionary<string, string>(),
            Parameters = new Dictionary<string, string>(),
            Arms = [new() { Id = "base", Dimensions = new Dictionary<string, string>(), Recipe = null!, Command = ["bash"], Environment = [] }],
            Metrics = [],
            Launch = new(0, 1, 20),
            Resources = new Resources(Cpus: 1, MemoryBytes: 128 << 20, Pids: 64),
        }],
        Screen = [],
        Confirm = [],
        Estimate = new(0, 0, 0, 0),
    };

    private static async Task<IReadOnlyList<string>> NodesAsync() => (await ClusterFixture.KubectlAsync(
        "get", "pods", "--namespace", "perf-lab", "--output", "jsonpath={.items[*].spec.nodeName}")).Split(' ');

    /// <summary>As a session's: with its own login and builds.</summary>
    private async Task<ClusterLaunches> ReadyAsync(int startSeconds)
    {
        var launches = await ClusterLaunches.OnAsync(cluster, ClusterFixture.Settings with { StartSeconds = startSeconds });
        await launches.Launcher.PrepareAsync([launches.Script(":")], TestContext.Current.CancellationToken);
        return launches;
    }
}
