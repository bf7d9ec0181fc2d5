using System.Net;
using System.Net.Sockets;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>What a client does: the difference between the two workloads.</summary>
internal interface IActorTest
{
    /// <summary>One client's share of the load, measured.</summary>
    /// <param name="warmedUp">To be called when what follows counts.</param>
    LoadFigures Run(Launch launch, IActorClient actors, Share share, Action warmedUp);

    /// <summary>Checks what all clients saw together, and reports every metric.</summary>
    void Report(Launch launch, ActorRun run);
}

/// <summary>Which part of the load is this client's.</summary>
/// <param name="Number">From 0.</param>
/// <param name="Of">Number of clients.</param>
internal sealed record Share(string Node, int Number, int Of)
{
    /// <summary>This client's part of a whole that all share.</summary>
    public int Part(int whole) => ((whole * (Number + 1)) / Of) - ((whole * Number) / Of);
}

/// <summary>All of a launch, at the first client.</summary>
/// <param name="Load">Of all clients, merged.</param>
/// <param name="Before">The side under test at the end of the warm-up.</param>
/// <param name="After">When the load had ended; after a garbage collection.</param>
internal sealed record ActorRun(LoadFigures Load, IReadOnlyList<NodeFigures> Before, IReadOnlyList<NodeFigures> After)
{
    public long Activated => After.Sum(node => node.Activated);

    /// <summary>Processor time that the side under test used while it was measured, in seconds; in one process, the clients' too.</summary>
    public required double SutSeconds { get; init; }

    /// <summary>The metrics that every test of virtual actors has.</summary>
    /// <param name="launch">Gets them.</param>
    /// <param name="isOpenLoop">The open loop has metrics of its own: its latency is another quantity.</param>
    /// <param name="unit">What was counted: "msg" or "actor".</param>
    public void Report(Launch launch, bool isOpenLoop, string unit)
    {
        var prefix = isOpenLoop ? "open-" : "";
        launch.Report(prefix + "throughput", Load.PerSecond, $"{unit}/s");
        launch.Report(prefix + "latency-p50", Load.Latency.Quantile(0.50), "s");
        launch.Report(prefix + "latency-p95", Load.Latency.Quantile(0.95), "s");
        launch.Report(prefix + "latency-p99", Load.Latency.Quantile(0.99), "s");
        launch.Report(prefix + "cpu", SutSeconds / Load.Count, $"s/{unit}");
        launch.Report(prefix + "client-share", Load.ClientShare, "share");
        launch.ReportHistogram(prefix + "latency", Load.Latency);
    }
}

/// <summary>One program, three tasks: it holds actors, sends to them, or both.</summary>
internal static class ActorProgram
{
    public static void Run(Launch launch, IActorTest test)
    {
        switch (launch.Nodes.Self)
        {
            case null:
                RunAlone(launch, test);
                break;
            case { Role: Cluster.Sut } self:
                Host(launch, self);
                break;
            case { Name: Cluster.Client + "-0" } self:
                using (var actors = Framework.Client(PlaceOf(launch, self)))
                {
                    Lead(launch, test, actors, new Cluster(launch, here: null), self.Name);
                }

                break;
            case var self:
                Follow(launch, test, self);
                break;
        }
    }

    private static Place PlaceOf(Launch launch, LaunchNode self) => new(launch.Nodes.Of(Cluster.Sut), self, launch.Nodes.Cluster);

    private static void RunAlone(Launch launch, IActorTest test)
    {
        var self = LaunchNode.Here("sut-0", FreePorts());
        var place = new Place([self], self, launch.Nodes.Cluster);
        using var host = Framework.Host(place);
        using var actors = Framework.Client(place);
        Lead(launch, test, actors, new Cluster(launch, host), Cluster.Client + "-0");
    }

    private static void Host(Launch launch, LaunchNode self)
    {
        using var host = Framework.Host(PlaceOf(launch, self));
        using var control = Control.Listen(self, launch.Nonce, word => word switch
        {
            Cluster.Figures => NodeFigures.Here(host.Sidecars, collect: false).ToLine(),
            _ => NodeFigures.Here(host.Sidecars, collect: true).ToLine(),
        });
        launch.Nodes.Ready();
        launch.Serve(control.WaitForEnd);
    }

    private static void Lead(Launch launch, IActorTest test, IActorClient actors, Cluster cluster, string name)
    {
        cluster.Await();
        var others = cluster.StartOthers();
        IReadOnlyList<NodeFigures> before = [];
        var load = test.Run(launch, actors, new Share(name, 0, cluster.Clients), () => before = cluster.Now(collected: true));
        var ended = cluster.Now();
        var all = others.GetAwaiter().GetResult().Append(load).Aggregate((one, other) => one.With(other));
        var run = new ActorRun(all, before, cluster.Now(collected: true))
        {
            SutSeconds = ended.Sum(node => node.ProcessorSeconds) - before.Sum(node => node.ProcessorSeconds),
        };
        launch.Prove("placement", cluster.Split(run.After));
        test.Report(launch, run);
        cluster.End();
    }

    private static void Follow(Launch launch, IActorTest test, LaunchNode self)
    {
        using var start = new ManualResetEventSlim();
        var done = new TaskCompletionSource<LoadFigures>();
        var clients = launch.Nodes.Of(Cluster.Client);
        using var actors = Framework.Client(PlaceOf(launch, self));
        using var control = Control.Listen(self, launch.Nonce, _ =>
        {
            start.Set();
            return done.Task.GetAwaiter().GetResult().ToLine();
        });
        start.Wait();
        // Measured on this thread: the kit's clock, not one of the pool.
        done.SetResult(test.Run(launch, actors, new Share(self.Name, clients.ToList().FindIndex(node => node.Name == self.Name), clients.Count), () => { }));
        control.WaitForEnd();
    }

    // Ports that nobody listens on now, in a row. Without a network of its own another program may take one meanwhile; below the range that
    // the kernel gives to outgoing connections that is another listener, and rare.
    private static int FreePorts()
    {
        const int First = 20_000, Rows = 600;
        var start = Environment.ProcessId % Rows; // not where another launch begins to look
        return Enumerable.Range(0, Rows).Select(row => First + ((start + row) % Rows * LaunchNode.Ports))
            .First(port => Enumerable.Range(port, LaunchNode.Ports).All(IsFree));
    }

    private static bool IsFree(int port)
    {
        try
        {
            using var listener = new TcpListener(IPAddress.Loopback, port);
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
