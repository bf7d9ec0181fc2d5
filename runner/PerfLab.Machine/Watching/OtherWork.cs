using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Watching;

/// <summary>
/// How much of a launch's cores others used, on any machine: what the kernel says that they were busy, less the launch's own processor time.
/// To a hundredth of a second, and with the lab's own little work in it: enough to say that a launch had half a machine, too coarse to strike a round
/// (<see cref="Preemption"/> does that where cores are kept for workloads).
/// </summary>
internal static class OtherWork
{
    /// <summary>Of /proc/stat, a second; the same on every Linux that .NET runs on (USER_HZ).</summary>
    private const double TicksPerSecond = 100;

    /// <summary>0 to 1; null when it can't be known here.</summary>
    /// <param name="before">/proc/stat before the launch.</param>
    /// <param name="after">The same after it.</param>
    /// <param name="evidence">Of the launch: its cores where it was kept to some, and its processor time.</param>
    public static double? Share(string? before, string? after, JsonObject evidence)
    {
        var facts = new FactReader(evidence);
        var cpus = facts.Cpus("outside.cpus") is { Count: > 0 } known ? known : null;
        if (KernelText.BusyTicks(before, cpus) is not { } from || KernelText.BusyTicks(after, cpus) is not { } to || to.Total <= from.Total
            || (facts.Number("outside.cpuSeconds") ?? facts.Number("processorSeconds")) is not (>= 0 and var own))
        {
            return null;
        }

        return Math.Round(Math.Clamp((to.Busy - from.Busy - (own * TicksPerSecond)) / (to.Total - from.Total), 0, 1), 3);
    }
}
