using PerfLab.WorkloadKit;
using PerfLab.Workloads.Actors;
using PerfLab.Workloads.ActorSweep;

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
        Steady.Measure(launch, Framework.Start(settings.Pairs(settings.Actors / 2), share: long.MaxValue));
    }
});
