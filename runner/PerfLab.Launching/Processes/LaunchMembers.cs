namespace PerfLab.Launching.Processes;

/// <summary>
/// All processes of one launch while it runs: its process group and session, their children in whatever session, and whoever has its mark
/// or is in its cgroup. A process that was looked at once is known: only new ones cost more than a look at their state.
/// </summary>
internal sealed class LaunchMembers(LaunchMarks marks)
{
    private readonly Dictionary<(int Pid, long Started), bool> _known = [];

    /// <summary>Who belongs to it now, with the state of each.</summary>
    public IReadOnlyDictionary<int, ProcessStat> Find()
    {
        var all = new Dictionary<int, ProcessStat>();
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder.AsSpan()), NumberStyles.None, CultureInfo.InvariantCulture, out var pid)
                && pid != Environment.ProcessId && ProcessStat.Of(pid) is { } stat)
            {
                all.Add(pid, stat);
            }
        }

        var caged = marks.Members().ToHashSet();
        var found = all.Where(one => caged.Contains(one.Key) || Is(one.Key, one.Value)).ToDictionary();
        while (all.Where(one => !found.ContainsKey(one.Key) && found.ContainsKey(one.Value.Parent)).ToList() is { Count: > 0 } children)
        {
            foreach (var (pid, stat) in children)
            {
                found.Add(pid, stat);
                _known[(pid, stat.Started)] = true; // also when its parent is gone
            }
        }

        return found;
    }

    private bool Is(int pid, ProcessStat stat)
    {
        if (pid == marks.Session || stat.Group == marks.Session || stat.Session == marks.Session)
        {
            return true;
        }

        if (!_known.TryGetValue((pid, stat.Started), out var belongs))
        {
            _known[(pid, stat.Started)] = belongs = Survivors.HasMarker(pid, marks.Marker);
        }

        return belongs;
    }
}
