using PerfLab.Workloads.ChannelActors;
using PerfLab.WorkloadKit;

return WorkloadProgram.Run(args, launch =>
{
    var pairs = launch.Parameters.Integer("pairs", standard: 2, minimum: 1, maximum: 1024);
    var inFlight = launch.Parameters.Integer("in-flight", standard: 1000, minimum: 1, maximum: 100_000);
    var batch = launch.Parameters.Integer("batch", standard: 30, minimum: 1, maximum: 10_000);
    launch.Parameters.Check();

    var clients = Enumerable.Range(0, pairs).Select(_ => new Client(new Destination(batch), batch)).ToArray();
    foreach (var client in clients)
    {
        client.Start(inFlight);
    }

    // A reply is two handled messages: one at the destination, one at the client (what W2 counts, too).
    var windows = launch.Watch(() => 2 * clients.Sum(client => client.Replies));
    Settlement.Check(clients);

    launch.Report("throughput", windows.PerSecond, "msg/s");
    launch.Report("allocated", windows.AllocatedBytesPerUnit, "B/msg");
    launch.ReportWindows("throughput", windows.Rates);
});
