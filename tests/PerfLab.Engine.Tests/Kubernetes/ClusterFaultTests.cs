using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Launching;

namespace PerfLab.Engine.Tests.Kubernetes;

/// <summary>What can be wrong with a cluster: each told with the API server's own reason, and nothing left behind.</summary>
[Collection(OnOneCluster.Name)]
public sealed class ClusterFaultTests(ClusterFixture cluster)
{
    [Fact]
    public async Task out_of_cores_is_the_schedulers_own_words()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster, ClusterFixture.Settings with { StartSeconds = 3 });
        var end = await launches.RunAsync(":", change: launch => launch with { Resources = launch.Resources with { Cpus = 64 } });

        end.How.ShouldBe(EndKind.NotStarted);
        end.Reason.ShouldNotBeNull().ShouldContain("Insufficient cpu");
        (await ClusterFixture.LeftAsync()).ShouldBe("");
    }

    [Fact]
    public async Task a_pool_without_nodes_keeps_one_of_several_pending_and_none_is_launched()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster, ClusterFixture.Settings with
        {
            StartSeconds = 4,
            Pools = new() { ["client"] = new() { ["perf-lab/pool"] = "none" } },
        });
        var end = await launches.RunAsync("echo ran > $PERF_LAB_RESULT", ":");

        (end.How, end.SpoiledBy).ShouldBe((EndKind.NotStarted, "client-0"));
        end.Reason.ShouldNotBeNull().ShouldContain("didn't match Pod's node affinity/selector");
        end.Nodes.ShouldBeEmpty();
        (await ClusterFixture.LeftAsync()).ShouldBe("");
    }

    [Fact]
    public async Task an_image_that_no_node_has_is_named()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster, new ClusterSettings { Deliver = ["test", "-f", "{archive}"], Image = "localhost/nowhere" });
        var end = await launches.RunAsync("exit 7");

        end.How.ShouldBe(EndKind.NotStarted);
        end.Reason.ShouldNotBeNull().ShouldSatisfyAllConditions(
            text => text.ShouldContain("ErrImagePull"), text => text.ShouldContain("localhost/nowhere:"));
        (await ClusterFixture.LeftAsync()).ShouldBe("");
    }

    [Fact]
    public async Task a_delivery_that_fails_is_told_with_its_words()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster, new ClusterSettings { Deliver = ["sh", "-c", "echo no registry >&2; exit 9", "{archive}"] });
        var failure = await Should.ThrowAsync<LabException>(() => launches.RunAsync(":"));

        failure.CameBack.ShouldEndWith("ended with 9: no registry");
    }

    [Fact]
    public async Task a_login_without_the_role_is_told_everything_that_it_may_not()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster, account: "default");
        var failure = await Should.ThrowAsync<LabException>(() => launches.RunAsync(":"));

        failure.CameBack.ShouldBe("the API server forbids it to create jobs, list jobs, deletecollection jobs, get pods, list pods, watch pods, patch pods, "
            + "deletecollection pods, get pods/log, list events, get networkpolicies");
    }

    [Theory]
    [InlineData("create", "pods")]
    [InlineData("create", "pods/exec")]
    [InlineData("get", "secrets")]
    [InlineData("create", "roles")]
    [InlineData("update", "jobs")]
    [InlineData("create", "networkpolicies")]
    [InlineData("delete", "namespaces")]
    [InlineData("list", "nodes")]
    [InlineData("list", "jobs", "default")]
    [InlineData("list", "pods", "kube-system")]
    public async Task the_role_gives_no_more_than_launches_take(string verb, string resource, string space = "perf-lab")
    {
        cluster.Require();
        await ClusterFixture.LoginAsync("perf-lab");
        var (exit, output, _) = await ClusterFixture.RunAsync(Path.Combine(ClusterFixture.Folder, "kubectl-perf-lab"), "auth", "can-i", verb, resource, "--namespace", space);

        (exit, output.Trim()).ShouldBe((1, "no"));
    }

    [Fact]
    public async Task an_api_server_that_does_not_answer_is_told_with_what_to_do()
    {
        cluster.Require();
        ClusterFixture.WriteLogin("nowhere", "https://127.0.0.1:", "1");
        await using var launcher = cluster.Launcher(login: "kubectl-nowhere");

        var failure = await Should.ThrowAsync<LabException>(() => launcher.PrepareAsync([], CancellationToken.None));

        failure.CameBack.ShouldContain("was refused");
        failure.DoNext.ShouldContain("kubectl version");
    }

    [Fact]
    public async Task a_namespace_that_is_not_there_is_named()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster, ClusterFixture.Settings with { Namespace = "nowhere" }, account: null);
        var failure = await Should.ThrowAsync<LabException>(() => launches.RunAsync(":"));

        failure.CameBack.ShouldContain("namespaces \"nowhere\" not found");
    }

    [Fact]
    public async Task a_namespace_that_ends_takes_no_launch()
    {
        cluster.Require();
        await ClusterFixture.KubectlAsync("create", "namespace", "ending");
        await ClusterFixture.KubectlAsync("create", "configmap", "stays", "--namespace", "ending");
        await ClusterFixture.KubectlAsync("patch", "configmap", "stays", "--namespace", "ending", "--patch", """{"metadata":{"finalizers":["test/stays"]}}""");
        await ClusterFixture.KubectlAsync("delete", "namespace", "ending", "--wait=false");
        await using var launches = await ClusterLaunches.OnAsync(cluster, ClusterFixture.Settings with { Namespace = "ending" }, account: null);

        var failure = await Should.ThrowAsync<LabException>(() => launches.RunAsync(":"));

        await ClusterFixture.KubectlAsync("patch", "configmap", "stays", "--namespace", "ending", "--type=merge", "--patch", """{"metadata":{"finalizers":null}}""");
        failure.CameBack.ShouldContain("because it is being terminated");
    }

    [Fact]
    public async Task a_namespace_without_the_policy_is_warned_of()
    {
        cluster.Require();
        await ClusterFixture.KubectlAsync("create", "namespace", "open");
        await using var launches = await ClusterLaunches.OnAsync(cluster, ClusterFixture.Settings with { Namespace = "open" }, account: null);
        await launches.Launcher.PrepareAsync([], CancellationToken.None);

        launches.Launcher.Warnings.ShouldContain(warning => warning.Contains("no NetworkPolicy perf-lab-sealed"));
    }

    /// <summary>Its kubelet and all that ran there end at once, as when a machine loses power. The cluster notices after 40 to 50 seconds.</summary>
    [Fact]
    public async Task a_node_that_vanishes_voids_the_round_leaves_nothing_and_the_next_launch_runs_elsewhere()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster);
        await launches.Launcher.PrepareAsync([launches.Script(":")], TestContext.Current.CancellationToken);
        await launches.Launcher.PlaceAsync(ClusterPlaceTests.Plan, TestContext.Current.CancellationToken);
        Task<LaunchEnd> Sleeping(int seconds) => launches.RunAsync("sleep $NAP; echo {} > $PERF_LAB_RESULT", change: launch => launch with
        {
            Environment = [.. launch.Environment, new("NAP", $"{seconds}")],
            Timeout = TimeSpan.FromMinutes(3),
        });
        var running = Sleeping(200);
        string[] nodes = [];
        while (!running.IsCompleted && nodes.Length < 2)
        {
            await Task.Delay(200, TestContext.Current.CancellationToken);
            nodes = (await ClusterFixture.KubectlAsync("get", "pods", "--namespace", "perf-lab", "--field-selector", "status.phase=Running",
                "--output", "jsonpath={.items[*].spec.nodeName}")).Split(' '); // what keeps the node, and the launch
        }

        var first = (await File.ReadAllTextAsync(Path.Combine(ClusterFixture.Folder, "pids", nodes[0]), TestContext.Current.CancellationToken)).Split(' ')[2];
        System.Diagnostics.Process.GetProcessById(int.Parse(first)).Kill();
        var end = await running;

        var left = await ClusterFixture.LeftAsync();
        var isReady = await launches.Launcher.WaitUntilReadyAsync(TimeSpan.FromSeconds(10), CancellationToken.None);
        var next = await Sleeping(0);
        await cluster.StartAsync(); // for the tests after this one
        (left, isReady).ShouldBe(("", true));
        end.How.ShouldBe(EndKind.KilledFromOutside);
        end.Reason.ShouldNotBeNull().ShouldContain("DeletionByTaintManager");
        next.How.ShouldBe(EndKind.Exited, next.Reason);
        next.Evidence["node"]!.ToString().ShouldNotBe(nodes[0]);
    }
}
