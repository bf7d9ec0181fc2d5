using System.Globalization;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Launching;
using PerfLab.Launching.Processes;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>A build folder with one shell script, and a launcher of its own.</summary>
public sealed class ScriptFixture : IAsyncDisposable
{
    public static readonly TimeSpan Grace = TimeSpan.FromMilliseconds(300);
    private static readonly KeyValuePair<string, string>[] PlainEnvironment =
        [new("PATH", "/usr/bin:/bin"), new("HOME", "/tmp"), new("LANG", "C.UTF-8")];

    private readonly DirectoryInfo root = Directory.CreateTempSubdirectory("perf-lab-test-");

    public ScriptFixture(bool sandbox = false)
    {
        Folder = root.CreateSubdirectory("build").FullName;
        Launcher = ProcessLauncher.Create(new ProcessExecutorOptions { TemporaryRoot = root.FullName, Grace = Grace, Sandbox = sandbox });
    }

    public string Folder { get; }

    public string Root => root.FullName;

    public ProcessLauncher Launcher { get; }

    public LaunchSpec Launch(string script, Func<LaunchSpec, LaunchSpec>? change = null)
    {
        Write("run.sh", "#!/bin/sh\n" + script + "\n");
        var launch = new LaunchSpec
        {
            Session = "test",
            Build = new Build("sha256:test", Folder, NeedsShell: true),
            Command = ["./run.sh"],
            Environment = PlainEnvironment,
            Resources = new Resources(1, 256 << 20, 128),
            Timeout = TimeSpan.FromSeconds(20),
        };
        return change is null ? launch : change(launch);
    }

    public Task<LaunchEnd> Run(string script, Func<LaunchSpec, LaunchSpec>? change = null) =>
        Launcher.LaunchAsync(Launch(script, change), TestContext.Current.CancellationToken);

    public void Write(string name, string text, bool executable = true)
    {
        var file = Path.Combine(Folder, name);
        File.WriteAllText(file, text);
        if (executable)
        {
            Executable.Make(file);
        }
    }

    /// <summary>The process ids that a script wrote into a file of its build folder, one a line.</summary>
    public IReadOnlyList<int> Pids(string file) =>
        [.. File.ReadAllLines(Path.Combine(Folder, file)).Select(line => int.Parse(line, CultureInfo.InvariantCulture))];

    /// <summary>True while a process runs; one that only waits to be reaped by init is gone.</summary>
    public static bool IsRunning(int pid)
    {
        try
        {
            return File.ReadAllText($"/proc/{pid}/stat").Split(") ")[^1][0] is not ('Z' or 'X');
        }
        catch (IOException)
        {
            return false;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Launcher.DisposeAsync();
        root.Delete(recursive: true);
    }
}
