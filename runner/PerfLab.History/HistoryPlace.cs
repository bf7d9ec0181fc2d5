namespace PerfLab.History;

/// <summary>Where a history is: a file, or a server.</summary>
/// <param name="SqliteFile">Absolute path, or null.</param>
/// <param name="ConnectionString">Of PostgreSQL; it wins. Never shown.</param>
public sealed record HistoryPlace(string? SqliteFile, string? ConnectionString = null)
{
    /// <summary>How long another program may write before we give up.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Whether there is something to read: a file that is there, or a server.</summary>
    public bool MayHoldSomething => ConnectionString is not null || File.Exists(SqliteFile);

    public override string ToString() => ConnectionString is null ? SqliteFile ?? "" : "PostgreSQL";
}
