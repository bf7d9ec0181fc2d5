using System.Security.Cryptography;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Trends;

namespace PerfLab.History;

/// <summary>What other tools measured, beside the sessions: each series is a text of its own, so an export carries it along.</summary>
public static class ForeignLedger
{
    internal const string Prefix = "foreign-";

    /// <exception cref="LabException">One is damaged, or of a newer version.</exception>
    public static IReadOnlyList<ForeignSeries> Foreign(this HistoryStore store) =>
        [.. Documents.All(store).Where(document => document.Name.StartsWith(Prefix, StringComparison.Ordinal)).Select(document =>
        {
            var reading = ForeignSeries.File.Read(document.Content);
            return reading.Value ?? throw new LabException($"reading a foreign series ({store.Name})",
                string.Join("; ", reading.Problems.Take(3)), "use the perf-lab that wrote it");
        })];

    /// <summary>Keeps a series in place of one of the same name.</summary>
    public static void Keep(this HistoryStore store, ForeignSeries series)
    {
        var newest = series.Points.Max(point => point.Time)?.ToUnixTimeMilliseconds() ?? 0;
        store.Put(new(NameOf(series), newest, ForeignSeries.File.Write(series)));
    }

    /// <summary>A file, whole or not at all.</summary>
    /// <param name="store">Where to.</param>
    /// <param name="path">The file.</param>
    /// <param name="isCsv">Otherwise it is JSON.</param>
    /// <param name="problems">Gets why it was not kept.</param>
    /// <returns>Series and points that are kept now.</returns>
    public static (int Series, int Points) ImportForeign(this HistoryStore store, string path, bool isCsv, ICollection<Problem> problems)
    {
        try
        {
            var file = new FileInfo(path);
            if (!file.Exists || file.LinkTarget is not null || file.Length > Bundle.MostJournalBytes)
            {
                problems.Add(new(path, file.Exists ? "is a link, or larger than 64 MiB" : "there is no such file"));
                return (0, 0);
            }

            var (name, text) = (Path.GetFileNameWithoutExtension(path), File.ReadAllText(path));
            var reading = isCsv ? CsvSeries.Read(name, text) : JsonSeries.Read(name, text);
            if (reading.Problem is { } problem)
            {
                problems.Add(new(path, problem));
            }

            foreach (var series in reading.Series)
            {
                store.Keep(series);
            }

            return (reading.Series.Count, reading.Series.Sum(series => series.Points.Count));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            problems.Add(new(path, exception.Message));
            return (0, 0);
        }
    }

    private static string NameOf(ForeignSeries series) => Prefix + Convert.ToHexStringLower(
        SHA256.HashData(Encoding.UTF8.GetBytes($"{series.Tool}\n{series.Name}\n{series.Unit}")))[..16];
}
