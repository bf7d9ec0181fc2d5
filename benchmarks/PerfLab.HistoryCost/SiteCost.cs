using System.Diagnostics;
using System.Text;
using PerfLab.Core.Model;
using PerfLab.Reports.Site;
using PerfLab.Core.Trends;
using PerfLab.History;
using static System.FormattableString;

namespace PerfLab.HistoryCost;

/// <summary>What a site of many long series costs: the time to make it, its size, its largest page.</summary>
internal static class SiteCost
{
    private const int Workloads = 20;

    /// <param name="folder">Gets history.db and site/, which stay: their pages can be loaded afterwards.</param>
    /// <param name="series">Series of a primary metric, on one machine.</param>
    /// <param name="points">Sessions, one a day; each has a value of each series.</param>
    public static void Run(string folder, int series, int points)
    {
        Directory.CreateDirectory(folder);
        using var store = HistoryStore.Open(new(Path.Combine(folder, "history.db")));
        Fill(store, series, points);
        var clock = Stopwatch.StartNew();
        var reader = new SiteReader(store);
        var history = reader.Read(_ => null);
        var read = clock.Elapsed;
        var (files, bytes, largest, name) = (0, 0L, 0L, "");
        foreach (var file in new SiteMaker(history, new("https://github.com/me/my-library")).Files(reader.Series(), reader.Problems))
        {
            var path = Path.Combine(folder, "site", file.Path);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            var content = Encoding.UTF8.GetBytes(file.Content);
            File.WriteAllBytes(path, content);
            (files, bytes) = (files + 1, bytes + content.Length);
            if (content.Length > largest && file.Path.EndsWith(".html", StringComparison.Ordinal))
            {
                (largest, name) = (content.Length, file.Path);
            }
        }

        Console.WriteLine("| series x sessions | sessions read | whole site | files | size | largest page | memory at most |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        Console.WriteLine(Invariant($"| {series} x {points} | {read.TotalSeconds:0.0} s | {clock.Elapsed.TotalSeconds:0.0} s | {files} | {bytes / 1e6:0} MB | {largest / 1e3:0} kB ({name.Split('/')[0]}) | ")
            + Invariant($"{Process.GetCurrentProcess().PeakWorkingSet64 >> 20} MiB |"));
    }

    private static void Fill(HistoryStore store, int series, int points)
    {
        var database = store.Database;
        using var transaction = database.BeginWriting();
        database.Run("INSERT INTO machines (number, fingerprint, cpu, facts) VALUES (1, '0123456789ab', 'AMD EPYC 7763', '{\"cpu.model\":\"AMD EPYC 7763\"}')");
        for (var session = 1; session <= points; session++)
        {
            database.Run(
                "INSERT INTO sessions (number, id, hash, started, kind, machine, executor, complete, cells, launches, samples, flagged) VALUES (@n, @id, @hash, @started, 'Trend', 1, 'docker', 1, @cells, @cells, 0, 0)",
                ("n", session), ("id", Invariant($"day-{session:000}")), ("hash", Hash(Invariant($"session {session}"))), ("started", At(session)), ("cells", series));
        }

        for (var one = 1; one <= series; one++)
        {
            var name = NameOf(one);
            database.Run("INSERT INTO series (number, hash, name) VALUES (@n, @hash, @name)", ("n", one), ("hash", name.Hash), ("name", name.Key));
        }

        database.Add("points", PointRow.Columns, Enumerable.Range(1, series).SelectMany(one => Enumerable.Range(1, points).Select(session => Point(one, session, points))));
        transaction.Commit();
    }

    private static object?[] Point(int series, int session, int sessions)
    {
        var change = (0.01 * Math.Sin((series * 7.0) + (session * 3.1))) + (session > sessions / 2 && series % 50 == 0 ? 0.05 : 0);
        return
        [
            series, At(session), session, series, 1, Hash(Invariant($"commit {session}"))[..40], new string('0', 40), change, change - 0.004, change + 0.004, 0.2, 0.006,
            20, "unchanged", 0.0125, 0.0125 * Math.Exp(change), Array.Empty<byte>(),
        ];
    }

    private static SeriesName NameOf(int number) => new()
    {
        Workload = Invariant($"workload-{number % Workloads:00}"),
        Values = new SortedDictionary<string, string>(StringComparer.Ordinal) { ["runtime"] = "net10.0", ["pgo"] = "on", ["case"] = Invariant($"{number}") },
        Against = new SortedDictionary<string, string>(StringComparer.Ordinal),
        Metric = "time",
        Unit = "s",
        Better = Better.Lower,
        Machine = "0123456789ab",
        Cpu = "AMD EPYC 7763",
        Executor = "docker",
    };

    private static long At(int day) => DateTimeOffset.UnixEpoch.AddDays(20_000 + day).ToUnixTimeMilliseconds();

    private static string Hash(string text) => Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(Encoding.UTF8.GetBytes(text)));
}
