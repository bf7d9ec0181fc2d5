using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.AkkaRemote;

/// <summary>The better measurement: one number of clients in a process, warm, for a fixed time, every message accounted for.</summary>
internal static class Steady
{
    public static void Measure(Launch launch, Settings settings, IEchoSide echoSide)
    {
        var clients = ClientSide.Start(settings, echoSide.Start(), limit: long.MaxValue);
        clients.Prime();
        var before = 0L;
        var windows = launch.Watch(() => 2 * clients.Sent, warmedUp: () => before = echoSide.AllocatedElsewhere());
        var allocated = windows.Runtime.AllocatedBytes + echoSide.AllocatedElsewhere() - before;
        Settle(clients.Exchanges);
        launch.Prove("remoteDispatcher", clients.RemoteDispatcher);
        clients.Terminate();
        echoSide.Stop();

        launch.Report("throughput", windows.PerSecond, "msg/s");
        launch.Report("allocated", windows.PerUnit(allocated), "B/msg");
        launch.ReportWindows("throughput", windows.Rates);
    }

    // After the last send everything in flight comes home, unchanged, exactly once.
    private static void Settle(Exchange[] exchanges)
    {
        Array.ForEach(exchanges, exchange => exchange.Stop());
        SpinWait.SpinUntil(() => Array.TrueForAll(exchanges, exchange => exchange.Replies == exchange.Sent), Remoting.Patience);
        foreach (var exchange in exchanges)
        {
            if (exchange.Replies != exchange.Sent || exchange.Wrong != 0 || exchange.Sent == 0)
            {
                throw new WrongAnswerException($"{exchange.Sent} messages were sent, {exchange.Replies} came back, {exchange.Wrong} of them not what was sent.");
            }
        }
    }
}
