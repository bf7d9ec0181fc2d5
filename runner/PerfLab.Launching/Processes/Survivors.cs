using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>What tells the processes of a launch from all others.</summary>
/// <param name="Session">Process group and session of the program, 0 when unknown.</param>
/// <param name="Marker">The entry "PERF_LAB_RESULT=…" of its environment, which children inherit; the path is this launcher's alone.</param>
/// <param name="Members">Who is in its cgroup now, where it has one.</param>
internal sealed record LaunchMarks(int Session, string Marker, Func<IReadOnlyList<int>> Members);

/// <summary>
/// Finds and kills what outlived its program: children that stayed in the group, that made a session of their own, that
/// were taken over by init. One that did both and wiped its environment is found only where the launch has a cgroup.
/// </summary>
internal static class Survivors
{
    private static readonly TimeSpan[] Pauses = [.. Enumerable.Range(0, 9).Select(i => TimeSpan.FromMilliseconds(1 << i))];

    /// <summary>Kills until none is left; returns the ids of those that would not go within half a second.</summary>
    public static IReadOnlyList<int> Kill(LaunchMarks marks)
    {
        foreach (var pause in Pauses)
        {
            var found = Find(marks);
            if (found.Count == 0)
            {
                return [];
            }

            foreach (var pid in found)
            {
                KillIfStill(pid, marks);
            }

            Thread.Sleep(pause);
        }

        return [.. Find(marks)];
    }

    private static HashSet<int> Find(LaunchMarks marks)
    {
        var found = new HashSet<int>(marks.Members().Where(pid => ProcessStat.Of(pid) is not null));
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out var pid)
                && pid != marks.Session && pid != Environment.ProcessId && Belongs(pid, marks))
            {
                found.Add(pid);
            }
        }

        found.Remove(marks.Session);
        return found;
    }

    // The descriptor is taken first and the marks are read again after: then it is this process that is signalled, not its number's heir.
    private static void KillIfStill(int pid, LaunchMarks marks)
    {
        var descriptor = Libc.OpenPidFd(pid);
        if (descriptor < 0)
        {
            return;
        }

        if (Belongs(pid, marks) || marks.Members().Contains(pid))
        {
            Libc.SignalPidFd(descriptor, Libc.SigKill);
        }

        _ = Libc.Close(descriptor);
    }

    private static bool Belongs(int pid, LaunchMarks marks) => ProcessStat.Of(pid) is { } stat
        && ((marks.Session > 0 && (stat.Group == marks.Session || stat.Session == marks.Session)) || HasMarker(pid, marks.Marker));

    internal static bool HasMarker(int pid, string marker)
    {
        try
        {
            var entries = Encoding.UTF8.GetString(File.ReadAllBytes($"/proc/{pid}/environ")).Split('\0');
            return entries.Contains(marker, StringComparer.Ordinal);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
