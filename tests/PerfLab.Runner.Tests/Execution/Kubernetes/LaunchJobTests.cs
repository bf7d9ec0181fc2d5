using System.Text.Json.Nodes;
using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Launching;
using PerfLab.Kubernetes;

namespace PerfLab.Runner.Tests.Execution.Kubernetes;

/// <summary>What a cluster is asked for. That it closes is shown on a real one (ClusterLaunchTests).</summary>
public sealed class LaunchJobTests
{
    private static readonly LaunchSpec Launch = new()
    {
        Session = "20261122-1: a\"b",
        Build = new Build("sha256:x", "/", NeedsShell: false),
        Command = ["./app", "--x=1"],
        Environment = [new("PATH", "/bin"), new("DOTNET_TieredPGO", "0"), new("PERF_LAB_NODES", "")],
        Resources = new Resources(2, 512 << 20, 100),
        Timeout = TimeSpan.FromSeconds(90.5),
    };

    [Fact]
    public void a_pod_has_whole_cores_no_token_no_rights_and_an_end()
    {
        var job = Job(Launch);
        var pod = job["spec"]!["template"]!["spec"]!;
        var container = pod["containers"]![0]!;

        JsonNode.DeepEquals(container["resources"]!["limits"], container["resources"]!["requests"]).ShouldBeTrue();
        container["resources"]!["limits"]!.ToJsonString().ShouldBe("""{"cpu":"2","memory":"536870912"}""");
        pod["automountServiceAccountToken"]!.GetValue<bool>().ShouldBeFalse();
        container["securityContext"]!.ToJsonString().ShouldBe(
            """{"readOnlyRootFilesystem":true,"allowPrivilegeEscalation":false,"privileged":false,"capabilities":{"drop":["ALL"]}}""");
        pod["securityContext"]!["seccompProfile"]!["type"]!.ToString().ShouldBe("RuntimeDefault");
        (job["spec"]!["backoffLimit"]!.GetValue<int>(), job["spec"]!["activeDeadlineSeconds"]!.GetValue<int>()).ShouldBe((0, 91 + 120 + 60));
        job["spec"]!["ttlSecondsAfterFinished"]!.GetValue<int>().ShouldBeGreaterThan(0);
        container.AsObject().ContainsKey("startupProbe").ShouldBeFalse("nothing looks at a launch of one program");
        container.AsObject().ContainsKey("env").ShouldBeFalse("the shell gives exactly its own");
        job["metadata"]!["labels"]!["perf-lab/run"]!.ToString().ShouldBe("20261122-1--a-b");
    }

    [Fact]
    public void nodes_go_to_the_pool_of_their_role_apart_from_each_other_and_where_they_were_before()
    {
        var several = Launch with { Nodes = [new("sut-0", "sut"), new("client-0", "client")] };
        var cluster = new ClusterSettings { Pool = new() { ["p"] = "all" }, Pools = new() { ["client"] = new() { ["p"] = "load" } } };
        var jobs = LaunchPart.Of(several).Select(part => LaunchJob.From(several, part, Place(cluster, machine: "n7"))).ToList();
        var pods = jobs.Select(job => job["spec"]!["template"]!["spec"]!).ToList();

        jobs.Select(job => job["metadata"]!["name"]!.ToString()).ShouldBe(["pl-1-1-sut-0", "pl-1-1-client-0"]);
        pods.Select(pod => pod["nodeSelector"]!["p"]!.ToString()).ShouldBe(["all", "load"]);
        pods.ShouldAllBe(pod => pod["affinity"]!["podAntiAffinity"] != null);
        pods[0]["affinity"]!["nodeAffinity"]!.ToJsonString().ShouldContain("""{"key":"metadata.name","operator":"In","values":["n7"]}""");
        (pods[0]["containers"]![0]!["startupProbe"] is not null, pods[1]["containers"]![0]!["startupProbe"] is not null).ShouldBe((true, false));
        LaunchJob.From(several, LaunchPart.Of(several)[0], Place(cluster with { Spread = false }, null))
            ["spec"]!["template"]!["spec"]!["affinity"]!["podAntiAffinity"]!.ToJsonString().ShouldNotContain("perf-lab/launch");
    }

    /// <summary>Of whatever namespace: what they share is the node.</summary>
    [Fact]
    public void a_pod_never_shares_a_node_with_one_of_another_session() =>
        Job(Launch)["spec"]!["template"]!["spec"]!["affinity"]!.ToJsonString().ShouldBe(
            """{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app.kubernetes.io/managed-by":"perf-lab"},"matchExpressions":["""
            + """{"key":"perf-lab/instance","operator":"NotIn","values":["1"]}]},"topologyKey":"kubernetes.io/hostname","namespaceSelector":{}}]}}""");

    [Fact]
    public void the_seal_is_the_same_for_other_values_and_another_build_and_no_other_for_anything_else()
    {
        var seal = Seal(Launch);
        Seal(Launch with { Command = ["./other", "y"], Environment = [new("PATH", "/x"), new("DOTNET_TieredPGO", "1"), new("PERF_LAB_NODES", "z")] }).ShouldBe(seal);
        Seal(Launch with { Resources = Launch.Resources with { Cpus = 3 } }).ShouldBe(seal, "what an arm may ask for is compared by itself");
        Seal(Launch with { Command = ["./app"] }).ShouldNotBe(seal);
        Seal(Launch with { Environment = [.. Launch.Environment.Reverse()] }).ShouldNotBe(seal);
        Seal(Launch with { Timeout = TimeSpan.FromSeconds(1) }).ShouldBe(seal, "a deadline is no cage");
        PodSeal.Of(Job(Launch, "another/image:2", "pl-9-9", "n3"), 2).ShouldBe(seal);
    }

    private static string Seal(LaunchSpec launch) => PodSeal.Of(Job(launch), launch.Command.Count);

    private static JsonObject Job(LaunchSpec launch, string image = "perf-lab/build:1", string id = "pl-1-1", string? machine = null) =>
        LaunchJob.From(launch, LaunchPart.Of(launch)[0], Place(new(), machine) with { Image = image, Launch = id });

    private static PodPlace Place(ClusterSettings cluster, string? machine) => new("pl-1-1", "1", "owner", "perf-lab/build:1", machine, cluster);
}
