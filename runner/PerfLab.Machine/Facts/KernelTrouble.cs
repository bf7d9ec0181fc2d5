namespace PerfLab.Machine.Facts;

/// <summary>Which of the kernel's messages mean that values taken at that time are worth nothing (Krun re-runs on any change of dmesg).</summary>
internal static class KernelTrouble
{
    private const int Longest = 160;

    // In the kernel's own words (arch/x86/kernel/cpu/mce, drivers/edac, kernel/hung_task.c, kernel/watchdog.c, mm/oom_kill.c, block/, clocksource.c).
    private static readonly string[] Marks =
    [
        "mce:", "Machine check", "Machine Check", "Hardware Error", "EDAC", "temperature above threshold", "cpu clock throttled", "hung_task", "blocked for more than",
        "soft lockup", "hard LOCKUP", "Out of memory", "I/O error", "Remounting filesystem read-only", "Marking clocksource", "rcu_sched self-detected stall", "Kernel panic", "Oops:",
    ];

    // The limit of a launch's own cgroup is its cell's outcome, not the machine's trouble.
    private static readonly string[] Ours = ["Memory cgroup out of memory", "memory cgroup out of memory"];

    /// <summary>The text of a record ("6,339,5140900,-;text") when it is trouble, else null.</summary>
    public static string? Of(string record)
    {
        var text = record[(record.IndexOf(';', StringComparison.Ordinal) + 1)..];
        return Marks.Any(mark => text.Contains(mark, StringComparison.Ordinal)) && !Ours.Any(ours => text.Contains(ours, StringComparison.Ordinal))
            ? string.Concat(text.Select(c => char.IsControl(c) ? ' ' : c).Take(Longest))
            : null;
    }
}
