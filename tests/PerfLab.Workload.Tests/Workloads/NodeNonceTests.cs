using System.Net;
using System.Net.Sockets;

namespace PerfLab.Workload.Tests.Workloads;

/// <summary>Nodes that meet on one port although they belong to two launches: neither may take the other for its own.</summary>
public class NodeNonceTests(Lab lab)
{
    private const string AnotherLaunch = "another launch's nonce";

    [Fact]
    public async Task a_node_takes_no_word_of_another_launch()
    {
        var (manifest, port) = (Manifest.Of("virtual-actor-messaging"), FreePort());
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0"));
        var serving = ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_NODE", "sut-0"), ("PERF_LAB_NODES", $"sut-0=127.0.0.1:{port}"));
        foreach (var word in new[] { "figures", "stop" })
        {
            (await AskAsync(port, $"ffffffffffffffffffffffffffffffff {word}")).ShouldBe(AnotherLaunch);
        }

        (await AskAsync(port, $"{ShortLaunch.Nonce} figures"))!.Split(' ').Length.ShouldBe(4, "it still serves its own launch");
        await AskAsync(port, $"{ShortLaunch.Nonce} stop");
        (await serving).ExitCode.ShouldBe(0);
    }

    [Fact]
    public async Task a_client_ends_before_it_sends_to_another_launch()
    {
        var (manifest, port) = (Manifest.Of("virtual-actor-messaging"), FreePort());
        using var stop = new CancellationTokenSource();
        var other = AnswerAsync(port, AnotherLaunch, stop.Token);
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0")), manifest.Command,
            ("PERF_LAB_NODE", "client-0"), ("PERF_LAB_NODES", $"sut-0=127.0.0.1:{port} client-0=127.0.0.1:{port + 20}"));
        await stop.CancelAsync();
        await other;
        launch.ExitCode.ShouldNotBe(0);
        launch.Result.ShouldBeNull();
        launch.Errors.ShouldContain($"sut-0 at 127.0.0.1:{port} belongs to another launch: it has another nonce.");
    }

    /// <summary>Its control speaks for the launch, its actors do not exist: somebody else's web server answers for them.</summary>
    [Fact]
    public async Task a_node_that_answers_wrongly_fails_the_launch_with_what_it_said()
    {
        var (manifest, port) = (Manifest.Of("virtual-actor-messaging"), FreePort());
        using var stop = new CancellationTokenSource();
        using var actors = new HttpListener { Prefixes = { $"http://127.0.0.1:{port + 1}/" } };
        actors.Start();
        var answering = Task.Run(async () =>
        {
            while (true)
            {
                var asked = await actors.GetContextAsync();
                asked.Response.Close("what"u8.ToArray(), willBlock: true);
            }
        }, TestContext.Current.CancellationToken);
        var control = AnswerAsync(port, "0 0 0 0", stop.Token);
        var launch = await ShortLaunch.RunAsync(await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0")), manifest.Command,
            ("PERF_LAB_NODE", "client-0"), ("PERF_LAB_NODES", $"sut-0=127.0.0.1:{port} client-0=127.0.0.1:{port + 20}"));
        await stop.CancelAsync();
        await control;
        actors.Abort();
        await Should.ThrowAsync<Exception>(() => answering, "the listener has ended");
        launch.ExitCode.ShouldNotBe(0);
        launch.Result.ShouldBeNull();
        launch.Errors.ShouldContain("answered 'what");
    }

    private static async Task<string?> AskAsync(int port, string line)
    {
        for (var attempt = 0; ; attempt++)
        {
            try
            {
                using var socket = new TcpClient();
                await socket.ConnectAsync(IPAddress.Loopback, port);
                await using var writer = new StreamWriter(socket.GetStream()) { AutoFlush = true };
                using var reader = new StreamReader(socket.GetStream());
                await writer.WriteLineAsync(line);
                return await reader.ReadLineAsync();
            }
            catch (SocketException) when (attempt < 1000)
            {
                await Task.Delay(10);
            }
        }
    }

    private static async Task AnswerAsync(int port, string answer, CancellationToken stop)
    {
        using var listener = new TcpListener(IPAddress.Loopback, port);
        listener.Start();
        try
        {
            while (true)
            {
                using var socket = await listener.AcceptTcpClientAsync(stop);
                await using var writer = new StreamWriter(socket.GetStream()) { AutoFlush = true };
                using var reader = new StreamReader(socket.GetStream());
                if (await reader.ReadLineAsync(stop) is not null) // a first connection only looks whether somebody listens
                {
                    await writer.WriteLineAsync(answer);
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The client has ended.
        }
    }

    // The node takes the ports after it, too: from a range that the kernel gives to nobody.
    private static int FreePort() => Enumerable.Range(0, 500).Select(row => 10_000 + (row * 40)).First(port =>
    {
        try
        {
            using var listener = new TcpListener(IPAddress.Loopback, port);
            using var next = new TcpListener(IPAddress.Loopback, port + 1);
            listener.Start();
            next.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    });
}
