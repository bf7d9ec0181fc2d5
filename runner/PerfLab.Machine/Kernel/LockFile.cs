using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace PerfLab.Machine.Kernel;

/// <summary>
/// A lock that several users of one Linux machine share. flock(2) asks for an open file, not for the right to write it, so a file that
/// another user made will do. It lies where anybody may make files: no link is followed, nothing is waited for, nothing in it is changed.
/// </summary>
public static partial class LockFile
{
    private const int Missing = 2, Exists = 17, IsHeld = 11, NotAllowed = 13, IsLink = 40;
    private const int Create = 0x40, Exclusive = 0x80, NonBlocking = 0x800, CloseOnExec = 0x80000, NoFollow = 0x20000, ReadWrite = 2;
    private const int LockExclusively = 2, DoNotWait = 4, Unlock = 8;
    private const int ForEverybody = 0x1A4; // 0644

    /// <summary>Held until disposed; the kernel frees it when the process dies.</summary>
    /// <exception cref="LockHeldException">Somebody holds it.</exception>
    /// <exception cref="IOException">It can't be had.</exception>
    /// <exception cref="UnauthorizedAccessException">It is closed to this user.</exception>
    public static IDisposable Take(string path)
    {
        while (true)
        {
            var file = OpenExisting(path) ?? MakeNew(path);
            if (file is null)
            {
                continue; // made by somebody else between the two
            }

            if (Lock(file, LockExclusively | DoNotWait) != 0)
            {
                var error = Marshal.GetLastPInvokeError();
                using (file)
                {
                    throw error == IsHeld ? new LockHeldException(LockHolder.Of(file)) : Problem(path, error);
                }
            }

            if (!IsGone(file))
            {
                return new Held(file);
            }

            file.Dispose(); // its holder, or who cleans that folder, removed it meanwhile: whoever comes next makes another
        }
    }

    /// <summary>Opens what somebody else may have put there; null when there is nothing.</summary>
    public static SafeFileHandle? OpenExisting(string path)
    {
        if (Directory.Exists(path))
        {
            throw new IOException($"{path} is a folder");
        }

        var file = Open(path, NonBlocking | CloseOnExec | NoFollow, 0);
        var error = Marshal.GetLastPInvokeError();
        return !file.IsInvalid ? file : error == Missing ? null : throw Problem(path, error);
    }

    private static SafeFileHandle? MakeNew(string path)
    {
        var file = Open(path, ReadWrite | Create | Exclusive | CloseOnExec | NoFollow, ForEverybody);
        var error = Marshal.GetLastPInvokeError();
        if (file.IsInvalid)
        {
            return error == Exists ? null : throw Problem(path, error);
        }

        File.SetUnixFileMode(file, (UnixFileMode)ForEverybody); // whatever the umask: others have to open it
        return file;
    }

    /// <summary>
    /// Closing alone would not free it: a program that this process starts just then has the open file, too, until it is what it becomes.
    /// </summary>
    private sealed class Held(SafeFileHandle file) : IDisposable
    {
        public void Dispose()
        {
            if (!file.IsClosed)
            {
                _ = Lock(file, Unlock);
                file.Dispose();
            }
        }
    }

    private static bool IsGone(SafeFileHandle file) =>
        File.ResolveLinkTarget($"/proc/self/fd/{file.DangerousGetHandle()}", returnFinalTarget: false) is { } place
        && place.FullName.EndsWith(" (deleted)", StringComparison.Ordinal);

    private static Exception Problem(string path, int error) => error switch
    {
        IsLink => new IOException($"{path} is a link, and a lock is a plain file; remove the link"),
        NotAllowed => new UnauthorizedAccessException($"Access to the path '{path}' is denied."),
        _ => new IOException($"{Marshal.GetPInvokeErrorMessage(error)} : '{path}'"),
    };

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle Open(string path, int flags, int mode);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    private static partial int Lock(SafeFileHandle file, int operation);
}

/// <summary>Somebody holds the lock. <paramref name="holder"/> is null where the kernel does not say who.</summary>
public sealed class LockHeldException(LockHolder? holder) : IOException("the lock is held", 11)
{
    public LockHolder? Holder => holder;
}

/// <summary>Who holds a lock, as the kernel says: nobody can write that.</summary>
/// <param name="User">Its user; null when it is ours.</param>
public sealed record LockHolder(int Process, string? User)
{
    public static LockHolder? Of(SafeFileHandle file)
    {
        try
        {
            // "ino:	1234" (Linux 5.14 and later), and "1: FLOCK  ADVISORY  WRITE 700 fe:00:1234 0 EOF".
            var inode = File.ReadLines($"/proc/self/fdinfo/{file.DangerousGetHandle()}")
                .FirstOrDefault(line => line.StartsWith("ino:", StringComparison.Ordinal))?[4..].Trim() ?? "unknown";
            var lockLine = File.ReadLines("/proc/locks").Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)).FirstOrDefault(
                words => words is [_, "FLOCK", _, "WRITE", _, var place, ..]
                    && place.EndsWith(":" + inode, StringComparison.Ordinal));
            return lockLine is not null && int.TryParse(lockLine[4], CultureInfo.InvariantCulture, out var process) && process > 0
                && UserOf(process) is { } user
                ? new(process, user == UserOf(Environment.ProcessId) ? null : NameOf(user)) : null;
        }
        catch (Exception unknown) when (unknown is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string? UserOf(int process) => File.ReadLines(Invariant($"/proc/{process}/status"))
        .FirstOrDefault(line => line.StartsWith("Uid:", StringComparison.Ordinal))?.Split('\t')[1];

    private static string NameOf(string user) => File.ReadLines("/etc/passwd").Select(line => line.Split(':'))
        .FirstOrDefault(entry => entry.Length > 2 && entry[2] == user)?[0] ?? $"number {user}";
}
