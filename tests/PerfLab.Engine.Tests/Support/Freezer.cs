namespace PerfLab.Engine.Tests.Support;

/// <summary>The freezer of a container, of cgroup v1.</summary>
internal static class Freezer
{
    /// <summary>As on a machine without one. False when the container's processes came back into it faster than they were moved.</summary>
    public static bool TakeAway(string id)
    {
        var freezer = $"/sys/fs/cgroup/freezer/docker/{id}";
        var place = Directory.Exists(freezer) ? freezer
            : Directory.EnumerateDirectories("/sys/fs/cgroup/freezer/perf-lab", id, SearchOption.AllDirectories).Single();
        for (var look = 0; look < 1000; look++)
        {
            foreach (var pid in File.ReadAllLines(place + "/cgroup.procs"))
            {
                File.WriteAllText("/sys/fs/cgroup/freezer/cgroup.procs", pid);
            }

            if (File.ReadAllLines(place + "/cgroup.procs").Length == 0)
            {
                Directory.Delete(place);
                return true;
            }
        }

        return false;
    }
}
