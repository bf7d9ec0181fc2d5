using System.Diagnostics;
using System.Globalization;
using PerfLab.Calibration;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.History;
using static System.FormattableString;

// PerfLab.HistoryCost [SAMPLES]: journals of 200 cells x 28 rounds with SAMPLES numbers in all (10,000,000) are imported into a file, and into
// PostgreSQL when HISTORY_COST_POSTGRES holds a connection string of an empty database.
var samples = args is [var asked] ? long.Parse(asked, CultureInfo.InvariantCulture) : 10_000_000;
var folder = Directory.CreateTempSubdirectory("history-cost-").FullName;
try
{
    var journals = Journals.Write(folder, samples);
    Console.WriteLine(Invariant($"{journals.Count} sessions of {Journals.Cells} cells, {journals.Bytes >> 20} MiB of journals"));
    Console.WriteLine("| database | samples | import | samples/s | newest 90 days of a series | size |");
    Console.WriteLine("|---|---|---|---|---|---|");
    var file = Path.Combine(folder, "history.db");
    Console.WriteLine(Measured.Row("SQLite", new(file), journals.Folder, () => new FileInfo(file).Length));
    if (Environment.GetEnvironmentVariable("HISTORY_COST_POSTGRES") is { Length: > 0 } server)
    {
        Console.WriteLine(Measured.Row("PostgreSQL", new(null, server), journals.Folder, null));
    }

    return 0;
}
finally
{
    Directory.Delete(folder, recursive: true);
}

/// <summary>Journals as sessions leave them, one a day.</summary>
internal sealed record Journals(string Folder, int Count, long Bytes)
{
    public const int Cells = 200;

    public static Journals Write(string root, long samples)
    {
        var folder = Directory.CreateDirectory(Path.Combine(root, "journals")).FullName;
        var session = SpeedProbe.Session(Cells, 1);
        // Written once: only the first line says which session it is.
        byte[] launches =
        [
            .. session.Launches.Index().SelectMany(launch => JournalLine.Of(launch.Index + 1, launch.Item)),
            .. JournalLine.Of(session.Launches.Count + 1, new SessionEnd("complete")),
        ];
        var perSession = session.Launches.Sum(launch => (long)launch.Metrics.Count);
        var (count, bytes) = ((int)Math.Max(1, samples / perSession), 0L);
        for (var day = 0; day < count; day++)
        {
            byte[] header = JournalLine.Of(0, session.Header with { Session = Invariant($"day-{day:0000}"), Started = DateTimeOffset.UnixEpoch.AddDays(day) });
            File.WriteAllBytes(Path.Combine(folder, Invariant($"day-{day:0000}.ndjson")), [.. header, .. launches]);
            bytes += header.Length + launches.Length;
        }

        return new(folder, count, bytes);
    }
}

/// <summary>One database.</summary>
internal static class Measured
{
    public static string Row(string name, HistoryPlace place, string journals, Func<long>? size)
    {
        using var store = HistoryStore.Open(place);
        var clock = Stopwatch.StartNew();
        var report = Import.Run(store, [journals], CancellationToken.None);
        var import = clock.Elapsed;
        var found = Enumerable.Range(1, 20).Select(series => Newest(store, series)).Order().ToList();
        var bytes = size?.Invoke() ?? store.Database.Number("SELECT pg_database_size(current_database())");
        return Invariant($"| {name} | {report.Samples} | {import.TotalSeconds:0.0} s | {report.Samples / import.TotalSeconds:0} | ")
            + Invariant($"{found[10]:0.0} ms (median of 20 series), {found[^1]:0.0} ms (slowest) | {bytes >> 20} MiB |");
    }

    /// <summary>Milliseconds to get a series' last 90 days with the values of every launch.</summary>
    private static double Newest(HistoryStore store, int series)
    {
        var clock = Stopwatch.StartNew();
        var newest = store.Database.Number("SELECT max(started) FROM points WHERE series = @series", ("series", series));
        var values = store.Database.Rows(
            "SELECT started, change, low, high, verdict, launch_values FROM points WHERE series = @series AND started > @from ORDER BY started",
            row => PointRow.Unpack(row.GetFieldValue<byte[]>(5)).Arm.Length, ("series", series), ("from", newest - (90L * 24 * 3600 * 1000)));
        return values.Count > 0 ? clock.Elapsed.TotalMilliseconds : throw new InvalidOperationException("the series is empty");
    }
}
