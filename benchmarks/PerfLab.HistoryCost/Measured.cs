using System.Diagnostics;
using PerfLab.History;
using static System.FormattableString;

namespace PerfLab.HistoryCost;

/// <summary>One database.</summary>
internal static class Measured
{
    public static string Row(string name, HistoryPlace place, string journals, Func<long>? size)
    {
        using var store = HistoryStore.Open(place);
        var (clock, before) = (Stopwatch.StartNew(), Environment.CpuUsage.TotalTime);
        var report = Import.Run(store, [journals], CancellationToken.None);
        var (import, processor) = (clock.Elapsed, Environment.CpuUsage.TotalTime - before);
        var found = Enumerable.Range(1, 20).Select(series => Newest(store, series)).Order().ToList();
        var bytes = size?.Invoke() ?? store.Database.Number("SELECT pg_database_size(current_database())");
        return Invariant($"| {name} | {report.Samples} | {import.TotalSeconds:0.0} s | {report.Samples / import.TotalSeconds:0} | {processor.TotalSeconds:0.0} s | ")
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
