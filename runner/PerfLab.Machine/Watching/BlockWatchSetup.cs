using PerfLab.Machine.Facts;
using PerfLab.Machine.Maintenance;
using PerfLab.Machine.SelfTests;

namespace PerfLab.Machine.Watching;

/// <summary>What a watch over blocks needs.</summary>
public sealed record BlockWatchSetup
{
    public required MachineFiles Files { get; init; }
    public required TimeProvider Time { get; init; }
    public required HygienePolicy Policy { get; init; }

    /// <summary>Runs the self-test.</summary>
    public required Func<SelfTestFigures> SelfTest { get; init; }

    /// <summary>Figures of a self-test that ended just now; null when there was none.</summary>
    public SelfTestFigures? JustNow { get; init; }

    /// <summary>Seconds by kind of work that are usual on this machine; null when it has no history.</summary>
    public IReadOnlyDictionary<string, double>? Usual { get; init; }

    /// <summary>Of how many runs that is.</summary>
    public int EarlierRuns { get; init; }

    /// <summary>Where a <see cref="PauseWatch"/> notes what it saw; null: nobody watches.</summary>
    public TickGaps? Pauses { get; init; }

    /// <summary>Where announced maintenance is noted; null elsewhere than under the policy azure.</summary>
    public SeenEvents? Events { get; init; }
}
