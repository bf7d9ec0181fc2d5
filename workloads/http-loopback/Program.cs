using PerfLab.Workloads.HttpLoopback;
using PerfLab.WorkloadKit;

return WorkloadProgram.Run(args, launch =>
{
    launch.OfferModes("steady", "paced");
    var endpoint = Endpoint.Of(launch.Parameters.Choice("endpoint", "plaintext", "json"));
    var connections = launch.Parameters.Integer("connections", standard: 8, minimum: 1, maximum: 256);
    var rate = launch.Parameters.Integer("rate", standard: 2000, minimum: 1, maximum: 200_000);
    launch.Parameters.Check();

    using var server = Server.Start();
    using var client = new Client(server.Address, endpoint, connections);
    client.AskAsync().GetAwaiter().GetResult();

    var workers = Enumerable.Range(0, connections).Select(_ => new Worker()).ToArray();
    using var load = new Load(client, workers);
    var paced = launch.Mode == "paced";
    var asking = paced ? load.PacedAsync(rate) : load.ClosedLoopAsync();
    var windows = launch.Watch(() => workers.Sum(worker => worker.Done), warmedUp: () => Array.ForEach(workers, worker => worker.WarmedUp()));
    load.Stop();
    asking.GetAwaiter().GetResult();

    var latency = new LatencyHistogram();
    Array.ForEach(workers, worker => latency.Add(worker.Latency));
    var prefix = paced ? "paced-" : "";
    launch.Report(prefix + "throughput", windows.PerSecond, "req/s");
    launch.Report(prefix + "latency-p50", latency.Quantile(0.50), "s");
    launch.Report(prefix + "latency-p99", latency.Quantile(0.99), "s");
    if (!paced)
    {
        launch.Report("allocated", windows.AllocatedBytesPerUnit, "B/req");
    }

    launch.ReportWindows(prefix + "throughput", windows.Rates);
    launch.ReportHistogram(prefix + "latency", latency);
});
