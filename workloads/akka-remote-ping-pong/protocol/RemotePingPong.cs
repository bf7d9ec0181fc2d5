using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.AkkaRemote;

/// <summary>The whole workload, wherever the other side is.</summary>
internal static class RemotePingPong
{
    /// <summary>Measures; <paramref name="beginEchoSide"/> is called when the parameters are known to be right.</summary>
    public static void Run(Launch launch, Func<IEchoSide> beginEchoSide)
    {
        launch.OfferModes("steady", "faithful");
        var settings = Settings.From(launch.Parameters);
        using var echoSide = beginEchoSide();
        launch.Prove("echoSide", echoSide.Description);
        var output = Console.Out;
        Console.SetOut(Console.Error); // Akka.NET logs to the console, as when a partner goes away; standard output is for results.
        try
        {
            Measure(launch, settings, echoSide);
        }
        finally
        {
            Console.SetOut(output);
        }
    }

    private static void Measure(Launch launch, Settings settings, IEchoSide echoSide)
    {
        if (launch.Mode == "faithful")
        {
            Faithful.Measure(launch, settings, echoSide);
        }
        else
        {
            Steady.Measure(launch, settings, echoSide);
        }
    }
}
