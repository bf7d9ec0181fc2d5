namespace PerfLab.Launching.Processes;

/// <summary>How the process executor is set up; the defaults are what users get.</summary>
public sealed record ProcessExecutorOptions
{
    /// <summary>Where the launcher makes its own folder.</summary>
    public string TemporaryRoot { get; init; } = Path.GetTempPath();

    /// <summary>Between SIGTERM and SIGKILL.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Bytes on stdout and stderr together after which a launch is stopped.</summary>
    public long OutputLimitBytes { get; init; } = 16L << 20;

    /// <summary>Looked up in this list of folders: bwrap, setpriv.</summary>
    public string ToolPath { get; init; } = Environment.GetEnvironmentVariable("PATH") ?? "/usr/bin:/bin";

    /// <summary>False leaves bubblewrap aside even where it is installed.</summary>
    public bool Sandbox { get; init; } = true;
}

/// <summary>Looks programs up as execvp(3) would, but in the path that is given instead of our own.</summary>
internal static class ProgramPath
{
    /// <summary>Absolute path of an executable, null when there is none.</summary>
    public static string? Find(string name, string path) =>
        path.Split(':', StringSplitOptions.RemoveEmptyEntries)
            .Select(folder => Path.Combine(folder, name))
            .FirstOrDefault(IsExecutable);

    public static bool IsExecutable(string file) =>
        File.Exists(file)
        && (File.GetUnixFileMode(file) & (UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute)) != UnixFileMode.None;
}
