using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.AkkaPingPong;

/// <summary>The better measurement: one kind of client in a process, warm, for a fixed time, every message accounted for.</summary>
internal static class Steady
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    public static void Measure(Launch launch, Settings settings)
    {
        var system = PairSystem.Start(settings, share: long.MaxValue);
        system.Run();
        var windows = launch.Watch(() => 2 * system.Replies);
        Settle(system.Exchanges);
        system.Terminate();

        launch.Report("throughput", windows.PerSecond, "msg/s");
        launch.Report("allocated", windows.AllocatedBytesPerUnit, "B/msg");
        launch.ReportWindows("throughput", windows.Rates);
    }

    // After the last send everything in flight comes home, as the same message, exactly once.
    private static void Settle(Exchange[] exchanges)
    {
        Array.ForEach(exchanges, exchange => exchange.Stop());
        SpinWait.SpinUntil(() => Array.TrueForAll(exchanges, exchange => exchange.Replies == exchange.Sent), Patience);
        foreach (var exchange in exchanges)
        {
            if (exchange.Replies != exchange.Sent || exchange.Wrong != 0 || exchange.Replies == 0)
            {
                throw new WrongAnswerException($"{exchange.Sent} messages were sent, {exchange.Replies} came back, {exchange.Wrong} of them not the one that was sent.");
            }
        }
    }
}
