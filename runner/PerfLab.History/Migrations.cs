using PerfLab.Core.Model;

namespace PerfLab.History;

/// <summary>
/// The tables, in numbered steps that are never changed: a history of any older version is brought up to date when it is opened. The
/// journals are the truth; everything else is there to be found quickly.
/// </summary>
internal static class Migrations
{
    private const string Table = "perf_lab_migrations";

    private static readonly string[] Steps =
    [
        """
        CREATE TABLE machines (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, cpu TEXT NOT NULL, facts TEXT NOT NULL);
        CREATE TABLE sessions (
          number INTEGER PRIMARY KEY, id TEXT NOT NULL, hash TEXT NOT NULL, started BIGINT NOT NULL, kind TEXT NOT NULL,
          machine INTEGER NOT NULL REFERENCES machines (number), executor TEXT NOT NULL, complete INTEGER NOT NULL,
          cells INTEGER NOT NULL, launches INTEGER NOT NULL, samples BIGINT NOT NULL, flagged INTEGER NOT NULL,
          UNIQUE (id, started));
        CREATE INDEX sessions_by_start ON sessions (started);
        CREATE TABLE journals (session INTEGER PRIMARY KEY REFERENCES sessions (number), bytes BIGINT NOT NULL, packed {bytes} NOT NULL);
        CREATE TABLE series (number INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
        CREATE TABLE points (
          series INTEGER NOT NULL REFERENCES series (number), started BIGINT NOT NULL,
          session INTEGER NOT NULL REFERENCES sessions (number),
          place INTEGER NOT NULL, is_primary INTEGER NOT NULL, commit_name TEXT, reference_name TEXT,
          change DOUBLE PRECISION, low DOUBLE PRECISION, high DOUBLE PRECISION, p DOUBLE PRECISION, noise DOUBLE PRECISION,
          rounds INTEGER NOT NULL, verdict TEXT, reference_value DOUBLE PRECISION, arm_value DOUBLE PRECISION,
          launch_values {bytes} NOT NULL,
          PRIMARY KEY (series, started, session, place));
        CREATE INDEX points_by_session ON points (session);
        """,
        """
        CREATE TABLE documents (name TEXT PRIMARY KEY, updated BIGINT NOT NULL, content TEXT NOT NULL);
        """,
    ];

    /// <summary>The version that this program makes.</summary>
    public static int Newest => Steps.Length;

    /// <summary>Brings the tables up to <paramref name="version"/>; a history that is newer is not touched.</summary>
    public static void Run(Database database, int version)
    {
        if (Current(database) is var found && found > Steps.Length)
        {
            throw new LabException(
                $"opening the history ({database.Name})",
                    Invariant($"it is of version {found}, and this program knows up to {Steps.Length}"),
                "use the newer perf-lab that made it; it was not changed");
        }

        if (found >= version)
        {
            return;
        }

        using var transaction = database.BeginWriting();
        database.Run($"CREATE TABLE IF NOT EXISTS {Table} (version INTEGER PRIMARY KEY)");
        // Somebody else may have been faster.
        for (var step = Current(database); step < version; step++)
        {
            database.Run(Steps[step].Replace("{bytes}", database.Bytes, StringComparison.Ordinal));
            database.Run($"INSERT INTO {Table} (version) VALUES (@version)", ("version", step + 1));
        }

        transaction.Commit();
    }

    private static int Current(Database database) => database.Number(database.CountTables, ("name", Table)) == 0
        ? 0 : (int)database.Number($"SELECT max(version) FROM {Table}");
}
