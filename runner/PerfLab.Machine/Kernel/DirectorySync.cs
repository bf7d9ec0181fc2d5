using System.Runtime.InteropServices;

namespace PerfLab.Machine.Kernel;

/// <summary>Makes a new file's name durable: a file synced alone may be gone after power loss if its directory was not synced.</summary>
public static class DirectorySync
{
    private const int ReadOnlyDirectory = 0x10000;   // O_RDONLY | O_DIRECTORY on Linux x64

    public static void Sync(string directory)
    {
        var descriptor = Libc.Open(directory, ReadOnlyDirectory);
        if (descriptor < 0)
        {
            throw new IOException($"{directory} can't be opened to be synced (errno {Marshal.GetLastPInvokeError()}).");
        }

        try
        {
            if (Libc.Sync(descriptor) != 0)
            {
                throw new IOException($"{directory} can't be synced (errno {Marshal.GetLastPInvokeError()}).");
            }
        }
        finally
        {
            _ = Libc.Close(descriptor);
        }
    }
}
