using PerfLab.Core.Model;

namespace PerfLab.Core.Journal;

/// <summary>What has been read of a journal so far; each record is checked against the ones before it.</summary>
internal sealed class JournalState
{
    private readonly List<Launch> _launches = [];
    private readonly List<VoidedRound> _voids = [];
    private readonly List<BuildDifference> _differences = [];
    private readonly Dictionary<(string Cell, string Arm), TouchedPair> _touches = [];
    private readonly Dictionary<(string Cell, string Arm), PairEnd> _ends = [];
    private readonly Dictionary<string, JsonObject> _evidence = new(StringComparer.Ordinal);
    private readonly Dictionary<string, LaunchChecks> _cells = new(StringComparer.Ordinal);
    private bool _hasEnded;

    public SessionHeader? Header { get; private set; }

    public List<string> Warnings { get; } = [];

    public List<string> BootIds { get; } = [];

    /// <exception cref="BadRecordException">It does not fit to the records before it.</exception>
    public void Add(JournalRecord record)
    {
        if (_hasEnded)
        {
            throw new BadRecordException("a record after the end.");
        }

        switch (record)
        {
            case SessionHeader header:
                Begin(header);
                break;
            case Launch launch:
                AddLaunch(launch);
                break;
            case VoidedRound voided:
                _ = KnownCell(voided.Cell);
                _voids.Add(voided);
                break;
            case SharedEvidence evidence:
                if (!_evidence.TryAdd(evidence.Id, evidence.Value))
                {
                    throw new BadRecordException($"evidence '{UntrustedText.Line(evidence.Id)}' is written twice.");
                }

                break;
            case BuildDifference difference:
                if (_differences.Exists(known => known.Id == difference.Id))
                {
                    throw new BadRecordException($"difference '{UntrustedText.Line(difference.Id)}' is written twice.");
                }

                _differences.Add(difference);
                break;
            case TouchedPair touch:
                AddTouch(touch);
                break;
            case PairEnd end:
                AddEnd(end);
                break;
            case WithoutTurns found:
                TakeBack(found);
                break;
            case SessionResumed resumed:
                BootIds.Add(resumed.BootId);
                Warnings.Add($"Resumed after an interruption at {resumed.Started:yyyy-MM-dd HH:mm:ss} UTC.");
                break;
            case SessionEnd last:
                _hasEnded = true;
                if (last.Outcome != "complete")
                {
                    Warnings.Add($"The session ended as '{last.Outcome}', not complete.");
                }

                break;
            default:
                throw new BadRecordException("a kind that this reader does not know.");
        }
    }

    public SampleSet ToSamples() => new()
    {
        Header = Header!,
        Launches = _launches,
        Voids = _voids,
        Differences = _differences,
        Touches = [.. _touches.Values],
        Ends = [.. _ends.Values],
        MachineChecks = [.. _evidence.Values.Select(value => value["machineCheck"]).OfType<JsonObject>()],
        Complete = _hasEnded,
        Warnings = Warnings,
    };

    private void Begin(SessionHeader header)
    {
        Header = header with { Cells = [.. header.Cells.Select(Sorted)] };
        foreach (var cell in Header.Cells)
        {
            _cells.Add(cell.Id, new(cell));
        }

        if (header.Executor == JournalWords.Imported)
        {
            Warnings.Add("Imported: launches count by their reports' own account. Nothing here proves builds, runtime, "
                + "settings or machine. Base and head did not take turns: what the machine did meanwhile looks like a change.");
        }

        if (header.Machine["bootId"] is JsonValue bootId && bootId.TryGetValue<string>(out var text))
        {
            BootIds.Add(text);
        }
    }

    private static Cell Sorted(Cell cell) => cell with
    {
        Dimensions = Sorted(cell.Dimensions),
        Parameters = Sorted(cell.Parameters),
        Arms = [.. cell.Arms.Select(arm => arm with { Dimensions = Sorted(arm.Dimensions) })],
    };

    private static SortedDictionary<string, string> Sorted(IReadOnlyDictionary<string, string> values) =>
        new(values.ToDictionary(StringComparer.Ordinal), StringComparer.Ordinal);

    private void AddLaunch(Launch launch)
    {
        KnownCell(launch.Cell).Check(launch);
        var (evidence, hygiene) = (Meant(launch.Evidence), Meant(launch.Hygiene));
        var isMeant = ReferenceEquals(evidence, launch.Evidence) && ReferenceEquals(hygiene, launch.Hygiene);
        _launches.Add(isMeant ? launch : launch with { Evidence = evidence, Hygiene = hygiene });
    }

    private void AddTouch(TouchedPair touch)
    {
        _ = KnownCell(touch.Cell);
        if (Header!.Cells.First(cell => cell.Id == touch.Cell).Arms.Skip(1).All(arm => arm.Id != touch.Arm))
        {
            throw new BadRecordException("an arm that its cell does not pair with its reference.");
        }

        if (!_differences.Exists(known => known.Id == touch.Difference) || !_touches.TryAdd((touch.Cell, touch.Arm), touch))
        {
            throw new BadRecordException("a pair that is touched twice, or by a difference that was not written before.");
        }
    }

    private void AddEnd(PairEnd end)
    {
        _ = KnownCell(end.Cell);
        var arms = Header!.Cells.First(cell => cell.Id == end.Cell).Arms.Skip(1);
        if (arms.All(arm => arm.Id != end.Arm) || !_ends.TryAdd((end.Cell, end.Arm), end))
        {
            throw new BadRecordException("a pair that ends twice, or that its cell does not have.");
        }
    }

    private void TakeBack(WithoutTurns found)
    {
        _ = KnownCell(found.Cell);
        if (Header!.Cells.First(cell => cell.Id == found.Cell).Turns is not { OrLaunches: true })
        {
            throw new BadRecordException("a cell that was not to be launched otherwise.");
        }

        Header = Header.With(found);
        _launches.RemoveAll(found.TakesBack);
        _voids.RemoveAll(voided => voided.Cell == found.Cell);
        foreach (var key in _ends.Keys.Where(key => key.Cell == found.Cell).ToList())
        {
            _ends.Remove(key);
        }

        _cells[found.Cell] = new(Header.Cells.First(cell => cell.Id == found.Cell));
    }

    /// <summary>The same evidence closes most launches: it is written once and referred to.</summary>
    private JsonObject Meant(JsonObject value) =>
        value.Count != 1 || value["ref"] is not JsonValue id || !id.TryGetValue<string>(out var text) ? value
        : _evidence.GetValueOrDefault(text) ?? throw new BadRecordException("a reference to evidence that was not written before.");

    private LaunchChecks KnownCell(string id) => _cells.TryGetValue(id, out var cell)
        ? cell : throw new BadRecordException("a cell that the session record does not list.");
}
