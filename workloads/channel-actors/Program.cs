using PerfLab.WorkloadKit;
using PerfLab.Workloads.Actors;

return WorkloadProgram.Run(args, launch =>
{
    var pairs = launch.Parameters.Integer("pairs", standard: 2, minimum: 1, maximum: 1024);
    var inFlight = launch.Parameters.Integer("in-flight", standard: 1000, minimum: 1, maximum: 100_000);
    var batch = launch.Parameters.Integer("batch", standard: 30, minimum: 1, maximum: 10_000);
    launch.Parameters.Check();

    Steady.Measure(launch, Pairs.Start(new PairSettings(pairs, inFlight, batch), share: long.MaxValue));
});
