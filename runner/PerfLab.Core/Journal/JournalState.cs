using PerfLab.Core.Model;

namespace PerfLab.Core.Journal;

/// <summary>What has been read of a journal so far; each record is checked against the ones before it.</summary>
internal sealed class JournalState
{
    private readonly List<Launch> _launches = [];
    private readonly List<VoidedRound> _voids = [];
    private readonly Dictionary<string, JsonObject> _evidence = new(StringComparer.Ordinal);
    private readonly JsonObject _nothing = [];
    private readonly Dictionary<string, Cell> _cells = new(StringComparer.Ordinal);
    private readonly HashSet<(string Cell, Stage Stage, int Round, int Attempt, string Arm)> _seen = [];

    public SessionHeader? Header { get; private set; }

    public bool Ended { get; private set; }

    public List<string> Warnings { get; } = [];

    public List<string> BootIds { get; } = [];

    public void Add(string kind, RecordObject record)
    {
        switch (kind)
        {
            case "session":
                Header = JournalHeader.Read(record);
                foreach (var cell in Header.Cells.Where(cell => !_cells.TryAdd(cell.Id, cell)))
                {
                    throw new BadRecordException($"cell '{cell.Id}' is listed twice.");
                }

                if (Header.Machine["bootId"] is JsonValue bootId && bootId.TryGetValue<string>(out var text))
                {
                    BootIds.Add(text);
                }

                break;
            case "launch":
                AddLaunch(record);
                break;
            case "void":
                _voids.Add(new(KnownCell(record.Text("cell")).Id, record.Word("stage", JournalWords.Stages),
                    record.Count("round"), record.CountOrNull("attempt") ?? 0, record.Text("reason")));
                break;
            case "evidence":
                if (!_evidence.TryAdd(record.Text("id"), record.Free("value")))
                {
                    throw new BadRecordException($"evidence '{record.Text("id")}' is written twice.");
                }

                break;
            case "resumed":
                BootIds.Add(record.Text("bootId"));
                Warnings.Add($"Resumed after an interruption at {record.Time("started"):yyyy-MM-dd HH:mm:ss} UTC.");
                break;
            case "end":
                Ended = true;
                if (record.Text("outcome") is var outcome && outcome != "complete")
                {
                    Warnings.Add($"The session ended as '{outcome}', not complete.");
                }

                break;
            default:
                throw new BadRecordException("kind is none of session, launch, void, evidence, resumed, end.");
        }
    }

    public SampleSet ToSamples() => new()
    {
        Header = Header!,
        Launches = _launches,
        Voids = _voids,
        MachineChecks = [.. _evidence.Values.Select(value => value["machineCheck"]).OfType<JsonObject>()],
        Complete = Ended,
        Warnings = Warnings,
    };

    private void AddLaunch(RecordObject record)
    {
        var cell = KnownCell(record.Text("cell"));
        var launch = new Launch
        {
            Cell = cell.Id,
            Stage = record.Word("stage", JournalWords.Stages),
            Round = record.Count("round"),
            Attempt = record.CountOrNull("attempt") ?? 0,
            Position = record.Count("position"),
            Arm = record.Text("arm"),
            Pad = record.CountOrNull("pad"),
            Started = record.Time("started"),
            WallSeconds = record.Number("wallSeconds"),
            Outcome = record.Word("outcome", JournalWords.Outcomes),
            Metrics = record.Has("metrics") ? record.Numbers("metrics") : new Dictionary<string, double>(StringComparer.Ordinal),
            ExitCode = record.IntegerOrNull("exitCode"),
            Tail = record.TextOrNull("tail"),
            Reason = record.TextOrNull("reason"),
            // The same evidence closes most launches: it is written once and referred to.
            Evidence = record.Shared("evidence", _evidence, _nothing),
            Hygiene = record.Shared("hygiene", _evidence, _nothing),
        };
        Check(cell, launch);
        _launches.Add(launch);
    }

    private void Check(Cell cell, Launch launch)
    {
        if (launch.WallSeconds < 0)
        {
            throw new BadRecordException($"record.wallSeconds is {launch.WallSeconds.ToString(CultureInfo.InvariantCulture)}, expected seconds from 0.");
        }

        if (cell.Arms.All(arm => arm.Id != launch.Arm))
        {
            throw new BadRecordException($"cell '{cell.Id}' has no arm of that name.");
        }

        if (!_seen.Add((launch.Cell, launch.Stage, launch.Round, launch.Attempt, launch.Arm)))
        {
            throw new BadRecordException($"arm '{launch.Arm}' is launched twice in one attempt of round {launch.Round} of cell '{cell.Id}'.");
        }

        var foreign = launch.Metrics.Keys.FirstOrDefault(name => cell.Metrics.All(metric => metric.Name != name));
        if (foreign is not null)
        {
            throw new BadRecordException($"a metric that cell '{cell.Id}' does not declare.");
        }

        if (launch.Outcome == Outcome.Measured && !launch.Metrics.ContainsKey(cell.PrimaryMetric.Name))
        {
            throw new BadRecordException($"measured, but without the primary metric '{cell.PrimaryMetric.Name}'.");
        }

        if (launch.Outcome != Outcome.Measured && launch.Metrics.Count > 0)
        {
            throw new BadRecordException("metrics of a launch that was not measured.");
        }
    }

    private Cell KnownCell(string id) => _cells.TryGetValue(id, out var cell)
        ? cell : throw new BadRecordException("a cell that the session record does not list.");
}
