using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using PerfLab.Core.Model;

namespace PerfLab.History;

/// <summary>The database said no: whatever else was to be kept would hear the same.</summary>
public sealed class HistoryException(string tried, string cameBack, string doNext, Exception? inner = null)
    : LabException(tried, cameBack, doNext, inner);

/// <summary>
/// What differs between the databases: opening, writing alone, and what their errors mean. All other SQL is the same text for both.
/// </summary>
internal abstract class Database(DbConnection connection, string name) : IDisposable
{
    /// <summary>For messages: a path, or a host and a database; never a password.</summary>
    public string Name => name;

    public DbConnection Connection => connection;

    /// <summary>The type of a column of bytes.</summary>
    public abstract string Bytes { get; }

    /// <summary>Counts the tables named @name.</summary>
    public abstract string CountTables { get; }

    /// <summary>A transaction that is alone in writing: others wait for it, or are turned away after a while.</summary>
    public abstract DbTransaction BeginWriting();

    /// <summary>After much was removed.</summary>
    public abstract void GiveSpaceBack();

    public void Dispose() => connection.Dispose();

    /// <summary>What the database's error means to a person, and what to do.</summary>
    public HistoryException Explain(string tried, DbException exception)
    {
        var (cameBack, toDo) = Meaning(exception);
        return new($"{tried} ({name})", cameBack, toDo, exception);
    }

    protected abstract (string CameBack, string ToDo) Meaning(DbException exception);

    /// <summary>A command; values only ever travel as parameters.</summary>
    [SuppressMessage("Security", "CA2100",
        Justification = "Texts are constants of this project: whatever comes from a journal is a parameter.")]
    public DbCommand Command(string sql, params IReadOnlyList<(string Name, object? Value)> values)
    {
        var command = connection.CreateCommand();
        command.CommandText = sql;
        foreach (var (parameter, value) in values)
        {
            var made = command.CreateParameter();
            (made.ParameterName, made.Value) = (parameter, value ?? DBNull.Value);
            command.Parameters.Add(made);
        }

        return command;
    }

    /// <summary>Adds many rows to a table: all of them, or none when the transaction that is open comes to nothing.</summary>
    /// <param name="table">Its name.</param>
    /// <param name="columns">Names, each with a value of its type.</param>
    /// <param name="rows">Values in the order of the columns.</param>
    public virtual void Add(string table, IReadOnlyList<(string Name, object Sample)> columns, IEnumerable<object?[]> rows)
    {
        var names = columns.Select(column => column.Name).ToList();
        // One command for all of them: making it anew takes longer than the database needs.
        using var command = Command(
            $"INSERT INTO {table} ({string.Join(", ", names)}) VALUES ({string.Join(", ", names.Select(name => "@" + name))})",
            [.. columns.Select(column => (column.Name, (object?)column.Sample))]);
        foreach (var row in rows)
        {
            for (var index = 0; index < row.Length; index++)
            {
                command.Parameters[index].Value = row[index] ?? DBNull.Value;
            }

            command.ExecuteNonQuery();
        }
    }

    public void Run(string sql, params IReadOnlyList<(string Name, object? Value)> values)
    {
        using var command = Command(sql, values);
        command.ExecuteNonQuery();
    }

    /// <summary>The first column of the first row; null when there is none.</summary>
    public object? One(string sql, params IReadOnlyList<(string Name, object? Value)> values)
    {
        using var command = Command(sql, values);
        return command.ExecuteScalar() is { } value and not DBNull ? value : null;
    }

    public long Number(string sql, params IReadOnlyList<(string Name, object? Value)> values) =>
        Convert.ToInt64(One(sql, values) ?? 0L, CultureInfo.InvariantCulture);

    /// <summary>Every row, as <paramref name="read"/> takes it.</summary>
    public IReadOnlyList<T> Rows<T>(string sql, Func<DbDataReader, T> read, params IReadOnlyList<(string Name, object? Value)> values)
    {
        using var command = Command(sql, values);
        using var reader = command.ExecuteReader();
        var rows = new List<T>();
        while (reader.Read())
        {
            rows.Add(read(reader));
        }

        return rows;
    }
}
