using System.Globalization;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.Actors;

/// <summary>The better measurement of a ping-pong: one cell a process, warm, for a fixed time, every message accounted for.</summary>
internal static class Steady
{
    public static void Measure(Launch launch, IPairs pairs)
    {
        pairs.Run();
        // A reply is two handled messages: one at the destination, one at the client.
        var before = new long[pairs.Exchanges.Count];
        var windows = launch.Watch(
            () => 2 * pairs.Exchanges.Sum(exchange => exchange.Replies),
            warmedUp: () => before = [.. pairs.Exchanges.Select(exchange => exchange.Replies)]);
        Took(launch, [.. pairs.Exchanges.Select((exchange, pair) => exchange.Replies - before[pair])]);
        Settlement.Check(pairs.Exchanges);
        pairs.Terminate();

        launch.Report("throughput", windows.PerSecond, "msg/s");
        launch.Report("allocated", windows.AllocatedBytesPerUnit, "B/msg");
        launch.ReportWindows("throughput", windows.Rates);
    }

    // A thread pool is not fair: a thread may stay with the pair that it has, and others wait, for seconds on few CPUs. The rate says nothing
    // of it, so the launch does.
    private static void Took(Launch launch, long[] replies)
    {
        launch.Prove("pairsThatMoved", string.Format(CultureInfo.InvariantCulture, "{0} of {1}", replies.Count(count => count > 0), replies.Length));
        launch.Prove("busiestPairShare", (replies.Max() / Math.Max(1.0, replies.Sum())).ToString("F2", CultureInfo.InvariantCulture));
    }
}
