using PerfLab.Workloads.Actors;

namespace PerfLab.Workloads.ActorSweep;

/// <summary>Proto.Actor.</summary>
internal static class Framework
{
    public static IPairs Start(PairSettings settings, long share) => PairSystem.Start(settings, share);
}
