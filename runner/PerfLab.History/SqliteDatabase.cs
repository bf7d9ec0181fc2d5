using System.Data.Common;
using Microsoft.Data.Sqlite;
using PerfLab.Core.Model;

namespace PerfLab.History;

/// <summary>A file beside the lab's other files: no server, nothing to install.</summary>
internal sealed class SqliteDatabase : Database
{
    private readonly SqliteConnection _connection;

    private SqliteDatabase(SqliteConnection connection, string path)
        : base(connection, path) => _connection = connection;

    public override string Bytes => "BLOB";

    public override string CountTables => "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = @name";

    /// <param name="path">The file; it is made, with its folder, when it is not there.</param>
    /// <param name="patience">How long another program may hold the file before we give up.</param>
    public static SqliteDatabase Open(string path, TimeSpan patience)
    {
        SQLitePCL.Batteries_V2.Init();
        SqliteDatabase? database = null;
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
            var settings = new SqliteConnectionStringBuilder
            {
                DataSource = path,
                Pooling = false,
                DefaultTimeout = Math.Max(1, (int)patience.TotalSeconds),
            };
            var connection = new SqliteConnection(settings.ToString());
            database = new(connection, path);
            connection.Open();
            // Readers go on while one writes. A loss of power may cost the last sessions, which their folders still have; it breaks
            // nothing.
            database.Run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536");
            return database;
        }
        catch (SqliteException exception)
        {
            database!.Dispose();
            throw database.Explain("opening the history", exception);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new LabException($"opening the history ({path})", exception.Message,
                "name another place under `history` in perf-lab.yaml, or give access", exception);
        }
    }

    public override DbTransaction BeginWriting() => _connection.BeginTransaction(deferred: false);

    public override void GiveSpaceBack() => Run("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");

    protected override (string CameBack, string ToDo) Meaning(DbException exception) => CodeOf(exception) switch
    {
        5 or 6 => ("another program is writing to it", "wait for it, then run the same command again: what is kept already is passed over"),
        8 => ("it is read-only",
            "give write access to the file and its folder (SQLite writes beside it), or name another under `history` in perf-lab.yaml"),
        11 or 26 => ($"it is no history, or damaged ({Said(exception)})",
            "move it away: a new one is made, and `./perf-lab history import` fills it from journals or a bundle"),
        13 => ("the disk is full", "free some space, then run the same command again: nothing is half kept"),
        14 => ("it can't be opened",
            "look whether the folder is there and may be written to, or name another place under `history` in perf-lab.yaml"),
        10 => ($"reading or writing failed ({Said(exception)})", "look at the disk, then run the same command again: nothing is half kept"),
        _ => (Said(exception),
            "run the same command again: nothing is half kept; when it says the same, move the file away and import again"),
    };

    private static int? CodeOf(DbException exception) => (exception as SqliteException)?.SqliteErrorCode;

    private static string Said(DbException exception) => UntrustedText.Line(exception.Message);
}
