using PerfLab.Core.Model;
using PerfLab.Machine.Kernel;

namespace PerfLab.Machine.SelfTests;

/// <summary>
/// Which cores of a machine lanes are made of, and which stay with the lab: what it does between launches of one lane would disturb the
/// others.
/// </summary>
/// <param name="Lanes">Ascending.</param>
/// <param name="Lab">Ascending; empty where lanes would take all of them.</param>
public sealed record LaneCores(IReadOnlyList<int> Lanes, IReadOnlyList<int> Lab)
{
    /// <summary>
    /// The cores that the machine's owner keeps for workloads, else all that this thread may use but the first, where there are more than
    /// two.
    /// </summary>
    /// <param name="kept">In the kernel's list form; null where nobody split the machine.</param>
    public static LaneCores Of(string? kept)
    {
        var allowed = OperatingSystem.IsLinux() ? CpuAffinity.OfThisThread() : [];
        IReadOnlyList<int> lanes = kept is not null && CpuList.TryParse(kept, out var own) ? own
            : allowed.Count > 2 ? [.. allowed.Skip(1)] : allowed;
        return new(lanes, [.. allowed.Except(lanes)]);
    }

    /// <summary>Disjoint sets of so many cores, of the last ones; null when there are not enough.</summary>
    public IReadOnlyList<IReadOnlyList<int>>? Split(int lanes, int coresEach) => (long)lanes * coresEach > Lanes.Count ? null
        : [.. Lanes.TakeLast(lanes * coresEach).Chunk(coresEach)];
}
