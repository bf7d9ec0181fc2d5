using PerfLab.Core.Model;

namespace PerfLab.Launching;

/// <summary>A round whose arms take turns.</summary>
/// <param name="Arms">In the order in which they are started and warm up; every one has <see cref="LaunchSpec.Turns"/>.</param>
/// <param name="Names">What to call each of them in a sentence.</param>
/// <param name="Order">Sets of slices, one for each arm: whose turn it is when, as places in <paramref name="Arms"/>.</param>
public sealed record TurnsSpec(IReadOnlyList<LaunchSpec> Arms, IReadOnlyList<string> Names, IReadOnlyList<IReadOnlyList<int>> Order)
{
    /// <summary>Beyond the time of all arms together: only if the round itself is stuck does a launch end by its own deadline.</summary>
    private static readonly TimeSpan Spare = TimeSpan.FromMinutes(1);

    /// <summary>How long an arm is alive at most: while the others have their turns, too.</summary>
    internal TimeSpan Whole => TimeSpan.FromTicks(Arms.Sum(arm => arm.Timeout.Ticks)) + Spare;
}

/// <summary>How one arm of a round in turns ended.</summary>
/// <param name="End">As of any launch. One that was ended because of another arm was killed from outside.</param>
/// <param name="Slices">Null when it did not come to its last one.</param>
/// <param name="Broken">What it did against the protocol of turns, for a sentence; null when nothing.</param>
public sealed record TurnsArm(LaunchEnd End, TurnSlices? Slices, string? Broken);

/// <summary>How a round in turns ended.</summary>
/// <param name="Arms">In the order of the spec.</param>
/// <param name="Void">Why none of it counts although no arm is to blame: a side that was frozen ran, or could not be frozen.</param>
public sealed record TurnsEnd(IReadOnlyList<TurnsArm> Arms, string? Void)
{
    /// <summary>Why no round can be in turns here, to follow a colon; null where this one was, or might have been.</summary>
    public string? Impossible { get; private init; }

    /// <summary>None of the arms could be started.</summary>
    /// <param name="resultFiles">Where their results would be.</param>
    /// <param name="problem">To follow a colon.</param>
    /// <param name="instead">What can be done for turns, to follow it; of no interest where others take their place.</param>
    internal static TurnsEnd NotStarted(IEnumerable<string> resultFiles, string problem, string instead = "") =>
        new([.. resultFiles.Select(file => new TurnsArm(LaunchEnd.NotStarted(file, problem + instead), null, null))], null)
        {
            Impossible = problem,
        };
}
