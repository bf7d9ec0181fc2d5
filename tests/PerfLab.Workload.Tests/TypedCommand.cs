using PerfLab.Programs;
using PerfLab.Runner.Commands;

namespace PerfLab.Workload.Tests;

/// <summary>The whole program as a person types it, in a folder that is its own lab.</summary>
internal static class TypedCommand
{
    /// <param name="folder">Where the person stands, and where builds and sessions are kept.</param>
    /// <param name="arguments">As typed, without the program's name.</param>
    /// <param name="lockFolder">Of the machine's lock; null: the same.</param>
    public static async Task<(int Code, string Out, string Error)> RunAsync(string folder, string[] arguments, string? lockFolder = null)
    {
        using StringWriter output = new(), error = new();
        var terminal = new Terminal
        {
            Out = output,
            Error = error,
            Root = folder,
            WorkingFolder = folder,
            MachineLock = Path.Combine(lockFolder ?? folder, "machine.lock"),
        };
        var code = await CommandLine.InvokeAsync(arguments, terminal, TestContext.Current.CancellationToken);
        return (code, output.ToString(), error.ToString());
    }
}
