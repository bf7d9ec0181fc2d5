namespace PerfLab.Core.Profiles;

/// <summary>What a stack is counted by.</summary>
public enum ProfileKind
{
    /// <summary>Seconds in which a thread ran managed code.</summary>
    Processor,

    /// <summary>Bytes, as the runtime samples them: about every hundred kilobytes.</summary>
    Allocation,

    /// <summary>Seconds in which a thread waited for a lock.</summary>
    Contention,

    /// <summary>Exceptions thrown.</summary>
    Exceptions,
}

/// <summary>A stack and what was counted on it.</summary>
/// <param name="Frames">Names of methods, from the outermost to the one that ran.</param>
/// <param name="Weight">In the unit of its kind, for one unit of the workload's work.</param>
public sealed record StackWeight(IReadOnlyList<string> Frames, double Weight);

/// <summary>
/// What one traced launch says of its measured part; everything for one unit of the workload's work, so that launches compare.
/// </summary>
public sealed record LaunchProfile
{
    public required IReadOnlyDictionary<ProfileKind, IReadOnlyList<StackWeight>> Stacks { get; init; }

    /// <summary>Counters by name (<see cref="ProfileFigure"/>).</summary>
    public required IReadOnlyDictionary<ProfileFigure, double> Figures { get; init; }

    public IReadOnlyList<StackWeight> Of(ProfileKind kind) => Stacks.TryGetValue(kind, out var stacks) ? stacks : [];
}

/// <summary>What changed for one unit of work, apart from where.</summary>
public enum ProfileFigure
{
    /// <summary>Seconds of all threads in managed code.</summary>
    ManagedTime,

    /// <summary>Bytes, by the runtime's samples.</summary>
    Allocated,
    Collections,

    /// <summary>Seconds in which the collector held all threads.</summary>
    CollectionPause,
    Contentions,

    /// <summary>Seconds, over all threads.</summary>
    ContentionTime,
    Exceptions,

    /// <summary>Methods compiled while measuring: tier-1 code that came late.</summary>
    CompiledMethods,
}
