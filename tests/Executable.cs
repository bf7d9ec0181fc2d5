using System.Diagnostics;

namespace PerfLab.Tests;

/// <summary>
/// A file that a test wrote, as a program. Linux starts none that anybody has open for writing ("Text file busy"), and a process that another
/// test starts meanwhile holds for a moment all that this one has open: so a child of its own writes what is started.
/// </summary>
internal static class Executable
{
    public static void Make(string path)
    {
        const string Copy = "cp \"$0\" \"$0.new\" && chmod 755 \"$0.new\" && mv \"$0.new\" \"$0\"";
        using var shell = Process.Start(new ProcessStartInfo("/bin/sh") { ArgumentList = { "-c", Copy, path } })!;
        shell.WaitForExit();
        shell.ExitCode.ShouldBe(0, path);
    }
}
