using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>Bytes a message, all threads.</summary>
internal static class Allocation
{
    // The kit takes less than an object of 24 bytes a unit for the measurement's own. Here every third message is a number in a new object, 8
    // bytes a message, so less than half of that is what counts as nothing: the unit is six messages.
    private const int Unit = 6;

    public static double PerMessage(Windows windows) => windows.PerUnit(Unit * windows.Runtime.AllocatedBytes) / Unit;
}
