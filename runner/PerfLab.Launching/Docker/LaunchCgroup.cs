namespace PerfLab.Launching.Docker;

/// <summary>
/// A cgroup of our own above the container's: it survives the container, so peak memory and CPU time are read after the end, without
/// polling (engine-facts 4). Only where that was tried: cgroup v1, the cgroupfs driver, root; elsewhere there is no such evidence.
/// </summary>
internal sealed class LaunchCgroup
{
    private const string Root = "/sys/fs/cgroup";
    private const string Home = "/perf-lab";

    private LaunchCgroup(string parent) => Parent = parent;

    /// <summary>What the engine is told.</summary>
    public string Parent { get; }

    /// <summary>Null where the readings can't be had.</summary>
    public static LaunchCgroup? For(string containerName, string? driver, string? version) =>
        driver is "cgroupfs" && version is "1" or null && Environment.IsPrivilegedProcess && Directory.Exists(Root + "/memory")
            ? new LaunchCgroup($"{Home}/{containerName}")
            : null;

    /// <summary>Adds peak memory in bytes, CPU time in seconds: what is there.</summary>
    public void ReadInto(JsonObject evidence)
    {
        if (ReadNumber("memory", "memory.max_usage_in_bytes") is { } bytes)
        {
            evidence["peakMemoryBytes"] = bytes;
        }

        if (ReadNumber("cpuacct", "cpuacct.usage") is { } nanoseconds)
        {
            evidence["cpuSeconds"] = nanoseconds / 1e9;
        }
    }

    /// <summary>
    /// Removes the cgroups of all containers whose names begin so, in every hierarchy. Best effort: they hold no processes and cost
    /// nothing. The one above them stays: another launcher may be about to put something into it.
    /// </summary>
    public static void Remove(string namePrefix)
    {
        if (!Directory.Exists(Root))
        {
            return;
        }

        foreach (var ours in Directory.EnumerateDirectories(Root).Where(hierarchy => new DirectoryInfo(hierarchy).LinkTarget is null)
            .Select(hierarchy => hierarchy + Home).Where(Directory.Exists))
        {
            foreach (var folder in Directory.EnumerateDirectories(ours, namePrefix + "*"))
            {
                foreach (var child in Directory.EnumerateDirectories(folder))
                {
                    TryRemove(child); // the container's own, where the engine was killed before it could
                }

                TryRemove(folder);
            }
        }
    }

    private static void TryRemove(string folder)
    {
        try
        {
            Directory.Delete(folder); // rmdir: only a cgroup without children and processes goes
        }
        catch (Exception busy) when (busy is IOException or UnauthorizedAccessException)
        {
            // Still in use, by another launcher or by a container that outlives its engine.
        }
    }

    private long? ReadNumber(string controller, string file)
    {
        try
        {
            var text = File.ReadAllText($"{Root}/{controller}{Parent}/{file}").Trim();
            return long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;
        }
        catch (Exception absent) when (absent is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
