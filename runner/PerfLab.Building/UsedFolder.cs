namespace PerfLab.Building;

/// <summary>A folder of the store has the time when it was last asked for: by it those are told that nobody needs.</summary>
public static class UsedFolder
{
    /// <summary>Best effort: whoever may read a store need not be able to write there.</summary>
    public static void Mark(string folder)
    {
        try
        {
            Directory.SetLastWriteTimeUtc(folder, DateTime.UtcNow);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It looks older than it is, and is made again.
        }
    }
}
