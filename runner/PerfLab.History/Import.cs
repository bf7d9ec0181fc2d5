using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.History;

/// <summary>What an import did.</summary>
/// <param name="Added">Sessions that are new.</param>
/// <param name="Replaced">Sessions that were kept shorter.</param>
/// <param name="AlreadyThere">Sessions that were kept already.</param>
/// <param name="Samples">Numbers in what is new.</param>
/// <param name="Problems">Files that were not kept, each with its reason.</param>
public sealed record ImportReport(int Added, int Replaced, int AlreadyThere, long Samples, IReadOnlyList<Problem> Problems);

/// <summary>
/// Journals into a history: files, sessions' folders, bundles. Each is kept whole or not at all, and a bad one keeps none of the others
/// out. Journals are read and compared on all cores while one is written.
/// </summary>
public static class Import
{
    /// <param name="store">Where to.</param>
    /// <param name="paths">Files, or folders that hold some, at any depth.</param>
    /// <param name="cancellation">What was kept stays.</param>
    /// <exception cref="HistoryException">The database can't go on; what was kept before is kept.</exception>
    public static ImportReport Run(HistoryStore store, IReadOnlyList<string> paths, CancellationToken cancellation)
    {
        var problems = new List<Problem>();
        var known = store.List().Select(session => session.Hash).ToHashSet(StringComparer.Ordinal);
        var beginnings = known.Select(hash => hash[..16]).ToHashSet(StringComparer.Ordinal);
        var (added, replaced, there, samples) = (0, 0, 0, 0L);
        foreach (var (path, read) in InOrder(Files(paths, problems).Where(file => !IsKnown(file)), path => Read(path, known), cancellation))
        {
            switch (read)
            {
                case { Problem: { } problem }:
                    problems.Add(new(path, problem));
                    break;
                case { Session: { } session }:
                    Keep(path, session, read.Journal);
                    break;
                default:
                    there++;
                    break;
            }
        }

        foreach (var folder in paths.Where(Directory.Exists))
        {
            Bundle.TakeDocuments(store, folder, problems);
        }

        return new(added, replaced, there, samples, problems);

        bool IsKnown(string file)
        {
            var isKnown = Bundle.HashIn(file) is { } hash && beginnings.Contains(hash);
            there += isKnown ? 1 : 0;
            return isKnown;
        }

        void Keep(string path, KeptSession session, ReadOnlyMemory<byte> journal)
        {
            try
            {
                var outcome = store.Keep(session, () => journal);
                added += outcome == KeepOutcome.Added ? 1 : 0;
                replaced += outcome == KeepOutcome.Replaced ? 1 : 0;
                there += outcome == KeepOutcome.AlreadyThere ? 1 : 0;
                samples += outcome == KeepOutcome.AlreadyThere ? 0 : session.Samples;
            }
            catch (LabException exception) when (exception is not HistoryException)
            {
                problems.Add(new(path, $"{exception.CameBack}: {exception.DoNext}"));
            }
        }
    }

    /// <summary>Results in the order of the files, while the next ones are made: one for each core, and no more in memory.</summary>
    private static IEnumerable<(string Path, T Result)> InOrder<T>(IEnumerable<string> files, Func<string, T> make,
        CancellationToken cancellation)
    {
        var ahead = new Queue<(string Path, Task<T> Task)>();
        foreach (var file in files)
        {
            cancellation.ThrowIfCancellationRequested();
            ahead.Enqueue((file, Task.Run(() => make(file), cancellation)));
            if (ahead.Count > Environment.ProcessorCount)
            {
                var (path, task) = ahead.Dequeue();
                yield return (path, task.GetAwaiter().GetResult());
            }
        }

        while (ahead.TryDequeue(out var rest))
        {
            yield return (rest.Path, rest.Task.GetAwaiter().GetResult());
        }
    }

    private static JournalFile Read(string path, HashSet<string> known)
    {
        try
        {
            var file = new FileInfo(path);
            if (file.LinkTarget is not null)
            {
                return new("is a link; name the file itself");
            }

            if (file.Length is 0 or > Bundle.MostJournalBytes)
            {
                return new(file.Length == 0 ? "is empty"
                    : Invariant($"has {file.Length >> 20} MiB, over the limit of {Bundle.MostJournalBytes >> 20}"));
            }

            var journal = File.ReadAllBytes(path);
            return known.Contains(Bundle.HashOf(journal)) ? new(Problem: null)
                : new(Problem: null) { Journal = journal, Session = KeptSession.Read(journal, path) };
        }
        catch (LabException exception)
        {
            return new(exception.CameBack);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return new(exception.Message);
        }
    }

    /// <summary>A folder is gone through by name, so that the same folder is always imported in the same order; links are not
    /// followed.</summary>
    private static IEnumerable<string> Files(IReadOnlyList<string> paths, List<Problem> problems)
    {
        var options = new EnumerationOptions
        {
            RecurseSubdirectories = true,
            AttributesToSkip = FileAttributes.ReparsePoint | FileAttributes.Hidden,
        };
        foreach (var path in paths)
        {
            if (Directory.Exists(path))
            {
                var files = Directory.EnumerateFiles(path, "*" + Bundle.Extension, options).Order(StringComparer.Ordinal).ToList();
                if (files.Count == 0)
                {
                    problems.Add(new(path, "holds no journal: none of its files ends in .ndjson"));
                }

                foreach (var file in files)
                {
                    yield return file;
                }
            }
            else if (File.Exists(path))
            {
                yield return path;
            }
            else
            {
                problems.Add(new(path, "there is no such file or folder"));
            }
        }
    }

    private sealed record JournalFile(string? Problem)
    {
        public KeptSession? Session { get; init; }

        public ReadOnlyMemory<byte> Journal { get; init; }
    }
}
