using System;
using System.Runtime.InteropServices;

namespace PerfLab.WorkloadKit;

/// <summary>
/// Ends a process whose JIT lists what it compiles (<c>DOTNET_JitStdOutFile</c>). <c>exit</c> takes the list's buffer away while the JIT's
/// own thread may still write into it: a launch that had measured everything then died of "free(): invalid pointer" or a segmentation
/// fault, on a busy machine in up to one of ten programs that end while they compile.
/// </summary>
internal static class ListedEnd
{
    /// <summary>Call it when all is done: what the program itself does at its end comes before.</summary>
    public static void Prepare()
    {
        // A trace and a profiler are finished by the runtime's own end.
        if (IsSet("DOTNET_JitStdOutFile") && !IsSet("DOTNET_EnableEventPipe") && !IsSet("CORECLR_ENABLE_PROFILING"))
        {
            AppDomain.CurrentDomain.ProcessExit += static (_, _) => End(Environment.ExitCode);
        }
    }

    private static void End(int exitCode)
    {
        try
        {
            if (Flush(IntPtr.Zero) == 0)
            {
                EndAtOnce(exitCode);
            }
        }
        catch (Exception absent) when (absent is DllNotFoundException or EntryPointNotFoundException)
        {
            // No C library of this kind: the process ends as any other.
        }
    }

    private static bool IsSet(string name) => Environment.GetEnvironmentVariable(name) is { Length: > 0 } value && value != "0";

    /// <summary>All streams of the C library, each when nobody writes into it.</summary>
    [DllImport("libc", EntryPoint = "fflush")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Flush(IntPtr all);

    [DllImport("libc", EntryPoint = "_exit")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern void EndAtOnce(int exitCode);
}
