using System.Data.Common;
using Npgsql;
using NpgsqlTypes;
using PerfLab.Core.Model;

namespace PerfLab.History;

/// <summary>A server that several machines share.</summary>
internal sealed class PostgresDatabase : Database
{
    /// <summary>Any number that no other program uses in the same database: who holds it writes.</summary>
    private const long WritersLock = 7_265_324_101;

    private readonly NpgsqlConnection _connection;
    private readonly TimeSpan _patience;

    private PostgresDatabase(NpgsqlConnection connection, string name, TimeSpan patience)
        : base(connection, name) => (_connection, _patience) = (connection, patience);

    public override string Bytes => "BYTEA";

    public override string CountTables =>
        "SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = @name";

    /// <param name="connectionString">As Npgsql takes it. It holds a password: no message repeats it.</param>
    /// <param name="patience">How long another writer may take before we give up.</param>
    public static PostgresDatabase Open(string connectionString, TimeSpan patience)
    {
        NpgsqlConnectionStringBuilder settings;
        try
        {
            settings = new(connectionString) { Pooling = false };
            if (string.IsNullOrEmpty(settings.Host))
            {
                throw new FormatException("no host");
            }
        }
        catch (Exception exception) when (exception is ArgumentException or FormatException or KeyNotFoundException)
        {
            // Without the inner exception: its text may hold a part of the string.
            throw new LabException(
                "opening the history", "the connection string is none that PostgreSQL's client understands",
                "write it as Host=…;Database=…;Username=…;Password=…");
        }

        var connection = new NpgsqlConnection(settings.ToString());
        var database = new PostgresDatabase(connection,
            $"{UntrustedText.Line(settings.Database ?? "")} on {UntrustedText.Line(settings.Host ?? "")}", patience);
        try
        {
            connection.Open();
            return database;
        }
        catch (NpgsqlException exception)
        {
            database.Dispose();
            throw database.Explain("opening the history", exception);
        }
    }

    public override DbTransaction BeginWriting()
    {
        var transaction = _connection.BeginTransaction();
        try
        {
            Run(Invariant($"SET LOCAL lock_timeout = '{(long)_patience.TotalMilliseconds}ms'"));
            Run("SELECT pg_advisory_xact_lock(@lock)", ("lock", WritersLock));
            return transaction;
        }
        catch (DbException)
        {
            transaction.Dispose();
            throw;
        }
    }

    /// <summary>By COPY: one answer of the server for all rows, where each INSERT waits for its own.</summary>
    public override void Add(string table, IReadOnlyList<(string Name, object Sample)> columns, IEnumerable<object?[]> rows)
    {
        NpgsqlDbType[] types = [.. columns.Select(column => TypeOf(column.Sample))];
        using var copy = _connection.BeginBinaryImport(
            $"COPY {table} ({string.Join(", ", columns.Select(column => column.Name))}) FROM STDIN (FORMAT BINARY)");
        foreach (var row in rows)
        {
            copy.StartRow();
            for (var index = 0; index < row.Length; index++)
            {
                if (row[index] is { } value)
                {
                    copy.Write(value, types[index]);
                }
                else
                {
                    copy.WriteNull();
                }
            }
        }

        copy.Complete();
    }

    public override void GiveSpaceBack()
    {
        // The server's own cleaning does it.
    }

    protected override (string CameBack, string ToDo) Meaning(DbException exception) => (exception as PostgresException)?.SqlState switch
    {
        "55P03" => ("another program is writing to it",
            "wait for it, then run the same command again: what is kept already is passed over"),
        "25006" => ("it is read-only", "connect to the server that may be written to"),
        "53100" => ("the server's disk is full", "free some space there, then run the same command again: nothing is half kept"),
        "3D000" => ("there is no such database", "create it: `createdb NAME`"),
        "42501" => ($"this user may not do that ({Said(exception)})", "grant the user all on the schema of the history"),
        { } state when state.StartsWith("28", StringComparison.Ordinal) =>
            ("the server does not let this user in", "look at the user and the password in the connection string"),
        null => ($"the server can't be reached, or is gone ({Said(exception)})",
            "when it is back, run the same command again: nothing is half kept"),
        { } state => ($"{Said(exception)} [{state}]", "run the same command again: nothing is half kept"),
    };

    private static NpgsqlDbType TypeOf(object sample) => sample switch
    {
        int => NpgsqlDbType.Integer,
        long => NpgsqlDbType.Bigint,
        double => NpgsqlDbType.Double,
        string => NpgsqlDbType.Text,
        _ => NpgsqlDbType.Bytea,
    };

    private static string Said(DbException exception) => UntrustedText.Line(exception.Message);
}
