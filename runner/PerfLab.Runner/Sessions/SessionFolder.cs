using System.Security.Cryptography;
using PerfLab.Core.Model;
using PerfLab.Machine.Kernel;
using PerfLab.Programs;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Sessions;

/// <summary>The files of one session (docs/internals/formats.md), and who may write them.</summary>
internal sealed class SessionFolder : IDisposable
{
    /// <summary>What traced launches said of rows that moved; absent where nobody asked.</summary>
    public const string ExplanationFile = "explanation.json";

    /// <summary>Journals of several machines in one folder, by the number of the shard.</summary>
    public const string ShardJournals = "samples-*.ndjson";
    public const string Journal = "samples.ndjson", ComparisonFile = "comparison.json", PlanFile = "plan.json", BuildsFile = "builds.json";

    private readonly FileStream _lock;

    private SessionFolder(string path, FileStream lockFile) => (Folder, _lock) = (path, lockFile);

    public string Folder { get; }

    /// <summary>The session's id: the folder's name.</summary>
    public string Id => Path.GetFileName(Folder);

    public string Plan => Path.Combine(Folder, PlanFile);

    public string Builds => Path.Combine(Folder, BuildsFile);

    public string Samples => Path.Combine(Folder, Journal);

    public string Comparison => Path.Combine(Folder, ComparisonFile);

    public string Explanation => Path.Combine(Folder, ExplanationFile);

    /// <summary>Names of what says why rows moved: the explanation, and a flame graph for each row; none where nobody asked.</summary>
    public IReadOnlyList<string> WhyFiles => !File.Exists(Explanation) ? []
        : [ExplanationFile, .. Directory.EnumerateFiles(Folder, FlameGraph("*", "*")).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    /// <summary>Name of the picture of where a row's time went.</summary>
    public static string FlameGraph(string cell, string arm) => $"why-{cell}-{arm}.svg";

    /// <summary>A new id: sortable by time, and random so that two can't meet.</summary>
    public static string NewId(TimeProvider clock) =>
        clock.GetUtcNow().ToString("yyyyMMdd'-'HHmmss", CultureInfo.InvariantCulture) + "-" + Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(2));

    /// <summary>Opens a folder for a new session; one that holds a session already is refused before anything in it changes.</summary>
    public static SessionFolder OpenNew(string folder) =>
        File.Exists(Path.Combine(folder, PlanFile)) || File.Exists(Path.Combine(folder, Journal))
            ? throw new LabException($"opening {folder} for a new session", "it holds a session already",
                "name another folder with --out; `run --resume DIR` goes on with a session, `explain` and `report` read one")
            : Open(folder);

    /// <summary>Opens the folder for writing; a second writer is turned away.</summary>
    public static SessionFolder Open(string folder)
    {
        try
        {
            Directory.CreateDirectory(folder);
            // Held open without sharing: the kernel frees it when the process dies, however it dies.
            return new(Path.GetFullPath(folder), new FileStream(Path.Combine(folder, "lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new LabException($"opening the session folder {folder}", exception.Message,
                MachineLock.IsHeld(exception) ? "another perf-lab writes there: wait for it, or name another folder with --out"
                    : "name a folder that you may write with --out", exception);
        }
    }

    /// <summary>Opens the folder of a session that was begun; a mistyped one is not made.</summary>
    public static SessionFolder OpenBegun(string folder) => File.Exists(Path.Combine(folder, PlanFile)) ? Open(folder)
        : throw new LabException($"reading {Path.Combine(folder, PlanFile)}", "there is no such file, so no session was begun here",
        "name the folder that the session printed; without --out it is in .perf-lab/sessions");

    /// <summary>The path of a file that somebody names, or whose session's folder they name; "-" as it is.</summary>
    /// <param name="file">Its name in the folder: "samples.ndjson".</param>
    /// <exception cref="LabException">It is a folder without that file.</exception>
    public static string Locate(Terminal terminal, string named, string file)
    {
        var path = InputFile.Locate(terminal, named);
        return InputFile.IsStandardInput(path) || !Directory.Exists(path) ? path
            : Path.Combine(path, file) is var inside && File.Exists(inside) ? inside
            : throw new LabException($"reading {path}", $"the folder holds no {file}",
                File.Exists(Path.Combine(path, Journal))
                ? $"it was cut before it was compared: `./perf-lab compare {named} --out {named}` makes it"
                : "name a session's folder (without --out it is in .perf-lab/sessions), or the file");
    }

    public void Dispose() => _lock.Dispose();

    /// <summary>Whole or not at all: temp file, sync, rename, sync of the folder's entry.</summary>
    public static void WriteWhole(string path, string text) => WriteWhole(path, stream => stream.Write(System.Text.Encoding.UTF8.GetBytes(text)));

    public static void WriteWhole(string path, Action<Stream> write)
    {
        var temporary = path + ".tmp";
        try
        {
            using var stream = new FileStream(temporary, FileMode.Create, FileAccess.Write);
            write(stream);
            stream.Flush(flushToDisk: true);
        }
        catch (IOException)
        {
            File.Delete(temporary);
            throw;
        }

        File.Move(temporary, path, overwrite: true);
        DirectorySync.Sync(Path.GetDirectoryName(Path.GetFullPath(path))!);
    }
}
