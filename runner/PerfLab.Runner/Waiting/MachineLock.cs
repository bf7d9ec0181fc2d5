using PerfLab.Core.Model;
using PerfLab.Machine.Kernel;

namespace PerfLab.Runner.Waiting;

/// <summary>One measuring session on a machine at a time: two would disturb each other and both publish nonsense.</summary>
internal static class MachineLock
{
    private const string Tried = "measuring on this machine";

    /// <summary>Of what a holder says of itself; the file may be anybody's.</summary>
    private const int LongestNote = 200;

    /// <summary>What a lock that somebody holds comes back as: EWOULDBLOCK of flock.</summary>
    private const int WouldBlock = 11;

    /// <summary>Held until disposed; the kernel frees it when the process dies.</summary>
    /// <param name="path">The same for everybody who measures on this machine.</param>
    /// <param name="holder">What others are told while it is held: who, since when, until about when.</param>
    public static IDisposable Take(string path, string holder = "") => Take(path, holder, null);

    private static Held Take(string path, string holder, WaitingLine? own)
    {
        if (WaitingLine.IsAnybodyBefore(path, own))
        {
            throw new MachineBusyException(
                Tried, $"machine busy: {Waiting(path)}", "wait for your turn (--wait 30m joins those who wait)", null);
        }

        try
        {
            var held = LockFile.Take(path);
            WriteNote(path, holder);
            return new Held(held, NoteOf(path));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Refusal(path, exception);
        }
    }

    /// <summary>What others are told of whoever takes it now.</summary>
    /// <param name="what">It is taken for.</param>
    public static string HolderNow(TimeProvider clock, string what) =>
        Invariant($"{ProcessOf(Environment.ProcessId)}, since {clock.GetUtcNow():HH:mm} UTC, {what}");

    /// <summary>As <see cref="Take(string, string)"/>, but waits for whoever holds it or waited before, and says so.</summary>
    public static Task<MachineTurn> TakeAsync(string path, string holder, WaitBudget budget, CancellationToken cancellationToken) =>
        MachineTurn.TakeAsync(stop => QueueAsync(path, holder, budget, stop), cancellationToken);

    private static async Task<IDisposable> QueueAsync(string path, string holder, WaitBudget budget, CancellationToken cancellationToken)
    {
        WaitingLine? place = null;
        try
        {
            while (true)
            {
                try
                {
                    return Take(path, holder, place);
                }
                catch (MachineBusyException busy) when (!budget.IsOver)
                {
                    place ??= budget.JoinLine(path);
                    await budget.WaitAsync("lock", busy.CameBack, cancellationToken);
                }
            }
        }
        finally
        {
            place?.Dispose();
        }
    }

    /// <summary>Who has it, or that it is free and somebody else's turn.</summary>
    private static string Waiting(string path)
    {
        try
        {
            LockFile.Take(path).Dispose();
        }
        catch (LockHeldException held)
        {
            return $"{Holder(path, held.Holder)} holds {path}";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Whoever waits knows how to take it.
        }

        return "another perf-lab session waits for it, and comes first";
    }

    /// <summary>Whether somebody else holds the lock that could not be taken.</summary>
    public static bool IsHeld(Exception exception) => exception.HResult == WouldBlock;

    internal static LabException Refusal(string path, Exception exception) =>
        IsHeld(exception)
            ? new MachineBusyException(Tried, $"machine busy: {Holder(path, (exception as LockHeldException)?.Holder)} holds {path}",
                "wait until it has ended (--wait 30m waits for it): then the lock is free, although the file stays", exception)
        : exception is UnauthorizedAccessException && File.Exists(path)
            ? new(Tried, $"the lock that keeps sessions apart can't be opened: {exception.Message}",
                "it belongs to another user, who closed it: have them remove the file when no session of theirs runs", exception)
        : new(Tried, $"the lock that keeps sessions apart can't be made: {exception.Message}",
            "make room in its folder, or make it writable; TMPDIR names another, which must be the same for everybody who measures here", exception);

    private static string NoteOf(string path) => path + ".holder";

    // Made anew, never written over: what lies there may be somebody else's, or a link to something else.
    private static void WriteNote(string path, string holder)
    {
        try
        {
            File.Delete(NoteOf(path));
            using var note = new StreamWriter(new FileStream(NoteOf(path), FileMode.CreateNew));
            note.Write(holder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The lock holds without a name.
        }
    }

    /// <summary>What the holder wrote, if it is the kernel's holder who wrote it; a session that says nothing is one all the same.</summary>
    private static string Holder(string path, LockHolder? known)
    {
        var session = known?.User is { } user ? $"another perf-lab session, of the user {user}" : "another perf-lab session";
        var note = Note(path);
        return known is not null && !IsOf(note, known.Process)
                ? $"{session} ({ProcessOf(known.Process)})"
            : note.Length > 0 ? $"{session} ({note})" : session;
    }

    // Not "process 123" for process 12.
    private static bool IsOf(string note, int process) => ProcessOf(process) is var name
        && note.StartsWith(name, StringComparison.Ordinal) && !(note.Length > name.Length && char.IsAsciiDigit(note[name.Length]));

    private static string ProcessOf(int process) => Invariant($"process {process}");

    private static string Note(string path)
    {
        try
        {
            using var file = LockFile.OpenExisting(NoteOf(path));
            var bytes = new byte[LongestNote];
            var count = file is null ? 0 : RandomAccess.Read(file, bytes, 0);
            var note = Encoding.UTF8.GetString(bytes, 0, count);
            return new string([.. note.Select(character => char.IsControl(character) ? ' ' : character)]).Trim();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return "";
        }
    }

    private sealed class Held(IDisposable held, string note) : IDisposable
    {
        public void Dispose()
        {
            try
            {
                File.Delete(note);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // Somebody else's, from before.
            }

            held.Dispose();
        }
    }
}

/// <summary>Somebody else measures: waiting helps.</summary>
internal sealed class MachineBusyException(string tried, string cameBack, string doNext, Exception? inner)
    : LabException(tried, cameBack, doNext, inner);
