using System.Data.Common;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Reports.Site;
using PerfLab.Core.Trends;

namespace PerfLab.History;

/// <summary>
/// A history as a site shows it. What can't be read is named and left out: one damaged session takes no other with it.
/// </summary>
public sealed class SiteReader(HistoryStore store)
{
    private static readonly FileFormat<JsonObject> MachineFacts = new("", "facts of a machine") { IsForeign = true };

    private const int MostSizeChars = 100;

    private readonly List<string> _problems = [];
    private readonly Dictionary<long, int> _places = [];

    /// <summary>What could not be read so far, one sentence each. Untrusted.</summary>
    public IReadOnlyCollection<string> Problems => _problems;

    /// <param name="prices">Price of an hour by the machine's size; null where none is listed.</param>
    public SiteHistory Read(Func<string, double?> prices) => store.Do("reading the history", () =>
    {
        var sessions = Sessions();
        return new SiteHistory
        {
            Sessions = sessions,
            Machines = Machines(prices),
            Trend = State(),
            FalseFlags = store.FalseFlags(),
            AaSpreads = Spreads(),
        };
    });

    /// <summary>Every series of a primary metric, one by one, after <see cref="Read"/>.</summary>
    public IEnumerable<SiteSeries> Series()
    {
        var known = store.Do("reading the history", () => store.Database.Rows(
            "SELECT number, hash, name FROM series ORDER BY hash", row => (Number: row.GetInt64(0), Hash: row.GetString(1),
                Name: row.GetString(2))));
        foreach (var (number, hash, text) in known)
        {
            if (!IsHash(hash) || NameOf(text) is not { } name)
            {
                _problems.Add($"the name of series {hash} can't be read: it is left out");
            }
            else if (!name.IsNextAnchor && Points(number, hash) is { Count: > 0 } points)
            {
                yield return new(name, hash, points);
            }
        }
    }

    private List<SitePoint> Points(long series, string hash) => [.. store.Do("reading the history", () => store.Database.Rows(
        """
        SELECT session, commit_name, reference_name, change, low, high, reference_value, arm_value, noise, rounds, verdict
        FROM points WHERE series = @series AND is_primary = 1 ORDER BY started, session, place
        """,
        row => Point(row, hash), ("series", series))).OfType<SitePoint>()];

    private SitePoint? Point(DbDataReader row, string hash)
    {
        try
        {
            return new(_places[row.GetInt64(0)], Text(row, 1), Text(row, 2), Number(row, 3), Number(row, 4), Number(row, 5),
                Number(row, 7), Number(row, 6),
                Number(row, 8), row.GetInt32(9), Text(row, 10));
        }
        catch (Exception exception) when (exception is InvalidCastException or KeyNotFoundException or FormatException or OverflowException)
        {
            _problems.Add($"a row of series {hash[..12]} can't be read ({exception.Message}): it is left out");
            return null;
        }
    }

    private List<SiteSession> Sessions()
    {
        var rows = store.Database.Rows(
            """
            SELECT s.number, s.id, s.hash, s.started, s.kind, m.fingerprint, m.cpu, s.executor, s.complete, s.cells, s.launches, s.flagged
            FROM sessions s JOIN machines m ON m.number = s.machine ORDER BY s.started, s.id
            """,
            row => (Number: row.GetInt64(0), Session: Session(row)));
        var sessions = new List<SiteSession>(rows.Count);
        foreach (var (number, session) in rows)
        {
            if (session is not null)
            {
                _places[number] = sessions.Count;
                sessions.Add(session with { Seconds = Seconds(session) });
            }
        }

        return sessions;
    }

    private SiteSession? Session(DbDataReader row)
    {
        var id = row.GetValue(1).ToString() ?? "";
        try
        {
            var kind = Enum.Parse<SessionKind>(row.GetString(4));
            var hash = row.GetString(2);
            return IsHash(hash)
                ? new(id, hash, DateTimeOffset.FromUnixTimeMilliseconds(row.GetInt64(3)), Core.Files.Words.Of(kind), row.GetString(5),
                row.GetString(6),
                    row.GetString(7), row.GetInt32(8) != 0, row.GetInt32(9), row.GetInt32(10), row.GetInt32(11) != 0, null)
                : throw new FormatException("its hash is none");
        }
        catch (Exception exception) when (exception is InvalidCastException or FormatException or ArgumentException or OverflowException)
        {
            _problems.Add($"session {id} can't be read ({exception.Message}): it is left out, the others are shown");
            return null;
        }
    }

    /// <summary>From the start to the end of the last launch, by the end of the journal alone: a journal may have a million
    /// lines.</summary>
    private double? Seconds(SiteSession session)
    {
        const int LastBytes = 256 << 10;
        try
        {
            if (store.Journal(session.Id, session.Started) is not { } journal)
            {
                return null;
            }

            var end = journal.AsSpan(Math.Max(0, journal.Length - LastBytes));
            const string OfLaunch = "\"kind\":\"launch\"";
            var line = Encoding.UTF8.GetString(end).Split('\n').LastOrDefault(line => line.Contains(OfLaunch, StringComparison.Ordinal));
            if (line is null)
            {
                return null;
            }

            var last = Ending.Format.Read(line).Value ?? throw new FormatException("its last launch is cut");
            return Math.Max(0, (last.Started - session.Started).TotalSeconds + last.WallSeconds);
        }
        catch (Exception exception) when (exception is IOException or FormatException or LabException)
        {
            _problems.Add($"the journal of session {session.Id} can't be read: its rows are shown, its hours are not counted");
            return null;
        }
    }

    private IReadOnlyList<SiteMachine> Machines(Func<string, double?> prices) => store.Database.Rows(
        "SELECT fingerprint, cpu, facts FROM machines ORDER BY cpu, fingerprint", row =>
        {
            List<(string Name, string Value)> facts = [.. Facts(row.GetString(2))];
            var sizes = facts.Where(fact => fact.Name is "hypervisor.orderedSize" or "instance.size").Select(fact => fact.Value);
            return new SiteMachine(row.GetString(0), row.GetString(1), facts,
                sizes.Where(size => size.Length <= MostSizeChars).Select(prices).FirstOrDefault(price => price is not null));
        });

    private static IEnumerable<(string Name, string Value)> Facts(string text) => MachineFacts.Read(text).Value is { } facts
        ? facts.Select(fact => (fact.Key, fact.Value?.ToString() ?? "unknown")) : [("facts", "can't be read")];

    private IReadOnlyList<AaSpread> Spreads() => [.. store.Database.Rows(
        """
        SELECT e.name, count(*), max(abs(t.change))
        FROM sessions s JOIN points t ON t.session = s.number JOIN series e ON e.number = t.series
        WHERE s.kind = @kind AND t.is_primary = 1 AND t.change IS NOT NULL GROUP BY e.name
        """,
        row => NameOf(row.GetString(0)) is { } name ? new AaSpread(name, (int)row.GetInt64(1), Math.Exp(row.GetDouble(2)) - 1) : null,
        ("kind", nameof(SessionKind.Aa))).OfType<AaSpread>()];

    private TrendState? State()
    {
        try
        {
            return store.State() is { } claimed ? new TrendCheck(store, NameOf).Of(claimed, _problems) : null;
        }
        catch (LabException exception)
        {
            _problems.Add($"{exception.CameBack}: what changed is not shown ({exception.DoNext})");
            return null;
        }
    }

    private static SeriesName? NameOf(string text)
    {
        try
        {
            return SeriesName.Read(text);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static bool IsHash(string hash) => hash.Length == 64 && hash.All(char.IsAsciiHexDigitLower);

    private static string? Text(DbDataReader row, int column) => row.IsDBNull(column) ? null : row.GetString(column);

    private static double? Number(DbDataReader row, int column) =>
        row.IsDBNull(column) ? null : row.GetDouble(column) is var number && double.IsFinite(number) ? number : null;

    /// <summary>What the last launch of a journal says of its end.</summary>
    private sealed record Ending(DateTimeOffset Started, double WallSeconds)
    {
        public static FileFormat<Ending> Format { get; } = new("", "the last launch of a journal") { IsForeign = true };
    }
}
