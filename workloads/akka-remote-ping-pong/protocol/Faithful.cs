using System.Diagnostics;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.AkkaRemote;

/// <summary>
/// The protocol of Akka.NET's own RemotePingPong program: 1 to 30 clients, ascending, with new actor systems each time, in one process that
/// nobody warmed, on a clock of milliseconds.
/// </summary>
internal static class Faithful
{
    private static readonly int[] Clients = [1, 5, 10, 15, 20, 25, 30];

    public static void Measure(Launch launch, Settings settings, IEchoSide echoSide)
    {
        var rates = Array.ConvertAll(Clients, clients => Cell(launch, settings.WithClients(clients), echoSide));
        launch.Report("peak", rates.Max(), "msg/s");
        launch.Report("one-client", rates[0], "msg/s");
        launch.ReportWindows("peak", rates);
    }

    private static double Cell(Launch launch, Settings settings, IEchoSide echoSide)
    {
        var clients = ClientSide.Start(settings, echoSide.Start(), settings.Repeat);
        var watch = new Stopwatch();
        launch.Once(() =>
        {
            watch.Start();
            clients.Prime();
            Task.WaitAll(Array.ConvertAll(clients.Exchanges, exchange => exchange.Finished));
            watch.Stop();
            return 2 * clients.Sent;
        });
        launch.Prove("remoteDispatcher", clients.RemoteDispatcher);
        clients.Terminate();
        echoSide.Stop();
        if (Array.Exists(clients.Exchanges, exchange => exchange.Wrong != 0))
        {
            throw new WrongAnswerException("a reply was not what was sent.");
        }

        // As the original computes it. The last replies of each client's window are counted, though they may still be on their way.
        var messages = settings.Clients * settings.Repeat * 2;
        return Math.Ceiling((double)messages / Math.Max(1, watch.ElapsedMilliseconds) * 1000);
    }
}
