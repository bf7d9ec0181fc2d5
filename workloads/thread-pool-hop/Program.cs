using PerfLab.WorkloadKit;
using PerfLab.Workloads.ThreadPoolHop;

return WorkloadProgram.Run(args, launch =>
{
    var hops = launch.Parameters.Choice("hop", "yield", "none") == "yield";
    var from = launch.Parameters.Choice("from", "thread", "pool");
    var depth = launch.Parameters.Integer("depth", standard: 6, minimum: 1, maximum: 64);
    launch.Parameters.Check();

    var chain = new Chain(depth, hops);
    ICaller caller = from == "thread" ? new ThreadCaller(chain) : new PoolCaller(chain);
    var before = ThreadPool.CompletedWorkItemCount;
    var windows = caller.Measure(launch);
    Hops.Check(hops, caller.Operations, ran: ThreadPool.CompletedWorkItemCount - before);

    launch.Report("throughput", windows.PerSecond, "op/s");
    launch.Report("allocated", windows.AllocatedBytesPerUnit, "B/op");
    launch.ReportWindows("throughput", windows.Rates);
});
