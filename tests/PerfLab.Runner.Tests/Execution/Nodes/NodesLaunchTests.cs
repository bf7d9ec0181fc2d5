using System.Text.Json.Nodes;
using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution.Nodes;

/// <summary>What becomes of a launch when its nodes end in this order or that, without processes.</summary>
public sealed class NodesLaunchTests
{
    private static readonly LaunchEnd Good = new() { How = EndKind.Exited, ExitCode = 0, WallSeconds = 1, ResultFile = "/nowhere" };

    [Fact]
    public async Task a_server_that_does_not_end_after_its_clients_fails_the_launch()
    {
        var server = new FakeNode("sut-0", "sut", endsBy: null);
        var launch = new NodesLaunch([server.Start, new FakeNode("client-0", "client", Good).Start]) { Patience = TimeSpan.FromMilliseconds(50) };

        var end = await launch.RunAsync(TestContext.Current.CancellationToken);

        (end.How, end.SpoiledBy).ShouldBe((EndKind.NodeFailed, "sut-0"));
        end.Reason.ShouldNotBeNull().ShouldContain("still running");
        server.IsGone.ShouldBeTrue();
    }

    [Fact]
    public async Task all_clients_must_end_not_only_the_first()
    {
        var second = new TaskCompletionSource<LaunchEnd>();
        var running = new NodesLaunch([new FakeNode("sut-0", "sut", Good).Start, new FakeNode("client-0", "client", Good).Start,
            new NodeStart("client-1", "client", "/c1", _ => second.Task, () => true)]).RunAsync(TestContext.Current.CancellationToken);

        running.IsCompleted.ShouldBeFalse();
        second.SetResult(Good with { ExitCode = 7, Reason = "late" });

        var end = await running;
        (end.SpoiledBy, end.ExitCode, end.Reason).ShouldBe(("client-1", 7, "late"));
    }

    [Fact]
    public async Task what_was_seen_from_outside_is_added_up()
    {
        static LaunchEnd Seen(string cpus, double seconds, long bytes) =>
            Good with { Evidence = new JsonObject { ["cpus"] = cpus, ["cpuSeconds"] = seconds, ["peakMemoryBytes"] = bytes, ["sandbox"] = "bubblewrap" } };

        var end = await new NodesLaunch([new FakeNode("sut-0", "sut", Seen("2-3", 1.5, 100)).Start, new FakeNode("client-0", "client", Seen("1", 0.5, 50)).Start])
            .RunAsync(TestContext.Current.CancellationToken);

        end.Evidence["cpus"]!.ToString().ShouldBe("1-3");
        end.Evidence["cpuSeconds"]!.GetValue<double>().ShouldBe(2);
        end.Evidence["peakMemoryBytes"]!.GetValue<double>().ShouldBe(150);
        end.Evidence["sandbox"]!.ToString().ShouldBe("bubblewrap");
    }

    [Theory]
    [InlineData(0, 1, "0,1", "0")]
    [InlineData(1, 1, "0,1", "1")]
    [InlineData(2, 1, "0,1", "0")]
    [InlineData(1, 2, "4,5,6,7", "6,7")]
    [InlineData(1, 2, "4,5,6", "4,6")]
    [InlineData(1, 4, "0,1", "0,1")]
    public void nodes_get_cores_of_their_own_where_there_are_enough(int node, int each, string cpus, string given) =>
        string.Join(',', NodePrograms.CpusOf(node, each, [.. cpus.Split(',').Select(int.Parse)])).ShouldBe(given);

    /// <summary>A node that is ready at once and ends as it is told, or never by itself.</summary>
    private sealed class FakeNode(string name, string role, LaunchEnd? endsBy)
    {
        public bool IsGone { get; private set; }

        public NodeStart Start => new(name, role, "/" + name, async stop =>
        {
            if (endsBy is not null)
            {
                return endsBy with { ResultFile = "/" + name };
            }

            try
            {
                await Task.Delay(Timeout.Infinite, stop);
            }
            finally
            {
                IsGone = true;
            }

            return Good;
        }, () => true);
    }
}
