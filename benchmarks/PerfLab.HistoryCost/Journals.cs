using PerfLab.Calibration;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using static System.FormattableString;

namespace PerfLab.HistoryCost;

/// <summary>Journals as sessions leave them, one a day.</summary>
internal sealed record Journals(string Folder, int Count, long Bytes)
{
    public const int Cells = 200;

    public static Journals Write(string root, long samples)
    {
        var folder = Directory.CreateDirectory(Path.Combine(root, "journals")).FullName;
        var session = SpeedProbe.Session(Cells, 1);
        // Each cell is a series of its own.
        List<Cell> cells = [.. session.Header.Cells.Select(cell => cell with { Parameters = new Dictionary<string, string>(StringComparer.Ordinal) { ["case"] = cell.Id } })];
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
            byte[] header = JournalLine.Of(0, session.Header with { Cells = cells, Session = Invariant($"day-{day:0000}"), Started = DateTimeOffset.UnixEpoch.AddDays(day) });
            File.WriteAllBytes(Path.Combine(folder, Invariant($"day-{day:0000}.ndjson")), [.. header, .. launches]);
            bytes += header.Length + launches.Length;
        }

        return new(folder, count, bytes);
    }
}
