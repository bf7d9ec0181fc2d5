using PerfLab.Workloads.Actors;

namespace PerfLab.Workloads.ActorSweep;

/// <summary>Bare mailboxes, no framework.</summary>
internal static class Framework
{
    public static IPairs Start(PairSettings settings, long share) => Pairs.Start(settings, share);
}
