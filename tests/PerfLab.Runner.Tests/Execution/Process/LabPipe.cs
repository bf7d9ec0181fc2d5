using System.Runtime.InteropServices;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>The end of the pipe by which a watch sees that its lab lives.</summary>
internal static partial class LabPipe
{
    /// <summary>Ends it as the kernel does when the lab is dead. The number stays taken, so nothing else is closed by its owner.</summary>
    /// <param name="root">Under which the lab's folders lie.</param>
    public static void EndAsTheKernelDoes(string root)
    {
        var pipe = Directory.GetFileSystemEntries("/proc/self/fd").Single(link =>
            new FileInfo(link).LinkTarget is { } target && target.StartsWith(root, StringComparison.Ordinal) && target.EndsWith("/watch", StringComparison.Ordinal));
        using var nothing = File.OpenHandle("/dev/null");
        Duplicate(nothing, int.Parse(Path.GetFileName(pipe), System.Globalization.CultureInfo.InvariantCulture)).ShouldBeGreaterThan(0);
    }

    [LibraryImport("libc", EntryPoint = "dup2")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Duplicate(SafeHandle from, int to);
}
