using PerfLab.Core.Model;

namespace PerfLab.Core.Evidence;

/// <summary>
/// What a launch says of `cpus=` and `memory=`: how many processors its runtime saw, and how large a heap its GC allows itself. Under a
/// limit that is three quarters of it, and never less than 20 MiB (tried on 10.0 with limits of 6 to 256 MiB).
/// </summary>
internal static class LimitClaims
{
    private const string Cpus = "cpus", Memory = "memory";
    private const long LeastHeap = 20L << 20;

    /// <summary>The GC rounds to pages; the largest are 64 KiB.</summary>
    private const long Rounding = 64 << 10;

    public static IEnumerable<SettingProof> Of(AskedLimits? limits, Observation seen)
    {
        if (limits?.Cpus is { } cpus)
        {
            yield return new(Cpus, Invariant($"{cpus}"), Cores(seen));
        }

        if (limits?.MemoryBytes is { } bytes)
        {
            yield return new(Memory, MemoryText.Of(bytes), Heap(bytes, seen));
        }
    }

    // What it was given says nothing of what the program made of it.
    private static Claim? Cores(Observation seen) =>
        seen.Processors is { } saw ? new(Invariant($"{saw}"), "Environment.ProcessorCount")
        : seen.GivenProcessors is { } given ? new(Invariant($"{given}"), Invariant($"it was given {given}"), ProofStrength.Indirect)
        : null;

    private static Claim? Heap(long bytes, Observation seen)
    {
        if (seen.GcMemoryBytes is not { } heap)
        {
            return null;
        }

        var by = $"its GC counts on {MemoryText.Of(heap)}";
        return Math.Abs(heap - Math.Max(LeastHeap, bytes / 4 * 3)) <= Rounding ? new(MemoryText.Of(bytes), by)
            : heap > Math.Max(LeastHeap, bytes) ? new(MemoryText.Of(heap), by)
            : new(MemoryText.Of(bytes), by, ProofStrength.Indirect); // something else limits it, too
    }
}
