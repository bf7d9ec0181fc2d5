using PerfLab.Core.Planning.Plans;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching;

namespace PerfLab.Engine.Tests.Docker.Launching;

/// <summary>Launches of several containers.</summary>
public sealed class NodesTests(EngineFixture engine)
{
    private const string Look = """(readlink /proc/self/ns/net; ls /sys/class/net; echo $PERF_LAB_NODES; cat /etc/hosts) > "$PERF_LAB_RESULT" """;

    [Fact]
    public async Task nodes_share_one_sealed_network_and_nothing_of_them_is_left()
    {
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync($"{Look}; case $PERF_LAB_NODE in sut-*) touch $PERF_LAB_READY; sleep 5;; esac", Nodes);

        (end.How, end.ExitCode, end.Reason).ShouldBe((EndKind.Exited, 0, null));
        var seen = end.Nodes.Select(node => File.ReadAllText(node.End.ResultFile)).ToList();
        seen.Count.ShouldBe(3);
        seen.Distinct().ShouldHaveSingleItem();
        var lines = seen[0].Split('\n');
        lines[0].ShouldStartWith("net:[");
        lines[0].ShouldNotBe(File.ResolveLinkTarget("/proc/self/ns/net", returnFinalTarget: false)!.Name, StringComparer.Ordinal);
        lines[1..].ShouldBe(["lo", "sut-0=127.0.0.1:21000 sut-1=127.0.0.1:21020 client-0=127.0.0.1:21040", "127.0.0.1 localhost bench", ""]);
        end.Evidence["nodes"]!.AsObject().Count.ShouldBe(3);
        (await launches.LeftAsync(engine)).ShouldBe(0);
    }

    [Fact]
    public async Task a_node_that_dies_takes_the_others_with_it()
    {
        Nightly.Only("40 seconds");
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync("case $PERF_LAB_NODE in sut-0) touch $PERF_LAB_READY; sleep 0.5; echo oh; exit 3;; *) touch $PERF_LAB_READY; sleep 30;; esac", Nodes);

        (end.How, end.ExitCode, end.SpoiledBy, end.Tail).ShouldBe((EndKind.Exited, 3, "sut-0", "oh"));
        end.WallSeconds.ShouldBeLessThan(25);
        (await launches.LeftAsync(engine)).ShouldBe(0);
    }

    private static LaunchSpec Nodes(LaunchSpec launch) => launch with
    {
        Nodes = [new PlannedNode("sut-0", "sut"), new PlannedNode("sut-1", "sut"), new PlannedNode("client-0", "client")],
        Environment = [.. launch.Environment, new("PERF_LAB_NODE", ""), new("PERF_LAB_NODES", "")],
        OutFiles = [new("PERF_LAB_READY", "ready")],
    };
}
