using System.ComponentModel;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

[assembly: DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]

namespace PerfLab.Launching.Results;

/// <summary>A file that a workload was told to write.</summary>
/// <param name="Path">Where the lab looks for it.</param>
/// <param name="Name">As sentences about it begin: "the result".</param>
/// <param name="MostBytes">Larger ones are refused.</param>
internal sealed record LeftFile(string Path, string Name, int MostBytes);

/// <summary>Opens what a workload left behind, which may be anything but a file: never follows, never waits, never reads without end.</summary>
internal static partial class ResultFile
{
    public const int LargestBytes = 1 << 20;

    private const int Absent = 2;
    private const int TooManyLinks = 40;
    private const int NotAFolder = 20;
    private const int IsAFolder = 21;
    private const int NoDeviceBehind = 6;
    private const int EmptyPath = 0x1000;
    private const uint BasicFacts = 0x7ff;
    private const int FileTypeMask = 0xF000;
    private const int RegularFile = 0x8000;

    // Read-only, close-on-exec, not followed, not waited for; a folder must be one.
    private const int CloseOnExec = 0x80000, NoFollow = 0x20000, NonBlocking = 0x800, Directory = 0x10000;
    private const int AsFile = CloseOnExec | NoFollow | NonBlocking, AsFolder = CloseOnExec | NoFollow | Directory;

    /// <summary>The bytes of the result, or why there are none. Both null: there is no file.</summary>
    public static (byte[]? Bytes, string? Problem) Read(string path) => Read(new LeftFile(path, "the result", LargestBytes));

    /// <summary>The bytes of a file, or why there are none. Both null: there is no file.</summary>
    public static (byte[]? Bytes, string? Problem) Read(LeftFile left)
    {
        using var folder = Open(Path.GetDirectoryName(left.Path)!, AsFolder);
        if (folder.IsInvalid)
        {
            return (null, OpenProblem($"the folder of {left.Name}", Marshal.GetLastPInvokeError()));
        }

        using var file = OpenIn(folder, Path.GetFileName(left.Path), AsFile);
        if (file.IsInvalid)
        {
            return (null, OpenProblem(left.Name, Marshal.GetLastPInvokeError()));
        }

        return Problem(file, left) is { } problem ? (null, problem) : ReadBounded(file, left);
    }

    private static string? OpenProblem(string what, int error) => error switch
    {
        Absent => null,
        TooManyLinks => $"{what} is a link; it must be where the lab put it",
        NotAFolder => $"{what} is a link or a file, expected a folder; it must be where the lab put it",
        IsAFolder => $"{what} is a folder, expected a regular file",
        NoDeviceBehind => $"{what} is a pipe, socket or device, expected a regular file",
        _ => $"{what} can't be opened: {new Win32Exception(error).Message}",
    };

    private static unsafe string? Problem(SafeFileHandle file, LeftFile left)
    {
        FileFacts facts;
        if (Facts(file, "", EmptyPath, BasicFacts, &facts) != 0)
        {
            return $"{left.Name} can't be inspected: {new Win32Exception(Marshal.GetLastPInvokeError()).Message}";
        }

        return (facts.Mode & FileTypeMask) != RegularFile ? $"{left.Name} is {Kind(facts.Mode)}, expected a regular file"
            : facts.Links != 1 ? $"{left.Name} has {facts.Links} names (hard links), expected a file of its own"
            : facts.Size > (ulong)left.MostBytes ? $"{left.Name} has {facts.Size} bytes, expected at most {left.MostBytes}"
            : null;
    }

    private static string Kind(ushort mode) => (mode & FileTypeMask) switch
    {
        0x1000 => "a pipe",
        0x2000 => "a character device",
        0x4000 => "a folder",
        0x6000 => "a block device",
        0xC000 => "a socket",
        _ => "something else",
    };

    // The size was asked for above, but the writer may still write: the limit holds while reading, too.
    private static (byte[]? Bytes, string? Problem) ReadBounded(SafeFileHandle file, LeftFile left)
    {
        try
        {
            using var stream = new FileStream(file, FileAccess.Read, bufferSize: 0);
            var buffer = new byte[Math.Min(stream.Length, left.MostBytes) + 1];
            var count = stream.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false);
            return count > left.MostBytes ? (null, $"{left.Name} has more than {left.MostBytes} bytes") : (buffer[..count], null);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return (null, $"{left.Name} can't be read: {e.Message}");
        }
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "openat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle OpenIn(SafeFileHandle folder, string name, int flags);

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static unsafe partial int Facts(SafeFileHandle file, string path, int flags, uint mask, FileFacts* facts);

    /// <summary>The beginning of struct statx, which is the same on every architecture (struct stat is not).</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct FileFacts
    {
        [FieldOffset(16)]
        public uint Links;
        [FieldOffset(28)]
        public ushort Mode;
        [FieldOffset(40)]
        public ulong Size;
    }
}
