using PerfLab.Core.Model;
using PerfLab.Launching;
using PerfLab.Runner.Tests.Execution.Processes;

namespace PerfLab.Runner.Tests.Execution.Nodes;

/// <summary>Launches of several nodes with the process executor: real processes in a real network of their own.</summary>
public sealed class NodeLaunchTests : IAsyncDisposable
{
    private readonly ScriptedNodes nodes = new();

    public ValueTask DisposeAsync() => nodes.DisposeAsync();

    [Fact]
    public async Task nodes_share_a_network_that_nobody_else_has_so_that_no_port_can_be_taken()
    {
        const string Look = "readlink /proc/self/ns/net > $PERF_LAB_NODE.net; cat /proc/net/dev | grep -c : > $PERF_LAB_NODE.links";
        // Both at once: the kernel gives the number of a network that is gone to the next one.
        await using var others = new ScriptedNodes();
        var other = others.Run($"{Look}; {ScriptedNodes.GoodServer}", "while [ ! -f go ]; do sleep 0.01; done; touch done");
        await CommandRounds.UntilAsync(() => File.Exists(Path.Combine(others.Folder, "sut-0.links")));
        var end = await nodes.Run($"{Look}; {ScriptedNodes.GoodServer}", $"{Look}; {ScriptedNodes.GoodClient}");
        await File.WriteAllTextAsync(Path.Combine(others.Folder, "go"), "", TestContext.Current.CancellationToken);
        (await other).ExitCode.ShouldBe(0);

        (end.How, end.ExitCode, end.SpoiledBy).ShouldBe((EndKind.Exited, 0, null));
        Read("client-0.net").ShouldBe(Read("sut-0.net"));
        string[] all = [File.ReadAllText(Path.Combine(others.Folder, "sut-0.net")).Trim(), Read("sut-0.net"), new FileInfo("/proc/self/ns/net").LinkTarget!];
        all.ShouldBeUnique();
        Read("client-0.links").ShouldBe("1", "nothing but the loopback");
    }

    [Fact]
    public async Task a_node_is_told_who_it_is_and_where_the_others_are()
    {
        await nodes.Run($"echo $PERF_LAB_NODE $PERF_LAB_NODES > sut; {ScriptedNodes.GoodServer}",
            $"echo $PERF_LAB_NODE $PERF_LAB_NODES > client; {ScriptedNodes.GoodClient}");

        Read("sut").ShouldBe("sut-0 sut-0=127.0.0.1:21000 client-0=127.0.0.1:21020");
        Read("client").ShouldBe("client-0 sut-0=127.0.0.1:21000 client-0=127.0.0.1:21020");
    }

    [Fact]
    public async Task the_next_role_starts_when_the_one_before_is_ready_and_not_earlier()
    {
        await nodes.Run($"sleep 0.2; echo sut >> order; {ScriptedNodes.GoodServer}", $"echo client >> order; {ScriptedNodes.GoodClient}");

        Read("order").ShouldBe("sut\nclient");
    }

    [Fact]
    public async Task a_node_that_is_never_ready_fails_the_launch_by_its_name()
    {
        var end = await nodes.Run("echo starting; sleep 20", "touch client-ran", launch => launch with { Timeout = TimeSpan.FromSeconds(0.3) });

        var judged = ScriptedNodes.Judge(end);
        judged.Outcome.ShouldBe(Outcome.Failed);
        judged.Reason.ShouldNotBeNull().ShouldStartWith("sut-0: it was not ready within");
        end.Tail.ShouldBe("starting\n");
        File.Exists(Path.Combine(nodes.Folder, "client-ran")).ShouldBeFalse();
    }

    [Fact]
    public async Task a_node_that_ends_before_it_is_ready_fails_the_launch()
    {
        var judged = ScriptedNodes.Judge(await nodes.Run("exit 0", "touch client-ran"));

        (judged.Outcome, judged.Reason).ShouldBe((Outcome.Failed, "sut-0: it ended before it was ready"));
    }

    [Theory]
    [InlineData("echo oh; exit 3", Outcome.Failed, "sut-0: exit code 3")]
    [InlineData("kill -9 $$", Outcome.KilledFromOutside, "sut-0: *SIGKILL*")]
    public async Task a_node_that_dies_takes_the_launch_and_the_others_with_it(string death, Outcome outcome, string reason)
    {
        var end = await nodes.Run(": > \"$PERF_LAB_READY\"; while [ ! -f pids ]; do sleep 0.01; done; " + death, "echo $$ > pids; sleep 30");

        var judged = ScriptedNodes.Judge(end);
        judged.Outcome.ShouldBe(outcome);
        judged.Reason.ShouldNotBeNull().ShouldMatch("^" + reason.Replace("*", ".*"));
        end.WallSeconds.ShouldBeLessThan(20);
        nodes.Pids("pids").ShouldAllBe(pid => !ScriptFixture.IsRunning(pid));
    }

    [Fact]
    public async Task a_client_that_fails_takes_the_server_with_it()
    {
        var end = await nodes.Run("echo $$ > pids; " + ScriptedNodes.GoodServer, "echo wrong answer; exit 1");

        (end.How, end.ExitCode, end.SpoiledBy, end.Tail).ShouldBe((EndKind.Exited, 1, "client-0", "wrong answer\n"));
        nodes.Pids("pids").ShouldAllBe(pid => !ScriptFixture.IsRunning(pid));
    }

    [Fact]
    public async Task a_cancelled_launch_leaves_no_node()
    {
        using var cancel = new CancellationTokenSource();
        var running = nodes.Run("echo $$ >> pids; " + ScriptedNodes.GoodServer, "echo $$ >> pids; sleep 30", cancellationToken: cancel.Token);
        while (!File.Exists(Path.Combine(nodes.Folder, "pids")) || nodes.Pids("pids").Count < 2)
        {
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }

        await cancel.CancelAsync();

        await Should.ThrowAsync<OperationCanceledException>(() => running);
        nodes.Pids("pids").ShouldAllBe(pid => !ScriptFixture.IsRunning(pid));
    }

    [Fact]
    public async Task the_result_is_the_first_clients_and_the_evidence_of_every_node_is_beside_it()
    {
        var end = await nodes.Run($"{ScriptedNodes.GoodServer}; {ScriptedNodes.Result("{}")}",
            $$"""{{ScriptedNodes.Result("""{"throughput":{"value":5,"unit":"msg/s"}}""")}}; {{ScriptedNodes.GoodClient}}""");

        var judged = ScriptedNodes.Judge(end);
        judged.Reason.ShouldBeNull();
        judged.Metrics["throughput"].ShouldBe(5);
        ((string?)judged.Evidence["nodes"]!["sut-0"]!["framework"]).ShouldBe("sh");
        judged.Evidence["outside"]!["nodes"]!.AsObject().Select(node => node.Key).ShouldBe(["sut-0", "client-0"]);
        judged.Evidence["outside"]!["cpuSeconds"]!.GetValue<double>().ShouldBeGreaterThan(0);
    }

    [Theory]
    [InlineData("{}", "ffff", "sut-0: nonce is the text \"ffff\"")]
    [InlineData("""{"throughput":{"value":5,"unit":"msg/s"}}""", ScriptedNodes.Nonce, "sut-0: metrics has 'throughput', which the manifest does not declare")]
    public async Task a_node_that_says_something_else_than_agreed_is_refused(string metrics, string nonce, string reason)
    {
        var end = await nodes.Run($"{ScriptedNodes.GoodServer}; {ScriptedNodes.Result(metrics, nonce)}",
            $$"""{{ScriptedNodes.Result("""{"throughput":{"value":5,"unit":"msg/s"}}""")}}; {{ScriptedNodes.GoodClient}}""");

        var judged = ScriptedNodes.Judge(end);
        judged.Outcome.ShouldBe(Outcome.Refused);
        judged.Reason.ShouldNotBeNull().ShouldStartWith(reason);
        judged.Metrics.ShouldBeEmpty();
    }

    [Fact]
    public async Task a_node_without_a_result_is_refused()
    {
        var end = await nodes.Run(ScriptedNodes.GoodServer,
            $$"""{{ScriptedNodes.Result("""{"throughput":{"value":5,"unit":"msg/s"}}""")}}; {{ScriptedNodes.GoodClient}}""");

        ScriptedNodes.Judge(end).Reason.ShouldNotBeNull().ShouldStartWith("sut-0: no result");
    }

    private string Read(string file) => File.ReadAllText(Path.Combine(nodes.Folder, file)).Trim();
}
