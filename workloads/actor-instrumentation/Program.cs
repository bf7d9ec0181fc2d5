using PerfLab.WorkloadKit;
using PerfLab.Workloads.ActorInstrumentation;

return WorkloadProgram.Run(args, launch =>
{
    launch.OfferModes("steady", "faithful");
    var settings = Settings.From(launch.Parameters);
    if (launch.Mode == "faithful")
    {
        Faithful.Measure(launch, settings);
    }
    else
    {
        Steady.Measure(launch, settings);
    }
});
