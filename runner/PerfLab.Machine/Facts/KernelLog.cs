using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace PerfLab.Machine.Facts;

/// <summary>
/// The kernel's messages from now on (/dev/kmsg: one record a read; opened without blocking, so that "nothing new" is an answer).
/// </summary>
internal sealed partial class KernelLog : IDisposable
{
    public const string Path = "/dev/kmsg";

    private const int NonBlocking = 0x800;      // O_NONBLOCK on Linux
    private const int CloseOnExec = 0x80000;    // O_CLOEXEC
    private const int FromEnd = 2;              // SEEK_END
    private const int BrokenPipe = 32;          // EPIPE: older records were overwritten before we read them
    private const int MostRecords = 10_000;

    private readonly SafeFileHandle _file;
    private readonly byte[] _record = new byte[16 * 1024];

    private KernelLog(SafeFileHandle file) => _file = file;

    /// <summary>Null where this user may not read it, or there is none.</summary>
    public static KernelLog? Open(MachineFiles files)
    {
        if (!OperatingSystem.IsLinux() || !File.Exists(files.At(Path)))
        {
            return null;
        }

        var file = OpenFile(files.At(Path), NonBlocking | CloseOnExec);
        if (file.IsInvalid || Seek(file, 0, FromEnd) < 0)
        {
            file.Dispose();
            return null;
        }

        return new KernelLog(file);
    }

    /// <summary>What the kernel said since the last call; at most 10,000 records.</summary>
    public IReadOnlyList<string> Next()
    {
        var records = new List<string>();
        for (var i = 0; i < MostRecords; i++)
        {
            var count = Read(_file, _record, (nuint)_record.Length);
            if (count > 0)
            {
                records.AddRange(Encoding.UTF8.GetString(_record, 0, (int)count).Split('\n', StringSplitOptions.RemoveEmptyEntries));
            }
            else if (count == 0 || Marshal.GetLastPInvokeError() != BrokenPipe)
            {
                break;
            }
        }

        return records;
    }

    public void Dispose() => _file.Dispose();

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial SafeFileHandle OpenFile(string path, int flags);

    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial long Seek(SafeFileHandle file, long offset, int whence);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint Read(SafeFileHandle file, [Out] byte[] buffer, nuint count);
}
