using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Programs;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Keeping;

/// <summary>
/// Which builds and checkouts go: those that no session used for 30 days, and of the others the oldest beyond 5 GiB. Never one that was
/// used in the last two days, or that a session needs which was not measured to its end.
/// </summary>
internal static class OldBuilds
{
    public const int Days = 30, FreshDays = 2;

    public const long MostBytes = 5L << 30;

    /// <summary>Where builds are kept, with what is known of them.</summary>
    public static string StoreOf(LabConfig config) => Path.Combine(config.Store, "builds");

    /// <summary>Builds and checkouts, each a folder of its own.</summary>
    public static IReadOnlyList<StoredFolder> All(LabConfig config) =>
        StoredFolder.Below(Builder.BitsOf(StoreOf(config)), SourceCommits.FolderOf(config));

    /// <param name="all">Builds and checkouts.</param>
    /// <param name="needed">Paths that stay whatever their age.</param>
    /// <param name="now">UTC.</param>
    public static IReadOnlyList<StoredFolder> Of(IReadOnlyList<StoredFolder> all, IReadOnlySet<string> needed, DateTime now)
    {
        var kept = 0L;
        var old = new List<StoredFolder>();
        foreach (var folder in all.OrderByDescending(folder => folder.LastUsed).ThenBy(folder => folder.Path, StringComparer.Ordinal))
        {
            var age = now - folder.LastUsed;
            var stays = needed.Contains(folder.Path) || age < TimeSpan.FromDays(FreshDays)
                || (age < TimeSpan.FromDays(Days) && kept + folder.Bytes <= MostBytes);
            kept += stays ? folder.Bytes : 0;
            if (!stays)
            {
                old.Add(folder);
            }
        }

        return old;
    }

    /// <summary>Once a day, while the machine's lock is held and the session's own builds are there.</summary>
    public static void Remove(LabConfig config, Terminal terminal)
    {
        var now = terminal.Clock.GetUtcNow().UtcDateTime;
        var mark = Path.Combine(StoreOf(config), "looked-through");
        if (now - File.GetLastWriteTimeUtc(mark) < TimeSpan.FromDays(1))
        {
            return;
        }

        try
        {
            Directory.CreateDirectory(StoreOf(config));
            File.WriteAllText(mark, "");
            File.SetLastWriteTimeUtc(mark, now);
            var removed = Of(All(config), NeededBuilds.Of(config, now), now).Where(folder => folder.Remove()).ToList();
            if (removed.Count > 0)
            {
                terminal.Say($"removed {Told(removed)} that no session used for {Days} days, or that were the oldest beyond 5 GiB");
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            terminal.Say($"the clean-up of old builds stopped: {exception.Message}"); // nobody is kept from measuring
        }
    }

    /// <summary>"12 builds and checkouts (1.2 GiB)".</summary>
    public static string Told(IReadOnlyCollection<StoredFolder> folders) =>
        Invariant($"{folders.Count} {(folders.Count == 1 ? "build or checkout" : "builds and checkouts")} ")
            + $"({Size(folders.Sum(one => one.Bytes))})";

    public static string Size(long bytes) => bytes < 1L << 30
        ? Invariant($"{bytes / (1024.0 * 1024):0.0} MiB") : Invariant($"{bytes / (1024.0 * 1024 * 1024):0.0} GiB");
}
