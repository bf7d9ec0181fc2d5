using System.Data.Common;
using PerfLab.Core.Model;
using PerfLab.Core.Trends;

namespace PerfLab.History;

/// <summary>
/// Everything that sessions said, in a file or on a server. A session is kept whole or not at all, and keeping it again changes nothing, so
/// whatever was interrupted is finished by doing it once more.
/// </summary>
public sealed class HistoryStore : IDisposable
{
    private const string Journals = """
        SELECT s.hash, s.complete, j.bytes, j.packed FROM sessions s JOIN journals j ON j.session = s.number
        WHERE s.id = @id AND s.started = @started
        """;

    private readonly Dictionary<string, long> _series = new(StringComparer.Ordinal);

    private HistoryStore(Database database) => Database = database;

    internal Database Database { get; }

    /// <summary>For messages.</summary>
    public string Name => Database.Name;

    /// <exception cref="LabException">It can't be opened, or is of a newer version.</exception>
    public static HistoryStore Open(HistoryPlace place) => Open(place, Migrations.Newest);

    internal static HistoryStore Open(HistoryPlace place, int version)
    {
        Database database = place.ConnectionString is { } server ? PostgresDatabase.Open(server, place.Patience)
            : SqliteDatabase.Open(place.SqliteFile!, place.Patience);
        var store = new HistoryStore(database);
        try
        {
            store.Do("opening the history", () => Migrations.Run(database, version));
            return store;
        }
        catch
        {
            store.Dispose();
            throw;
        }
    }

    public void Dispose() => Database.Dispose();

    /// <summary>
    /// Keeps a session. A longer journal of the same session (it was resumed) takes the place of the shorter one; any other journal of
    /// the same id and start is refused.
    /// </summary>
    public KeepOutcome Keep(KeptSession session, Func<ReadOnlyMemory<byte>> journal)
    {
        try
        {
            return Do($"keeping session {session.Id}", () => KeepWhole(session, journal));
        }
        catch (LabException)
        {
            // Numbers that were given in a transaction that came to nothing.
            _series.Clear();
            throw;
        }
    }

    private KeepOutcome KeepWhole(KeptSession session, Func<ReadOnlyMemory<byte>> journal)
    {
        using var transaction = Database.BeginWriting();
        var outcome = KeepOutcome.Added;
        var known = Database.Rows(
            Journals,
            row => (Hash: row.GetString(0), Complete: row.GetInt32(1) != 0, Journal: (Func<byte[]>)Unpacked(row)),
            Identity(session.Id, session.Started));
        if (known is [var before])
        {
            if (before.Hash == session.Hash || (!session.Complete && before.Journal().AsSpan().StartsWith(journal().Span)))
            {
                return KeepOutcome.AlreadyThere;
            }

            if (before.Complete || !journal().Span.StartsWith(before.Journal()))
            {
                throw new LabException(
                    $"keeping session {session.Id}", $"{Name} holds another journal under the same id and start",
                    "find out which of the two is the real one; the one that is kept stays");
            }

            Remove("SELECT number FROM sessions WHERE id = @id AND started = @started", Identity(session.Id, session.Started));
            outcome = KeepOutcome.Replaced;
        }

        Write(session);
        transaction.Commit();
        return outcome;
    }

    /// <summary>All sessions, the oldest first; sessions of the same moment by their ids.</summary>
    public IReadOnlyList<SessionLine> List() => Do("listing the history", () => Database.Rows(
        """
        SELECT s.id, s.hash, s.started, s.kind, m.cpu, s.executor, s.complete, s.cells, s.launches, s.flagged
        FROM sessions s JOIN machines m ON m.number = s.machine ORDER BY s.started, s.id
        """,
        row => new SessionLine(
            row.GetString(0), row.GetString(1), DateTimeOffset.FromUnixTimeMilliseconds(row.GetInt64(2)),
                Enum.Parse<SessionKind>(row.GetString(3)),
            row.GetString(4), row.GetString(5), row.GetInt32(6) != 0, row.GetInt32(7), row.GetInt32(8), row.GetInt32(9) != 0)));

    /// <summary>The journal of a session, byte for byte; null when it is not kept.</summary>
    public byte[]? Journal(string id, DateTimeOffset started) => Do($"reading session {id}", () => Database.Rows(
        Journals, row => Unpacked(row)(), Identity(id, started)).SingleOrDefault());

    /// <summary>Removes all sessions but the newest <paramref name="keep"/>; says how many went.</summary>
    public int PruneTo(int keep) =>
        Prune("SELECT number FROM sessions ORDER BY started DESC, id DESC LIMIT 1000000000 OFFSET @keep", ("keep", keep));

    /// <summary>Removes all sessions that started before a moment; says how many went.</summary>
    public int PruneBefore(DateTimeOffset moment) =>
        Prune("SELECT number FROM sessions WHERE started < @moment", ("moment", moment.ToUnixTimeMilliseconds()));

    /// <summary>Runs <paramref name="action"/>, and says what a database's error means.</summary>
    internal T Do<T>(string tried, Func<T> action)
    {
        try
        {
            return action();
        }
        catch (DbException exception)
        {
            throw Database.Explain(tried, exception);
        }
    }

    internal void Do(string tried, Action action) => Do(tried, () =>
    {
        action();
        return true;
    });

    private int Prune(string which, params IReadOnlyList<(string Name, object? Value)> values) => Do("pruning the history", () =>
    {
        int removed;
        using (var transaction = Database.BeginWriting())
        {
            removed = Remove(which, values);
            Database.Run("DELETE FROM series WHERE NOT EXISTS (SELECT 1 FROM points WHERE points.series = series.number)");
            Database.Run("DELETE FROM machines WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.machine = machines.number)");
            transaction.Commit();
        }

        _series.Clear();
        if (removed > 0)
        {
            Database.GiveSpaceBack();
        }

        return removed;
    });

    private int Remove(string which, params IReadOnlyList<(string Name, object? Value)> values)
    {
        var numbers = Database.Rows(which, row => row.GetInt64(0), values);
        foreach (var number in numbers)
        {
            Database.Run("DELETE FROM points WHERE session = @number", ("number", number));
            Database.Run("DELETE FROM journals WHERE session = @number", ("number", number));
            Database.Run("DELETE FROM sessions WHERE number = @number", ("number", number));
        }

        return numbers.Count;
    }

    private void Write(KeptSession session)
    {
        var number = Next("sessions");
        var started = session.Started.ToUnixTimeMilliseconds();
        Database.Run(
            """
            INSERT INTO sessions (number, id, hash, started, kind, machine, executor, complete, cells, launches, samples, flagged)
            VALUES (@number, @id, @hash, @started, @kind, @machine, @executor, @complete, @cells, @launches, @samples, @flagged)
            """,
            ("number", number), ("id", session.Id), ("hash", session.Hash), ("started", started), ("kind", session.Kind.ToString()),
            ("machine", MachineNumber(session.Machine)), ("executor", PointRow.Text(session.Executor)),
                ("complete", session.Complete ? 1 : 0),
            ("cells", session.Cells), ("launches", session.Launches), ("samples", session.Samples), ("flagged", session.IsFlagged ? 1 : 0));
        Database.Run(
            "INSERT INTO journals (session, bytes, packed) VALUES (@session, @bytes, @packed)",
            ("session", number), ("bytes", session.Bytes), ("packed", session.Packed));
        var machine = session.Machine.In(session.Executor);
        var numbers = session.Points.Select(point => SeriesNumber(SeriesName.Of(point.Cell, point.Arm, point.Metric, machine))).ToList();
        Database.Add("points", PointRow.Columns,
            session.Points.Select((point, place) => PointRow.Values((numbers[place], number, started, place), point)));
    }

    private long MachineNumber(MachineFingerprint machine)
    {
        if (Database.One("SELECT number FROM machines WHERE fingerprint = @fingerprint", ("fingerprint", machine.Text)) is { } known)
        {
            return Convert.ToInt64(known, CultureInfo.InvariantCulture);
        }

        var number = Next("machines");
        Database.Run(
            "INSERT INTO machines (number, fingerprint, cpu, facts) VALUES (@number, @fingerprint, @cpu, @facts)",
            ("number", number), ("fingerprint", machine.Text), ("cpu", PointRow.Text(machine.Cpu)),
                ("facts", machine.Facts.ToJsonString()));
        return number;
    }

    private long SeriesNumber(SeriesName series)
    {
        var key = series.Key;
        if (_series.TryGetValue(key, out var number))
        {
            return number;
        }

        var hash = SeriesName.HashOf(key);
        if (Database.One("SELECT number FROM series WHERE hash = @hash", ("hash", hash)) is { } known)
        {
            number = Convert.ToInt64(known, CultureInfo.InvariantCulture);
        }
        else
        {
            number = Next("series");
            Database.Run("INSERT INTO series (number, hash, name) VALUES (@number, @hash, @name)", ("number", number), ("hash", hash),
                ("name", key));
        }

        return number;
    }

    /// <summary>Numbers are given by whoever is alone in writing.</summary>
    private long Next(string table) => Database.Number($"SELECT coalesce(max(number), 0) + 1 FROM {table}");

    /// <summary>A folder may be named twice (`--out`), and then its sessions have one id: the start tells them apart.</summary>
    private static (string Name, object? Value)[] Identity(string id, DateTimeOffset started) =>
        [("id", id), ("started", started.ToUnixTimeMilliseconds())];

    private static Func<byte[]> Unpacked(DbDataReader row)
    {
        var (bytes, packed) = (row.GetInt64(2), row.GetFieldValue<byte[]>(3));
        return () => KeptSession.Unpack(packed, bytes);
    }
}
