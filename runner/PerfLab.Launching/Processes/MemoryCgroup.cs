namespace PerfLab.Launching.Processes;

/// <summary>Where on this machine a memory cgroup can be made: found once, tried for real.</summary>
internal sealed record MemoryCgroupHome(string Folder, bool Version2)
{
    /// <summary>Lower-case prefix of every cgroup of the lab; followed by the runner's process id, so that dead ones can be told.</summary>
    public const string Prefix = "perf-lab-";

    /// <summary>Null when this user or kernel offers none (no root, no delegation, no memory controller).</summary>
    public static MemoryCgroupHome? Find(string mounts = "/sys/fs/cgroup", string membership = "/proc/self/cgroup")
    {
        try
        {
            return Candidates(mounts, File.ReadAllLines(membership)).FirstOrDefault(home => home.Works());
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Removes the cgroups of labs that are gone. Never fails: what is still in use stays.</summary>
    public void RemoveDead()
    {
        foreach (var folder in Directory.EnumerateDirectories(Folder, Prefix + "*"))
        {
            var owner = Path.GetFileName(folder)[Prefix.Length..].Split('-')[0];
            if (int.TryParse(owner, NumberStyles.None, CultureInfo.InvariantCulture, out var pid) && !Directory.Exists($"/proc/{pid}"))
            {
                MemoryCgroup.TryRemove(folder);
            }
        }
    }

    private static IEnumerable<MemoryCgroupHome> Candidates(string mounts, string[] membership)
    {
        foreach (var line in membership)
        {
            var parts = line.Split(':', 3);
            if (parts.Length == 3 && parts[1].Split(',').Contains("memory", StringComparer.Ordinal))
            {
                yield return new MemoryCgroupHome($"{mounts}/memory{parts[2]}".TrimEnd('/'), Version2: false);
                yield return new MemoryCgroupHome($"{mounts}/memory", Version2: false);
            }

            if (parts is ["0", "", _])
            {
                // A cgroup v2 with processes can't limit children, except the root: so the parent and the root are tried too.
                yield return new MemoryCgroupHome($"{mounts}{parts[2]}".TrimEnd('/'), Version2: true);
                yield return new MemoryCgroupHome($"{mounts}{Path.GetDirectoryName(parts[2])}".TrimEnd('/'), Version2: true);
                yield return new MemoryCgroupHome(mounts, Version2: true);
            }
        }
    }

    private bool Works()
    {
        using var trial = MemoryCgroup.TryCreate(this, limitBytes: 64 << 20, pids: 64);
        return trial is not null;
    }
}

/// <summary>The memory limit of one launch: a cgroup of its own, so that its counters are the launch's.</summary>
internal sealed class MemoryCgroup : IDisposable
{
    private readonly MemoryCgroupHome home;
    private MemoryCgroup(MemoryCgroupHome home, string folder) => (this.home, Folder) = (home, folder);

    public string Folder { get; }

    public bool IsVersion2 => home.Version2;

    /// <summary>Kills by the kernel in this cgroup; null when it can't be read.</summary>
    public long? Kills => Counter(home.Version2 ? "memory.events" : "memory.oom_control", "oom_kill");

    /// <summary>Peak of everything charged to the launch, page cache included; null before Linux 5.19 with cgroup v2.</summary>
    public long? PeakBytes => Number(home.Version2 ? "memory.peak" : "memory.max_usage_in_bytes");

    /// <summary>Processor time of everything in it; null with cgroup v1, where another hierarchy counts it.</summary>
    public double? CpuSeconds => home.Version2 && Counter("cpu.stat", "usage_usec") is { } microseconds ? microseconds / 1e6 : null;

    /// <summary>For how long a quota stopped it; null with cgroup v1, and where the group has no cpu controller.</summary>
    public double? ThrottledSeconds =>
        home.Version2 && Counter("cpu.stat", "throttled_usec") is { } microseconds ? microseconds / 1e6 : null;

    public static MemoryCgroup? TryCreate(MemoryCgroupHome home, long limitBytes, int pids)
    {
        var name = $"{MemoryCgroupHome.Prefix}{Environment.ProcessId}-{Guid.NewGuid():N}";
        var group = new MemoryCgroup(home, Path.Combine(home.Folder, name));
        try
        {
            Directory.CreateDirectory(group.Folder);
            var limit = limitBytes.ToString(CultureInfo.InvariantCulture);
            File.WriteAllText(group.At(home.Version2 ? "memory.max" : "memory.limit_in_bytes"), limit);

            // Swap counts too (a launch that swaps measures the disk); absent where the kernel does not account for it.
            group.WriteIfThere(home.Version2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes", home.Version2 ? "0" : limit);
            group.WriteIfThere("pids.max", pids.ToString(CultureInfo.InvariantCulture));
            return group;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            group.Dispose();
            return null;
        }
    }

    /// <summary>A process that writes "0" here is inside, with all that it starts from then on.</summary>
    public string JoinFile => At("cgroup.procs");

    /// <summary>Every process in it now, also those that left the launch's process group and session.</summary>
    public IReadOnlyList<int> Members()
    {
        try
        {
            return [.. File.ReadLines(JoinFile).Select(line => int.Parse(line, CultureInfo.InvariantCulture)).Where(pid => pid > 0)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            return [];
        }
    }

    public void Dispose()
    {
        // Just killed members leave a moment after their parent was told.
        for (var attempt = 0; attempt < 20 && !TryRemove(Folder); attempt++)
        {
            Thread.Sleep(5);
        }
    }

    internal static bool TryRemove(string folder)
    {
        try
        {
            Directory.Delete(folder);
            return true;
        }
        catch (DirectoryNotFoundException)
        {
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private string At(string file) => Path.Combine(Folder, file);

    private void WriteIfThere(string file, string text)
    {
        if (File.Exists(At(file)))
        {
            File.WriteAllText(At(file), text);
        }
    }

    private long? Counter(string file, string key)
    {
        var line = Lines(file).FirstOrDefault(line => line.StartsWith(key + " ", StringComparison.Ordinal));
        return Parse(line?[(key.Length + 1)..]);
    }

    private long? Number(string file) => Parse(Lines(file).FirstOrDefault());

    private string[] Lines(string file)
    {
        try
        {
            return File.ReadAllLines(At(file));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static long? Parse(string? text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;
}
