using PerfLab.Core.Model;

namespace PerfLab.Runner.Sessions;

/// <summary>One measuring session on a machine at a time: two would disturb each other and both publish nonsense.</summary>
internal static class MachineLock
{
    private const string Tried = "measuring on this machine";

    /// <summary>What a lock that somebody holds comes back as: EWOULDBLOCK of flock on Linux and macOS, a sharing violation on Windows.</summary>
    private const int WouldBlockOnLinux = 11, WouldBlockOnMacOS = 35, SharingViolation = unchecked((int)0x80070020);

    /// <summary>Held until disposed; the kernel frees it when the process dies.</summary>
    public static IDisposable Take(string path)
    {
        try
        {
            return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Refusal(path, exception);
        }
    }

    internal static LabException Refusal(string path, Exception exception) =>
        exception.HResult is WouldBlockOnLinux or WouldBlockOnMacOS or SharingViolation
            ? new(Tried, $"machine busy: another perf-lab session holds {path}", "wait until it has ended: then the lock is free, although the file stays", exception)
        : exception is UnauthorizedAccessException && File.Exists(path)
            ? new(Tried, $"the lock that keeps sessions apart can't be opened: {exception.Message}",
                "it belongs to another user: measure as that user, or have them remove the file when no session of theirs runs", exception)
        : new(Tried, $"the lock that keeps sessions apart can't be made: {exception.Message}",
            "make room in its folder, or make it writable; TMPDIR names another, which must be the same for everybody who measures here", exception);
}
