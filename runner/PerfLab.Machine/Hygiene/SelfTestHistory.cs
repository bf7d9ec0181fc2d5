using PerfLab.Core.Files;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>
/// What this machine's self-tests took before: one line a run, kept with the lab's other files. Only runs of the same processor, kernel,
/// runtime and work count: a new kernel is another machine for a system call, and a Debug build of the runner does other work than a Release build. A missing or damaged file is a short history.
/// </summary>
public sealed class SelfTestHistory(string file)
{
    private const int MostBytes = 1 << 20;

    /// <summary>The median of so many runs is usual.</summary>
    private const int Kept = 20;

    /// <summary>Fewer are no history: two runs may both have been bad.</summary>
    public const int Least = 3;

    /// <summary>Which runs are of one machine, and can be held against each other.</summary>
    public static string Key(JsonObject facts) => Key(facts, SelfTestWork.Name);

    internal static string Key(JsonObject facts, string work)
    {
        var reader = new FactReader(facts);
        return string.Join(" | ", new[] { "cpu.model", "cpu.stepping", "cpu.microcode", "cpu.online", "kernel", "dotnet.runner" }.Select(reader.Text).Append(work));
    }

    /// <summary>Usual medians in seconds by kind of work, and of how many runs; null when there are fewer than three.</summary>
    public (IReadOnlyDictionary<string, double>? Medians, int Runs) Usual(string key)
    {
        var runs = Lines().Select(line => Run.Format.Read(line).Value).OfType<Run>()
            .Where(run => run.Key == key).Select(run => run.Medians).TakeLast(Kept).ToList();
        return runs.Count < Least ? (null, runs.Count)
            : (runs[0].Keys.Where(name => runs.TrueForAll(run => run.ContainsKey(name)))
                .ToDictionary(name => name, name => Median.Of([.. runs.Select(run => run[name])]), StringComparer.Ordinal), runs.Count);
    }

    /// <summary>Adds a run; that the history can't be written never stops a session.</summary>
    public void Add(string key, SelfTestFigures figures, DateTimeOffset when)
    {
        var line = Run.Format.Write(new(key, when.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture), figures.Medians));
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(file))!);
            if (new FileInfo(file) is { Exists: true, Length: > MostBytes })
            {
                File.WriteAllLines(file, File.ReadLines(file).TakeLast(10 * Kept).ToList());
            }

            File.AppendAllText(file, line);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The next run has one less to compare with.
        }
    }

    private string[] Lines() => new MachineFiles().Text(Path.GetFullPath(file), 2 * MostBytes)?.Split('\n') ?? [];

    private sealed record Run(string Key, string Time, [MoreThan(0)] IReadOnlyDictionary<string, double> Medians)
    {
        public static FileFormat<Run> Format { get; } = new("", "a self-test") { IsForeign = true, IsLine = true };
    }
}
