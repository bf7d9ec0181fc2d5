using System.Runtime.InteropServices;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Watching;

/// <summary>
/// What took the launch's cores from it. Counts of involuntary switches and times of waiting don't tell: a workload with more threads than
/// cores preempts itself. What tells is how long anything ran on these cores (/proc/schedstat), less the processor time of the launch: other
/// programs, kernel threads, and the interrupts and stolen time that the kernel does not charge to the launch.
/// </summary>
internal static class Preemption
{
    /// <summary>
    /// Share of the time of the launch's cores. As large as the smallest change that the default policy lets count (its margin, 1 %): less
    /// can't make a difference that would be flagged by itself, and a quiet core of the lab stays far below.
    /// </summary>
    public const double Most = 0.01;

    /// <summary>Share of the time of the launch's cores that others took; null when it can't be known here.</summary>
    public static TakenTime? Of(HygieneReading before, HygieneReading after, JsonObject evidence)
    {
        var facts = new FactReader(evidence);
        var (outside, own) = (facts.Number("outside.cpuSeconds"), facts.Number("processorSeconds"));
        var seconds = (after.Clocks.Monotonic - before.Clocks.Monotonic).TotalSeconds;
        if (before.Ran is not { } one || after.Ran is not { } other || seconds <= 0 || facts.Cpus("outside.cpus") is not { Count: > 0 } cpus
            || (outside ?? own) is not (>= 0 and var used)
            || cpus.Any(cpu => !one.ContainsKey(cpu) || other.GetValueOrDefault(cpu, -1) < one[cpu]))
        {
            return null;
        }

        var ran = cpus.Sum(cpu => other[cpu] - one[cpu]) / 1e9;
        return new TakenTime(Math.Max(0, ran - used) / (seconds * cpus.Count), IsProven: outside is not null);
    }
}

/// <summary>What others took of the time of a launch's cores.</summary>
/// <param name="Share">0 to about 1.</param>
/// <param name="IsProven">
/// The launch's processor time was seen from outside. Its own account may leave out child processes, which then look like others: that is
/// worth a warning, and never a round.
/// </param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct TakenTime(double Share, bool IsProven)
{
    /// <summary>A share above the limit in words, else null.</summary>
    public string? Problem => Share > Preemption.Most
        ? Invariant($"others ran on the launch's cores for {Share * 100:0.0} % of their time{(IsProven ? "" : " (by the launch's own account of its processor time)")}")
        : null;
}
