namespace PerfLab.Machine.Facts;

/// <summary>Where control groups are on this machine: version 2 has one tree, version 1 one tree a controller.</summary>
internal sealed class CgroupFiles(MachineFiles files)
{
    private const string Root = "/sys/fs/cgroup";

    /// <summary>"v2", "v1" or "absent". A mixed set-up, as systemd calls "hybrid", limits through version 1.</summary>
    public string Version { get; } = files.Exists(Root + "/cgroup.controllers") ? "v2" : files.Exists(Root + "/memory") ? "v1" : MachineFiles.Absent;

    /// <summary>The tree of a controller: "cpuset", "cpu".</summary>
    public string Tree(string controller) => Version == "v1" ? $"{Root}/{controller}" : Root;

    /// <summary>The cgroup of this process in that tree; the tree itself when the kernel does not say.</summary>
    public string Own(string controller)
    {
        var mark = Version == "v1" ? $":{controller}:" : "0::";
        foreach (var line in (files.Text("/proc/self/cgroup") ?? "").Split('\n', 64))
        {
            var at = line.IndexOf(mark, StringComparison.Ordinal);
            var path = at < 0 || (Version != "v1" && at > 0) ? null : KernelText.Line(line[(at + mark.Length)..])?.TrimEnd('/');
            // A path that leads out of what this container sees ("/../..") or nonsense is no path.
            if (path is { Length: > 1 } && path[0] == '/' && !path.Contains("..") && files.Exists(Tree(controller) + path))
            {
                return Tree(controller) + path;
            }
        }

        return Tree(controller);
    }

    /// <summary>From a cgroup up to the root of its tree.</summary>
    public IEnumerable<string> Upwards(string controller)
    {
        for (var (at, tree) = (Own(controller), Tree(controller)); ; at = at[..at.LastIndexOf('/')])
        {
            yield return at;
            if (at.Length <= tree.Length)
            {
                yield break;
            }
        }
    }

    /// <summary>Groups directly below the root of a tree.</summary>
    public IEnumerable<string> TopGroups(string controller) =>
        files.Names(Tree(controller)).Where(name => files.Exists($"{Tree(controller)}/{name}/cgroup.procs"));
}
