using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>The launches and voids of one cell, sorted into stages and rounds.</summary>
public sealed class CellLaunches
{
    private readonly ILookup<string, Launch> _byArm;
    private readonly Dictionary<Stage, CountedRounds> _rounds;
    private readonly Dictionary<string, TouchedPair> _touches;

    private readonly Dictionary<string, PairEnd> _ends;

    public CellLaunches(
        IReadOnlyList<Launch> launches, IReadOnlyList<VoidedRound> voids,
        IEnumerable<TouchedPair>? touches = null, IEnumerable<PairEnd>? ends = null)
    {
        _ends = (ends ?? []).ToDictionary(end => end.Arm, StringComparer.Ordinal);
        _touches = (touches ?? []).ToDictionary(touch => touch.Arm, StringComparer.Ordinal);
        _byArm = launches.ToLookup(launch => launch.Arm, StringComparer.Ordinal);
        _rounds = Enum.GetValues<Stage>().ToDictionary(
            stage => stage,
            stage => new CountedRounds(launches.Where(launch => launch.Stage == stage), voids.Where(voided => voided.Stage == stage)));
    }

    /// <summary>Sorts a whole session by cell, in one pass.</summary>
    public static IReadOnlyDictionary<string, CellLaunches> ByCell(SampleSet samples)
    {
        var launches = samples.Launches.ToLookup(launch => launch.Cell, StringComparer.Ordinal);
        var voids = samples.Voids.ToLookup(voided => voided.Cell, StringComparer.Ordinal);
        var touches = samples.Touches.ToLookup(touch => touch.Cell, StringComparer.Ordinal);
        var ends = samples.Ends.ToLookup(end => end.Cell, StringComparer.Ordinal);
        return samples.Header.Cells.ToDictionary(cell => cell.Id,
            cell => new CellLaunches([.. launches[cell.Id]], [.. voids[cell.Id]], touches[cell.Id], ends[cell.Id]), StringComparer.Ordinal);
    }

    public CountedRounds Rounds(Stage stage) => _rounds[stage];

    /// <summary>Whether the difference of its build can touch the arm; null where nobody looked.</summary>
    public TouchedPair? TouchOf(string arm) => _touches.GetValueOrDefault(arm);

    /// <summary>Why the arm is not measured on; null in a session without minutes, and while it is.</summary>
    public PairEnd? EndOf(string arm) => _ends.GetValueOrDefault(arm);

    public LaunchCounts Of(string arm) => new(arm, [.. _byArm[arm]]);

    /// <summary>Rounds of a stage in which the arm was launched, whatever became of it.</summary>
    public IReadOnlyCollection<int> RoundsBegun(string arm, Stage stage) =>
        _byArm[arm].Where(launch => launch.Stage == stage).Select(launch => launch.Round).ToHashSet();

    public bool Has(string arm, Stage stage) => _byArm[arm].Any(launch => launch.Stage == stage);
}
