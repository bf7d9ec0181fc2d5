using System.Runtime.InteropServices;

namespace PerfLab.Machine.Kernel;

/// <summary>Makes a new file's name durable: on Linux a file synced alone may be gone after power loss if its directory was not synced.</summary>
public static partial class DirectorySync
{
    private const int ReadOnlyDirectory = 0x10000;   // O_RDONLY | O_DIRECTORY on Linux x64

    public static void Sync(string directory)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        var descriptor = Open(directory, ReadOnlyDirectory);
        if (descriptor < 0)
        {
            throw new IOException($"{directory} can't be opened to be synced (errno {Marshal.GetLastPInvokeError()}).");
        }

        try
        {
            if (Fsync(descriptor) != 0)
            {
                throw new IOException($"{directory} can't be synced (errno {Marshal.GetLastPInvokeError()}).");
            }
        }
        finally
        {
            _ = Close(descriptor);
        }
    }

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Fsync(int descriptor);

    [LibraryImport("libc", EntryPoint = "close")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Close(int descriptor);
}
