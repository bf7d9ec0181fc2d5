using PerfLab.Building.Manifests;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Keeping;

/// <summary>Builds of sessions that were not measured to their end, so that `--resume` still can.</summary>
internal static class NeededBuilds
{
    /// <summary>A journal's last line: its end has a few hundred bytes.</summary>
    private const int MostOfEnd = 4096;

    /// <summary>Paths of builds. A session that nobody touched for 30 days is no longer waited for.</summary>
    public static IReadOnlySet<string> Of(LabConfig config, DateTime now) => Folders(config)
        .Where(folder => now - LastTouched(folder) < TimeSpan.FromDays(OldBuilds.Days) && !HasEnded(folder)).SelectMany(Builds)
        .ToHashSet(StringComparer.Ordinal);

    /// <summary>Remembers a session whose folder is none of the store's.</summary>
    public static void Remember(LabConfig config, string session)
    {
        if (!session.StartsWith(config.Store + "/", StringComparison.Ordinal)
            && !Elsewhere(config).Contains(session, StringComparer.Ordinal))
        {
            File.AppendAllText(ListOf(config), session + "\n");
        }
    }

    private static IEnumerable<string> Folders(LabConfig config) =>
        new[] { "sessions", "bisects", "backfills" }.Select(name => Path.Combine(config.Store, name)).Where(Directory.Exists)
            .SelectMany(place => Directory.EnumerateFiles(place, SessionFolder.BuildsFile, SearchOption.AllDirectories))
            .Select(file => Path.GetDirectoryName(file)!)
            .Concat(Elsewhere(config).Where(folder => File.Exists(Path.Combine(folder, SessionFolder.BuildsFile))));

    private static string ListOf(LabConfig config) => Path.Combine(config.Store, "sessions-elsewhere");

    private static string[] Elsewhere(LabConfig config) => File.Exists(ListOf(config)) ? File.ReadAllLines(ListOf(config)) : [];

    private static DateTime LastTouched(string folder) =>
        Directory.EnumerateFiles(folder).Max(file => File.GetLastWriteTimeUtc(file));

    private static bool HasEnded(string folder)
    {
        var journal = Path.Combine(folder, SessionFolder.Journal);
        if (!File.Exists(journal))
        {
            return false;
        }

        // Of what is being written now the end is not there yet.
        using var file = new FileStream(journal, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        file.Seek(-Math.Min(MostOfEnd, file.Length), SeekOrigin.End);
        var last = new byte[MostOfEnd];
        var text = Encoding.UTF8.GetString(last, 0, file.ReadAtLeast(last, last.Length, throwOnEndOfStream: false)).TrimEnd('\n');
        return text[(text.LastIndexOf('\n') + 1)..] is var line && line.StartsWith("{\"kind\":\"end\"", StringComparison.Ordinal)
            && line.Contains("\"outcome\":\"complete\"", StringComparison.Ordinal);
    }

    private static IEnumerable<string> Builds(string folder)
    {
        // One that can't be read can't be resumed either.
        var file = new FileInfo(Path.Combine(folder, SessionFolder.BuildsFile));
        return file.Length > BuildsFile.File.MostBytes
            || BuildsFile.File.Read(File.ReadAllBytes(file.FullName)).Value is not { } builds ? []
            : builds.Arms.Select(arm => arm.Build?.Folder).OfType<string>();
    }
}
