namespace PerfLab.Launching.Processes;

/// <summary>
/// The launcher's own folder. The path of the result has the same text for every launch of it, so that no arm can be told by its
/// environment; what is behind the path is new each time.
/// </summary>
internal sealed class LauncherFolder
{
    private const string Prefix = "perf-lab-process-";
    private readonly string folder;
    private int stale;

    private LauncherFolder(string folder) => this.folder = folder;

    public string Output => Path.Combine(folder, "out");

    public string ResultFile => Path.Combine(Output, "result.json");

    public string Support => Path.Combine(folder, "etc");

    /// <summary>The environment entry by which a launch's processes are found; no other launcher has the path.</summary>
    public string Marker => MarkerOf(ResultFile);

    public static LauncherFolder Create(string root)
    {
        var path = Path.Combine(Path.GetFullPath(root), Prefix + Guid.NewGuid().ToString("N")[..12]);
        Directory.CreateDirectory(path);
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        File.WriteAllText(Path.Combine(path, "owner"), Environment.ProcessId.ToString(CultureInfo.InvariantCulture));
        return new LauncherFolder(path);
    }

    /// <summary>An empty output folder; what a launch left that can't be deleted is moved out of the way. A problem when neither works.</summary>
    public string? Renew()
    {
        try
        {
            if (!StubbornFolder.Remove(Output))
            {
                Directory.Move(Output, Path.Combine(folder, $"stale-{stale++}"));
            }

            Directory.CreateDirectory(Output);
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return $"the output folder could not be emptied after the launch before: {e.Message}";
        }
    }

    public void Delete() => StubbornFolder.Remove(folder);

    /// <summary>Kills and removes what labs left that are gone (killed, power loss). Folders of other users and of living labs stay.</summary>
    public static void RemoveDead(string root)
    {
        foreach (var dead in Dead(root))
        {
            Survivors.Kill(new LaunchMarks(0, MarkerOf(Path.Combine(dead, "out", "result.json")), static () => []));
            StubbornFolder.Remove(dead);
        }
    }

    /// <summary>Folders of labs that are gone.</summary>
    public static IEnumerable<string> Dead(string root) => Directory.EnumerateDirectories(root, Prefix + "*").Where(IsDead);

    private static string MarkerOf(string resultFile) => $"{ProcessLauncher.ResultVariable}={resultFile}";

    private static bool IsDead(string path)
    {
        try
        {
            var owner = int.Parse(File.ReadAllText(Path.Combine(path, "owner")), CultureInfo.InvariantCulture);
            return owner != Environment.ProcessId && !IsRunning(owner);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException or OverflowException)
        {
            return false;
        }
    }

    // A number that was given to another process only delays the clean-up; nothing is killed by this answer.
    private static bool IsRunning(int pid)
    {
        try
        {
            using var process = System.Diagnostics.Process.GetProcessById(pid);
            return true;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }
}
