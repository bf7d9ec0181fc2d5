using System.Security.Cryptography;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Trends;

namespace PerfLab.History;

/// <summary>
/// A history as files: the journal of each session, byte for byte, in a file named by its day and its hash, and what is known of the
/// trend. The same history gives the same files, and one more session is one more file, so a branch of an ordinary repository can hold
/// it.
/// </summary>
public static class Bundle
{
    /// <summary>The extension of a journal.</summary>
    public const string Extension = ".ndjson";

    /// <summary>A journal may be this large (docs/internals/formats.md).</summary>
    public const long MostJournalBytes = 64L << 20;

    private const int HashChars = 16;

    /// <summary>Of documents: "trend.json" is the document "trend".</summary>
    private const string DocumentExtension = ".json";

    /// <summary>Writes what is not there yet; says how many sessions that were.</summary>
    public static int Export(HistoryStore store, string folder)
    {
        var written = 0;
        try
        {
            foreach (var session in store.List())
            {
                var path = Path.Combine(folder, NameOf(session.Started, session.Hash));
                if (File.Exists(path))
                {
                    continue;
                }

                // Somebody may have pruned it meanwhile.
                if (store.Journal(session.Id, session.Started) is { } journal)
                {
                    WriteWhole(path, journal);
                    written++;
                }
            }

            foreach (var document in Documents.All(store))
            {
                WriteWhole(Path.Combine(folder, document.Name + DocumentExtension), Encoding.UTF8.GetBytes(document.Content));
            }

            return written;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new LabException($"exporting to {folder}", exception.Message,
                "free space or give access, then run the same command again: what is there already is passed over", exception);
        }
    }

    /// <summary>The name says nothing that a journal could choose.</summary>
    public static string NameOf(DateTimeOffset started, string hash) => Path.Combine(
        started.UtcDateTime.ToString("yyyy", CultureInfo.InvariantCulture),
        $"{started.UtcDateTime.ToString("yyyyMMdd'-'HHmmss", CultureInfo.InvariantCulture)}-{hash[..HashChars]}{Extension}");

    /// <summary>The beginning of the hash that a file's name tells; null for a name that is none of ours.</summary>
    internal static string? HashIn(string path) =>
        Path.GetFileNameWithoutExtension(path).Split('-') is [_, _, var hash] && hash.Length == HashChars ? hash : null;

    internal static string HashOf(ReadOnlySpan<byte> journal) => Convert.ToHexStringLower(SHA256.HashData(journal));

    /// <summary>What a bundle knows of the trend, when it knows more than the history; a bundle may come from anywhere.</summary>
    internal static void TakeDocuments(HistoryStore store, string folder, ICollection<Problem> problems)
    {
        if (Read(Path.Combine(folder, AcceptedLedger.Name + DocumentExtension), AcceptedChanges.File, problems) is { } accepted)
        {
            store.Keep(store.Accepted().With(accepted.Changes));
        }

        foreach (var file in Directory.EnumerateFiles(folder, ForeignLedger.Prefix + "*" + DocumentExtension).Order(StringComparer.Ordinal))
        {
            if (Read(file, ForeignSeries.File, problems) is { } series)
            {
                store.Keep(series);
            }
        }

        if (Read(Path.Combine(folder, "trend" + DocumentExtension), TrendState.File, problems) is { } state
            && (store.Document("trend")?.Updated ?? -1) < (state.Newest?.Started.ToUnixTimeMilliseconds() ?? 0))
        {
            store.Keep(state);
        }
    }

    private static T? Read<T>(string path, FileFormat<T> format, ICollection<Problem> problems)
        where T : class
    {
        var file = new FileInfo(path);
        if (!file.Exists)
        {
            return null;
        }

        if (file.LinkTarget is not null || file.Length > format.MostBytes)
        {
            problems.Add(new(path, $"is a link, or larger than a {file.Name} may be; it was not read"));
            return null;
        }

        var reading = format.Read(File.ReadAllBytes(path));
        foreach (var problem in reading.Problems.Take(3))
        {
            problems.Add(problem with { Where = $"{path}, {problem.Where}" });
        }

        return reading.Value;
    }

    private static void WriteWhole(string path, byte[] content)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        var temporary = path + ".tmp";
        File.WriteAllBytes(temporary, content);
        File.Move(temporary, path, overwrite: true);
    }
}
