using PerfLab.Launching;

namespace PerfLab.Runner.Keeping;

/// <summary>A build or a checkout in the store.</summary>
/// <param name="Path">Absolute.</param>
/// <param name="Bytes">Of its files.</param>
/// <param name="LastUsed">When a session last asked for it, UTC: the folder's own time, which its makers set.</param>
internal sealed record StoredFolder(string Path, long Bytes, DateTime LastUsed)
{
    private static readonly EnumerationOptions Inside =
        new() { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint, IgnoreInaccessible = true };

    /// <summary>Every folder right below these; places that are not there have none.</summary>
    public static IReadOnlyList<StoredFolder> Below(params IEnumerable<string> places) =>
    [
        .. places.Where(Directory.Exists).SelectMany(place => new DirectoryInfo(place).EnumerateDirectories())
            .Select(folder => new StoredFolder(folder.FullName, SizeOf(folder), folder.LastWriteTimeUtc)),
    ];

    /// <summary>Another name first: a checkout that is half gone must not be taken for a whole one.</summary>
    /// <returns>False when something of it is still there.</returns>
    public bool Remove()
    {
        var gone = Path.EndsWith(Going, StringComparison.Ordinal) ? Path : Path + Going;
        try
        {
            if (gone != Path)
            {
                Directory.Move(Path, gone); // of a file, too
            }
        }
        catch (IOException)
        {
            return !System.IO.Path.Exists(Path); // another perf-lab takes it away
        }

        return StubbornFolder.Remove(gone);
    }

    private const string Going = ".going";

    private static long SizeOf(DirectoryInfo folder) => folder.EnumerateFiles("*", Inside).Sum(file => file.Length);
}
