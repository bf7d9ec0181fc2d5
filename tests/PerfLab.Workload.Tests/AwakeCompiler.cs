using System.Globalization;
using PerfLab.Building.Tools;

namespace PerfLab.Workload.Tests;

/// <summary>
/// The SDK with a compiler that stays awake between the builds of a test run. To start it anew takes longer than all else of a build, and
/// gives the same bits: RealBuildTests builds with and without. `./perf-lab test --all` does without everywhere, as the lab does.
/// </summary>
internal sealed class AwakeCompiler : IDisposable
{
    // Of this run: nobody else's compiler is used, or stopped.
    private readonly string _name = $"perf-lab-{Guid.NewGuid():n}";

    /// <param name="folder">Where the stand-in for `dotnet` is written.</param>
    public AwakeCompiler(string folder)
    {
        if (Nightly.IsAsked)
        {
            Dotnet = new DotnetCli();
            return;
        }

        var script = Path.Combine(folder, "dotnet");
        File.WriteAllText(script, $"""
            #!/bin/sh
            case "$1" in publish) set -- "$@" -p:UseSharedCompilation=true -p:SharedCompilationId={_name} ;; esac
            exec dotnet "$@"

            """);
        Executable.Make(script);
        Dotnet = new DotnetCli(script);
    }

    public DotnetCli Dotnet { get; }

    /// <summary>A build started it, so it is nobody's child; it would end by itself after ten minutes.</summary>
    public void Dispose()
    {
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out var id)
                && Words(folder).Contains($"-pipename:{_name}"))
            {
                End(id);
            }
        }
    }

    private static string[] Words(string folder)
    {
        try
        {
            return File.ReadAllText(Path.Combine(folder, "cmdline")).Split('\0');
        }
        catch (Exception gone) when (gone is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static void End(int id)
    {
        try
        {
            using var process = System.Diagnostics.Process.GetProcessById(id);
            process.Kill();
        }
        catch (Exception ended) when (ended is ArgumentException or InvalidOperationException)
        {
            // By itself.
        }
    }
}
