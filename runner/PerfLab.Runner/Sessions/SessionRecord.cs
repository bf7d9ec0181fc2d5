using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Sessions;

/// <summary>The journal and what it says so far: every record is durable before it counts.</summary>
public sealed class SessionRecord
{
    /// <summary>The noise of fewer says nothing; more take time between launches and say the same.</summary>
    private const int LeastRounds = 3, MostRounds = 40;

    private readonly JournalWriter _journal;
    private readonly List<Launch> _launches;
    private readonly List<VoidedRound> _voids;
    private readonly List<BuildDifference> _differences;
    private readonly List<TouchedPair> _touches;
    private readonly List<PairEnd> _ends;
    private readonly Dictionary<string, string> _evidence = new(StringComparer.Ordinal);
    private readonly Dictionary<string, (List<Launch> Launches, List<VoidedRound> Voids)> _byCell;
    private SessionHeader _header;

    private SessionRecord(JournalWriter journal, SampleSet soFar)
    {
        (_journal, _header) = (journal, soFar.Header);
        (_differences, _touches, _ends) = ([.. soFar.Differences], [.. soFar.Touches], [.. soFar.Ends]);
        (_launches, _voids) = ([.. soFar.Launches], [.. soFar.Voids]);
        _byCell = soFar.Header.Cells.ToDictionary(
            cell => cell.Id,
            cell => (_launches.Where(launch => launch.Cell == cell.Id).ToList(), _voids.Where(voided => voided.Cell == cell.Id).ToList()),
            StringComparer.Ordinal);
    }

    /// <summary>A new session: the header is written first.</summary>
    public static SessionRecord Start(JournalWriter journal, SessionHeader header)
    {
        journal.Append(header);
        return new(journal, new() { Header = header, Launches = [], Voids = [], Complete = false });
    }

    /// <summary>An interrupted session goes on: the resumption is written first.</summary>
    public static SessionRecord Resume(JournalWriter journal, SampleSet soFar, string bootId, DateTimeOffset now)
    {
        journal.Append(new SessionResumed(bootId, now));
        return new(journal, soFar);
    }

    public SampleSet SoFar => new()
    {
        Header = _header,
        Launches = _launches,
        Voids = _voids,
        Differences = _differences,
        Touches = _touches,
        Ends = _ends,
        Complete = false,
    };

    /// <summary>Pairs that the change does not touch, as far as somebody looked.</summary>
    public HashSet<(string Cell, string Arm)> Untouched =>
        [.. _touches.Where(touch => touch.Untouched).Select(touch => (touch.Cell, touch.Arm))];

    /// <summary>Whether its arms take turns, as far as it is known.</summary>
    public bool TakesTurns(string cell) => _header.Cells.First(known => known.Id == cell).Turns is not null;

    public RoundProgress Progress(string cell) => new(_byCell[cell].Launches, _byCell[cell].Voids);

    /// <summary>
    /// How noisy the stage's rounds of a cell have been, a fraction; null with fewer than three. It says nothing about which arm is
    /// faster: who
    /// watches learns whether the rounds will do, not what they will say.
    /// </summary>
    public double? NoiseSoFar(string cell, Stage stage)
    {
        var known = _header.Cells.First(one => one.Id == cell);
        var (launches, voids) = _byCell[cell];
        var rounds = new CountedRounds(launches.Where(launch => launch.Stage == stage), voids.Where(voided => voided.Stage == stage));
        return known.Arms.Skip(1).Max(arm => LogRatios.Of([.. rounds.Pairs(known.Reference.Id, arm.Id).TakeLast(MostRounds)],
            known.PrimaryMetric).Differences
            is { Length: >= LeastRounds } differences ? Noise.Of(differences) : null);
    }

    public void Add(Launch launch)
    {
        var reference = EvidenceRef(launch.Evidence);
        _journal.Append(reference is null ? launch : launch with { Evidence = new() { ["ref"] = reference } });
        _launches.Add(launch);
        _byCell[launch.Cell].Launches.Add(launch);
    }

    /// <summary>Once for each difference.</summary>
    public void Add(BuildDifference difference)
    {
        if (!_differences.Exists(known => known.Id == difference.Id))
        {
            _journal.Append(difference);
            _differences.Add(difference);
        }
    }

    public void Add(TouchedPair touch)
    {
        _journal.Append(touch);
        _touches.Add(touch);
    }

    public void Add(PairEnd end)
    {
        _journal.Append(end);
        _ends.Add(end);
    }

    /// <summary>What was measured of the cell does not count any more, and its rounds are to do again.</summary>
    public void Add(WithoutTurns found)
    {
        _journal.Append(found);
        _header = _header.With(found);
        _launches.RemoveAll(found.TakesBack);
        _voids.RemoveAll(voided => voided.Cell == found.Cell);
        _ends.RemoveAll(end => end.Cell == found.Cell);
        var (launches, voids) = _byCell[found.Cell];
        launches.RemoveAll(found.TakesBack);
        voids.Clear();
    }

    public void Add(VoidedRound voided)
    {
        _journal.Append(voided);
        _voids.Add(voided);
        _byCell[voided.Cell].Voids.Add(voided);
    }

    /// <summary>Something worth keeping that no launch refers to (a check of the machine between blocks).</summary>
    public void AddEvidence(JsonObject value) => _journal.Append(new SharedEvidence(NewEvidenceId(), value));

    public void End(string outcome) => _journal.Append(new SessionEnd(outcome));

    /// <summary>Each distinct value is written once and referred to afterwards; small ones are not worth a record.</summary>
    private string? EvidenceRef(JsonObject evidence)
    {
        var text = evidence.ToJsonString();
        if (text.Length < 64)
        {
            return null;
        }

        if (!_evidence.TryGetValue(text, out var id))
        {
            id = NewEvidenceId();
            _journal.Append(new SharedEvidence(id, evidence));
            _evidence.Add(text, id);
        }

        return id;
    }

    // Numbered by the record's own number, so that a resumed session never uses an id twice.
    private string NewEvidenceId() => "e" + _journal.NextSeq.ToString(CultureInfo.InvariantCulture);
}
