using PerfLab.Machine.Kernel;

namespace PerfLab.Machine.Facts;

/// <summary>Room where a session writes.</summary>
/// <param name="FreeFiles">Files (inodes) that may still be made; 0 of 0 where the file system does not count them.</param>
internal sealed record DiskSpace(long FreeBytes, long TotalBytes, long FreeFiles = 0, long TotalFiles = 0)
{
    /// <summary>Below it a session is not begun under the policies of a lab: file systems slow down, and a full disk loses the session.</summary>
    public const double LeastFreeShare = 0.20;

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
            var (free, total) = Files(there);
            return new DiskSpace(drive.AvailableFreeSpace, drive.TotalSize, free, total);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    // struct statvfs of Linux x64 (both C libraries): eleven longs, f_files the sixth, f_favail the eighth; some spare ones follow.
    private static unsafe (long Free, long Total) Files(string folder)
    {
        var answer = stackalloc ulong[32];
        return Libc.StatFileSystem(folder, answer) == 0 && answer[5] < long.MaxValue && answer[7] <= answer[5] ? ((long)answer[7], (long)answer[5]) : (0, 0);
    }
}
