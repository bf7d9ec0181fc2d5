using PerfLab.Workloads.JsonRoundTrip;
using PerfLab.WorkloadKit;

return WorkloadProgram.Run(args, launch =>
{
    var count = launch.Parameters.Integer("documents", standard: 1000, minimum: 1, maximum: 100_000);
    launch.Parameters.Check();
    var orders = Orders.Generate(count);
    var bytes = RoundTrip.Check(orders);

    var round = new RoundTrip(orders);
    var windows = launch.Repeat(round.Piece);

    launch.Report("throughput", windows.PerSecond, "doc/s");
    launch.Report("allocated", windows.AllocatedBytesPerUnit, "B/doc");
    launch.Report("size", (double)bytes / count, "B/doc");
    launch.ReportWindows("throughput", windows.Rates);
});
