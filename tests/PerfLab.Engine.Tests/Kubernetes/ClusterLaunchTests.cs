using System.Text.Json.Nodes;
using PerfLab.Launching;

namespace PerfLab.Engine.Tests.Kubernetes;

/// <summary>Launches as jobs of a real cluster, by a login that has the Role of docs/operations.md.</summary>
[Collection(OnOneCluster.Name)]
public sealed class ClusterLaunchTests(ClusterFixture cluster)
{
    [Fact]
    public async Task a_launch_is_a_sealed_pod_with_cores_of_its_own_and_its_result_comes_back()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster);
        var end = await launches.RunAsync("""
            env > /out/env; ls /var/run/secrets/kubernetes.io > /out/token 2>&1; touch /app/x 2> /out/root; id -u > /out/user
            head -c 300000 /dev/zero > /out/zeros; ln -s /etc/passwd /out/link; truncate -s 1T /out/sparse; : > /out/empty; printf '{"a":1}' > "$PERF_LAB_RESULT"
            """);

        (end.How, end.ExitCode, end.Reason, end.Tail).ShouldBe((EndKind.Exited, 0, null, ""));
        string Read(string name) => File.ReadAllText(Path.Combine(Path.GetDirectoryName(end.ResultFile)!, name)).TrimEnd('\n');
        File.ReadAllText(end.ResultFile).ShouldBe("""{"a":1}""");
        Read("env").Split('\n').Where(line => !line.StartsWith("_=", StringComparison.Ordinal) && !line.StartsWith("SHLVL=", StringComparison.Ordinal)
            && !line.StartsWith("PWD=", StringComparison.Ordinal) && !line.StartsWith("OLDPWD=", StringComparison.Ordinal)).Order(StringComparer.Ordinal).ShouldBe(
            ["DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1", "HOME=/tmp", "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "PERF_LAB_NODE=", "PERF_LAB_NODES=",
                "PERF_LAB_READY=/out/ready", "PERF_LAB_RESULT=/out/result.json"]);
        Read("token").ShouldContain("No such file");
        Read("root").ShouldContain("Read-only file system");
        Read("user").ShouldBe("65532");
        new FileInfo(Path.Combine(Path.GetDirectoryName(end.ResultFile)!, "zeros")).Length.ShouldBe(300_000);
        Read("empty").ShouldBe("");
        new FileInfo(Path.Combine(Path.GetDirectoryName(end.ResultFile)!, "sparse")).Length.ShouldBe((64 << 20) + 1, "refused for its length, and never copied");
        ((string?)end.Evidence["notCopied"]![0]).ShouldBe("link is no regular file");

        ((string?)end.Evidence["qos"]).ShouldBe("Guaranteed");
        ((string?)end.Evidence["inside"]!["noNewPrivileges"]).ShouldBe("1");
        ((string?)end.Evidence["inside"]!["seccomp"]).ShouldBe("2");
        ((string?)end.Evidence["cpus"]).ShouldNotBeNull().Split(',', '-').ShouldNotContain("0", "the first core is the node's own");
        end.Evidence["cpuSeconds"]!.GetValue<double>().ShouldBeGreaterThan(0);
        end.Evidence["peakMemoryBytes"]!.GetValue<double>().ShouldBeInRange(1, 128 << 20);
        ((string?)end.Evidence["node"]).ShouldNotBeNull().ShouldStartWith("n");
        (await ClusterFixture.LeftAsync()).ShouldBe("");
    }

    [Theory]
    [InlineData("echo oh; exit 3", EndKind.Exited, 3, "oh")]
    [InlineData("kill -9 $$", EndKind.KilledFromOutside, 137, "")]
    [InlineData("a=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#a}", EndKind.OutOfMemory, null, "")]
    [InlineData("yes | head -c 9000000; echo {} > $PERF_LAB_RESULT; exit 6", EndKind.Exited, 6, "y")]
    [InlineData("echo here; sleep 30", EndKind.TimedOut, null, "here")]
    public async Task how_it_ended_is_told(string script, EndKind how, int? code, string tail)
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster);
        var end = await launches.RunAsync(script, change: launch => how == EndKind.TimedOut ? launch with { Timeout = TimeSpan.FromSeconds(2) } : launch);

        end.How.ShouldBe(how, end.Reason);
        end.ExitCode.ShouldBe(code ?? end.ExitCode);
        end.Tail.ShouldContain(tail);
        (await ClusterFixture.LeftAsync()).ShouldBe("");
    }

    [Fact]
    public async Task a_program_that_is_not_there_could_not_be_started()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster);
        var end = await launches.RunAsync("", change: launch => launch with { Command = ["./nothing"] });

        end.How.ShouldBe(EndKind.NotStarted);
        end.Reason.ShouldNotBeNull().ShouldContain("nothing");
    }

    [Fact]
    public async Task launches_of_a_session_run_on_one_node_in_the_same_cage()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster);
        var ends = new List<LaunchEnd>();
        for (var number = 0; number < 3; number++)
        {
            ends.Add(await launches.RunAsync(":", change: launch => launch with { Environment = [.. launch.Environment.SkipLast(1), new("PERF_LAB_NODES", $"{number}")] }));
        }

        ends.ShouldAllBe(end => end.How == EndKind.Exited);
        foreach (var name in new[] { "node", "container", "cpus", "image" })
        {
            ends.Select(end => (string?)end.Evidence[name]).Distinct().ShouldHaveSingleItem().ShouldNotBeNull();
        }
    }

    [Fact]
    public async Task nodes_run_on_nodes_of_their_pools_and_know_each_other()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster, ClusterFixture.Settings with
        {
            Pools = new() { ["sut"] = new() { ["perf-lab/pool"] = "sut" }, ["client"] = new() { ["perf-lab/pool"] = "load" } },
        });
        var end = await launches.RunAsync(ClusterLaunches.Server, "sleep 1; echo $PERF_LAB_NODE $PERF_LAB_NODES > $PERF_LAB_RESULT");

        (end.How, end.ExitCode, end.SpoiledBy, end.Reason).ShouldBe((EndKind.Exited, 0, null, null));
        end.Nodes.Select(node => (node.Name, (string?)node.End.Evidence["node"])).ShouldBe([("sut-0", "n1"), ("client-0", "n2")], ignoreOrder: true);
        var told = File.ReadAllText(end.ResultFile).Trim();
        told.ShouldMatch(@"^client-0 sut-0=10\.\d+\.\d+\.\d+:21000 client-0=10\.\d+\.\d+\.\d+:21000$");
        File.ReadAllText(end.Nodes.First(node => node.Name == "sut-0").End.ResultFile).Trim().ShouldBe(told["client-0 ".Length..]);
        end.Evidence["nodes"]!.AsObject().Count.ShouldBe(2);
        (await ClusterFixture.LeftAsync()).ShouldBe("");
    }

    [Theory]
    [InlineData("sleep 20", "echo ran", EndKind.NodeFailed, "sut-0", "it was not ready within")]
    [InlineData("exit 0", "echo ran", EndKind.NodeFailed, "sut-0", "it ended before it was ready")]
    [InlineData(": > $PERF_LAB_READY; sleep 4; exit 5", "sleep 30", EndKind.Exited, "sut-0", "")]
    [InlineData(": > $PERF_LAB_READY; sleep 30", "exit 4", EndKind.Exited, "client-0", "")]
    public async Task a_node_that_fails_takes_all_others_with_it(string server, string client, EndKind how, string node, string reason)
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster);
        var end = await launches.RunAsync(server, client, launch => launch with { Timeout = TimeSpan.FromSeconds(how == EndKind.NodeFailed ? 3 : 20) });

        (end.How, end.SpoiledBy).ShouldBe((how, node));
        (end.Reason ?? "").ShouldContain(reason);
        (await ClusterFixture.LeftAsync()).ShouldBe("");
    }

    [Fact]
    public async Task a_cancelled_launch_leaves_nothing()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster);
        using var cancel = new CancellationTokenSource(TimeSpan.FromSeconds(6));
        await Should.ThrowAsync<OperationCanceledException>(() => launches.RunAsync(
            ClusterLaunches.Server, "sleep 30", launch => launch with { Timeout = TimeSpan.FromMinutes(1) }, cancel.Token));
        (await ClusterFixture.LeftAsync()).ShouldBe("");
    }

    [Fact]
    public async Task what_a_dead_session_left_is_removed_and_nothing_else()
    {
        await using var launches = await ClusterLaunches.OnAsync(cluster);
        JsonObject Job(string name, string? managed, string owner) => new()
        {
            ["apiVersion"] = "batch/v1",
            ["kind"] = "Job",
            ["metadata"] = new JsonObject
            {
                ["name"] = name,
                ["namespace"] = "perf-lab",
                ["labels"] = new JsonObject { ["app.kubernetes.io/managed-by"] = managed, ["perf-lab/instance"] = name },
                ["annotations"] = new JsonObject { ["perf-lab/owner"] = owner },
            },
            ["spec"] = new JsonObject
            {
                ["suspend"] = true,
                ["template"] = new JsonObject
                {
                    ["spec"] = new JsonObject { ["restartPolicy"] = "Never", ["containers"] = new JsonArray(new JsonObject { ["name"] = "x", ["image"] = "x" }) },
                },
            },
        };
        var machine = File.Exists("/etc/machine-id") ? File.ReadAllText("/etc/machine-id").Trim() : Environment.MachineName;
        var file = Path.GetTempFileName();
        foreach (var job in new[]
        {
            Job("dead", "perf-lab", $"{machine}/another-boot/pid:[1]/1/1"), Job("elsewhere", "perf-lab", "another-machine/boot/pid:[1]/1/1"), Job("foreign", "somebody", "x"),
        })
        {
            await File.WriteAllTextAsync(file, job.ToJsonString(), TestContext.Current.CancellationToken);
            await ClusterFixture.KubectlAsync("create", "-f", file);
        }

        await launches.Launcher.PrepareAsync([], CancellationToken.None);

        var names = await ClusterFixture.KubectlAsync("get", "jobs", "--namespace", "perf-lab", "--output", "name");
        await ClusterFixture.KubectlAsync("delete", "jobs", "--all", "--namespace", "perf-lab");
        File.Delete(file);
        names.ShouldSatisfyAllConditions(
            text => text.ShouldNotContain("dead"), text => text.ShouldContain("elsewhere"), text => text.ShouldContain("foreign"));
    }
}
