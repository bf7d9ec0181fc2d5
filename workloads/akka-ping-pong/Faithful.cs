using System.Diagnostics;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.AkkaPingPong;

/// <summary>
/// The protocol of Akka.NET's own PingPong program: 21 throughputs, ascending, ActorBase before ReceiveActor in each, all in one process that
/// nobody warmed, milliseconds and integer division. The peak is the highest of the 21, as the published figures are.
/// </summary>
internal static class Faithful
{
    private static readonly string[] Clients = ["actor-base", "receive-actor"];
    private static readonly int[] Throughputs = [1, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500, 600, 700, 800, 900];

    public static void Measure(Launch launch, Settings settings)
    {
        // All that the original does beforehand: one system that comes and goes, and one exchange for each kind of client.
        PairSystem.Start(settings, share: 0).Terminate();
        Array.ForEach(Clients, client => Cell(launch, settings.With(client, throughput: 1, repeat: settings.Pairs)));

        var rates = Clients.ToDictionary(client => client, _ => new List<double>(), StringComparer.Ordinal);

        foreach (var throughput in Throughputs)
        {
            foreach (var client in Clients)
            {
                rates[client].Add(Cell(launch, settings.With(client, throughput, settings.Repeat)));
            }
        }

        foreach (var client in Clients)
        {
            launch.Report("peak-" + client, rates[client].Max(), "msg/s");
            launch.ReportWindows("peak-" + client, rates[client]);
        }
    }

    private static double Cell(Launch launch, Settings settings)
    {
        var system = PairSystem.Start(settings, share: settings.Repeat / settings.Pairs);
        var watch = new Stopwatch();
        launch.Once(() =>
        {
            watch.Start();
            system.Run();
            Task.WaitAll(Array.ConvertAll(system.Exchanges, exchange => exchange.Finished));
            watch.Stop();
            return 2 * system.Replies;
        });
        system.Terminate();
        if (Array.Exists(system.Exchanges, exchange => exchange.Wrong != 0))
        {
            throw new WrongAnswerException("a reply was not the message that was sent.");
        }

        // As the original computes it, in steps of 1,000 msg/s; the two cells of one exchange are below a millisecond and have no rate.
        return watch.ElapsedMilliseconds == 0 ? 0 : 2 * settings.Repeat / watch.ElapsedMilliseconds * 1000;
    }
}
