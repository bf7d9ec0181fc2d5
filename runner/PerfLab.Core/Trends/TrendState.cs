using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Trends;

/// <summary>What is known of a change.</summary>
public enum ChangeStatus
{
    /// <summary>Seen once, and not clear enough for an experiment.</summary>
    Watched,

    /// <summary>To be confirmed: the commits before and after it are to be measured against each other.</summary>
    Due,

    /// <summary>The experiment found it, too.</summary>
    Confirmed,

    /// <summary>The experiment did not find it, and nothing says why it was seen.</summary>
    NotConfirmed,

    /// <summary>The machine changed, not the program.</summary>
    Environment,

    /// <summary>Confirmed, and later confirmed changes brought every one of its series back.</summary>
    Recovered,
}

/// <summary>A session of a series, and what it measured.</summary>
/// <param name="Started">UTC.</param>
/// <param name="Commit">Null when the session does not say.</param>
public sealed record TrendPlace(string Session, DateTimeOffset Started, string? Commit);

/// <summary>A series in which a change is seen. Names come from journals: hostile text until rendered.</summary>
public sealed record TrendMember
{
    public required string Workload { get; init; }

    /// <summary>Every dimension and parameter.</summary>
    public required IReadOnlyDictionary<string, string> Values { get; init; }
    public required string Metric { get; init; }
    public required string Unit { get; init; }

    /// <summary>Level after against level before, a fraction: + is worse.</summary>
    [AtLeast(-1)]
    public required double Change { get; init; }

    /// <summary>Chance of a step this clear when nothing changed.</summary>
    [Range(0, 1)]
    public required double PValue { get; init; }

    /// <summary>The series (<see cref="SeriesName.Hash"/>).</summary>
    [RegularExpression("^[0-9a-f]{64}$", ErrorMessage = "64 digits of 0-9 and a-f")]
    public required string Series { get; init; }
}

/// <summary>The commits before and after a change, measured against each other in one session.</summary>
/// <param name="Session">Its id.</param>
/// <param name="Change">Fraction, + is worse; 0 where nothing differs.</param>
/// <param name="Low">Lower end of its interval.</param>
/// <param name="High">Upper end of it.</param>
/// <param name="PValue">Exact signed-rank p.</param>
/// <param name="Rounds">Counted rounds.</param>
/// <param name="Verdict">Of its row.</param>
public sealed record Experiment(
    string Session, [AtLeast(-1)] double Change, [AtLeast(-1)] double? Low, [AtLeast(-1)] double? High, [Range(0, 1)] double? PValue,
        [AtLeast(0)] int Rounds, Verdict? Verdict)
{
    /// <summary>Nothing that the series runs differs between the commits, so it was not measured: no change of the program is here.</summary>
    [JsonIgnore]
    public bool NothingDiffers => Verdict is Statistics.Stages.Verdict.IdenticalBuild or Statistics.Stages.Verdict.Untouched;

    /// <summary>The series that it measured (<see cref="SeriesName.Hash"/>), of those that changed; absent in a state of before.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [RegularExpression("^[0-9a-f]{64}$", ErrorMessage = "64 digits of 0-9 and a-f")]
    public string? Series { get; init; }
}

/// <summary>One change of level, in one series or in several that changed between the same sessions.</summary>
public sealed record TrendChange
{
    /// <summary>The same in every look.</summary>
    [RegularExpression("^[0-9a-f]{12}$", ErrorMessage = "12 digits of 0-9 and a-f")]
    public required string Id { get; init; }
    public required ChangeStatus Status { get; init; }

    /// <summary>Fingerprint of the machine.</summary>
    public required string Machine { get; init; }
    public required string Cpu { get; init; }
    public required string Executor { get; init; }

    /// <summary>A session before the change: one further back than the last, because the place may be off by one.</summary>
    public required TrendPlace Before { get; init; }

    /// <summary>A session after it: the second.</summary>
    public required TrendPlace After { get; init; }

    /// <summary>The newest session when it was first seen.</summary>
    public required string Found { get; init; }

    /// <summary>Looks, each with a newer session, in which it was seen.</summary>
    [AtLeast(1)]
    public required int Looks { get; init; }

    /// <summary>The clearest first.</summary>
    [MinLength(1)]
    public required IReadOnlyList<TrendMember> Members { get; init; }

    /// <summary>The command that confirms it; null when the commits can't be named on a command line, and when it is not to be
    /// confirmed.</summary>
    public string? Confirm { get; init; }

    /// <summary>What the experiment said; null before.</summary>
    public Experiment? Experiment { get; init; }

    /// <summary>Why people keep it; null unless they do. A person's words: hostile text until rendered.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Accepted { get; init; }

    /// <summary>Id of the change that brought the last of its series back.</summary>
    public string? RecoveredBy { get; init; }
}

/// <summary>A step of the machine itself: anchors, which never change, changed together.</summary>
/// <param name="Machine">Fingerprint.</param>
/// <param name="Before">The last session before it.</param>
/// <param name="After">The first session after it.</param>
/// <param name="Share">Of the machine's series whose anchor changed there.</param>
/// <param name="Change">Median over those, a fraction: + is slower.</param>
public sealed record HostStep(string Machine, string Cpu, TrendPlace Before, TrendPlace After, [Range(0, 1)] double Share,
    [AtLeast(-1)] double Change);

/// <summary>A series without a value in the newest sessions of its machine.</summary>
/// <param name="Last">Its newest point.</param>
/// <param name="Missed">Sessions of the machine since.</param>
public sealed record StoppedSeries(
    string Workload, IReadOnlyDictionary<string, string> Values, string Metric, string Machine, string Cpu, TrendPlace Last,
        [AtLeast(1)] int Missed);

/// <summary>trend.json: all that a look at the trend found, and all that the next look needs to know.</summary>
public sealed record TrendState
{
    public static FileFormat<TrendState> File { get; } = new("perf-lab/trend/1", "trend.json: what changed over the sessions of a lab");

    /// <summary>Series that were looked at.</summary>
    [AtLeast(0)]
    public required int Series { get; init; }

    /// <summary>Sessions that they come from.</summary>
    [AtLeast(0)]
    public required int Sessions { get; init; }

    /// <summary>The newest of them; null when there are none.</summary>
    public TrendPlace? Newest { get; init; }

    /// <summary>In the order of their places.</summary>
    public required IReadOnlyList<TrendChange> Changes { get; init; }

    /// <summary>Drawn, never filed.</summary>
    public required IReadOnlyList<HostStep> Environment { get; init; }
    public required IReadOnlyList<StoppedSeries> Stopped { get; init; }
    public required IReadOnlyList<string> Warnings { get; init; }

    /// <summary>The anchor to come; null while none is measured beside the anchor.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public NextAnchor? NextAnchor { get; init; }
}
