using PerfLab.WorkloadKit;
using PerfLab.Workloads.Actors;

namespace PerfLab.Workloads.AkkaPingPong;

/// <summary>
/// The protocol of Akka.NET's own PingPong program: 21 throughputs, ascending, ActorBase before ReceiveActor in each, all in one process that
/// nobody warmed, milliseconds and integer division. The peak is the highest of the 21, as the published figures are.
/// </summary>
internal static class Faithful
{
    private static readonly string[] Kinds = ["actor-base", "receive-actor"];
    private static readonly int[] Throughputs = [1, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500, 600, 700, 800, 900];

    public static void Measure(Launch launch, Settings settings)
    {
        // All that the original does beforehand: one system that comes and goes, and one exchange for each kind of client.
        settings.Start(share: 0).Terminate();
        Array.ForEach(Kinds, kind => Cell(launch, settings.With(kind, throughput: 1, repeat: settings.Pairs.Pairs)));

        var rates = Kinds.ToDictionary(kind => kind, _ => new List<double>(), StringComparer.Ordinal);

        foreach (var throughput in Throughputs)
        {
            foreach (var kind in Kinds)
            {
                rates[kind].Add(Cell(launch, settings.With(kind, throughput, settings.Repeat)));
            }
        }

        foreach (var kind in Kinds)
        {
            launch.Report("peak-" + kind, rates[kind].Max(), "msg/s");
            launch.ReportWindows("peak-" + kind, rates[kind]);
        }
    }

    private static double Cell(Launch launch, Settings settings) =>
        FaithfulCell.Rate(launch, settings.Start(settings.Repeat / settings.Pairs.Pairs), settings.Repeat, clockAfterRun: false);
}
