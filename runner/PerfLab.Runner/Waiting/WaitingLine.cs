using PerfLab.Machine.Kernel;

namespace PerfLab.Runner.Waiting;

/// <summary>
/// Who waits for the machine, oldest first: a lock says who has it and not whose turn is next. Each keeps a file beside the lock, locked
/// while it waits, whose name says since when; one that nobody holds is of a process that died.
/// </summary>
internal sealed class WaitingLine : IDisposable
{
    private const string Mark = ".waits-";

    private static int _joined;

    private readonly IDisposable _held;
    private readonly string _path;

    private WaitingLine(IDisposable held, string path) => (_held, _path) = (held, path);

    /// <summary>Joins the line at its end; null where no file can be made: then whoever looks first is next, as without a line.</summary>
    /// <param name="path">Of the machine's lock.</param>
    public static WaitingLine? Join(string path, TimeProvider clock)
    {
        var since = clock.GetUtcNow().UtcTicks;
        var own = Invariant($"{path}{Mark}{since:D20}-{Environment.ProcessId}-{Interlocked.Increment(ref _joined)}");
        try
        {
            return new(LockFile.Take(own), own);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Whether anybody waits who came before; for who is not in the line that is anybody.</summary>
    public static bool IsAnybodyBefore(string path, WaitingLine? own)
    {
        try
        {
            return Directory.EnumerateFiles(Path.GetDirectoryName(path)!, Path.GetFileName(path) + Mark + "*")
                .Where(waiting => own is null || string.CompareOrdinal(Path.GetFileName(waiting), Path.GetFileName(own._path)) < 0)
                .Any(IsHeld);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    public void Dispose()
    {
        Remove(_path);
        _held.Dispose();
    }

    private static bool IsHeld(string waiting)
    {
        try
        {
            using var free = LockFile.Take(waiting);
            Remove(waiting);
            return false;
        }
        catch (LockHeldException)
        {
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static void Remove(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Another user's: it is passed over, since nobody holds it.
        }
    }
}
