using System.ComponentModel;
using System.Runtime.InteropServices;

namespace PerfLab.Machine.Kernel;

/// <summary>Gives this very process to another program (execve), with its id, its streams, its environment and whoever waits for it.</summary>
public static partial class OtherProgram
{
    /// <summary>Comes back only when the kernel refuses.</summary>
    /// <param name="path">The program's file.</param>
    /// <param name="arguments">What it is given, without its own name.</param>
    /// <returns>Why it could not be started.</returns>
    public static string Become(string path, IReadOnlyList<string> arguments)
    {
        // The list ends with a null pointer, as C has it.
        _ = Execute(path, [path, .. arguments, null]);
        return $"{path} can't be started: {new Win32Exception(Marshal.GetLastPInvokeError()).Message}";
    }

    [LibraryImport("libc", EntryPoint = "execv", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    private static partial int Execute(string path, string?[] arguments);
}
