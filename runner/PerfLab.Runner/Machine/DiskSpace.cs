namespace PerfLab.Runner.Machine;

/// <summary>Room where a session writes.</summary>
/// <param name="FreeBytes">What this user may still write.</param>
/// <param name="TotalBytes">Size of the file system.</param>
public sealed record DiskSpace(long FreeBytes, long TotalBytes)
{
    /// <summary>Below it a session is not begun under the policies of a lab: file systems slow down, and a full disk loses the session.</summary>
    public const double LeastFreeShare = 0.20;

    /// <summary>From 0 to 1; 0 for a file system that says it has no size.</summary>
    public double FreeShare => TotalBytes > 0 ? (double)FreeBytes / TotalBytes : 0;

    /// <summary>Of the file system that holds <paramref name="folder"/>, or its nearest parent that exists; null when nobody can say.</summary>
    public static DiskSpace? Of(string folder)
    {
        try
        {
            var there = Path.GetFullPath(folder);
            while (!Directory.Exists(there) && Path.GetDirectoryName(there) is { } parent)
            {
                there = parent;
            }

            var drive = new DriveInfo(there);
            return new DiskSpace(drive.AvailableFreeSpace, drive.TotalSize);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }
}
