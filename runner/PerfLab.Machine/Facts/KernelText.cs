using PerfLab.Core.Model;

namespace PerfLab.Machine.Facts;

/// <summary>What the kernel's texts mean; null for whatever it would not have written.</summary>
internal static class KernelText
{
    private const int LongestLine = 4096;

    /// <summary>One line of printable text.</summary>
    public static string? Line(string text)
    {
        var line = text.Trim();
        return line.Length is > 0 and <= LongestLine && !line.Any(c => char.IsControl(c) || c == '\uFFFD') ? line : null;
    }

    /// <summary>The chosen one of "always [madvise] never".</summary>
    public static string? Choice(string text)
    {
        var chosen = Line(text)?.Split(' ').Where(word => word.Length > 2 && word[0] == '[' && word[^1] == ']').ToList();
        return chosen is [var one] ? one[1..^1] : null;
    }

    /// <summary>A list of one or more cores (or memory nodes), in the usual form.</summary>
    public static string? SomeCpus(string text) => CpuList.TryParse(text, out var cpus) && cpus.Count > 0 ? CpuList.Format(cpus) : null;

    public static string? BootId(string text) => Guid.TryParseExact(text.Trim(), "D", out var id) ? id.ToString("D") : null;

    /// <summary>The value of the first "key : value" line with that key, as /proc/cpuinfo writes them.</summary>
    public static string? Field(string text, string key)
    {
        foreach (var line in text.Split('\n', 512))
        {
            var colon = line.IndexOf(':');
            if (colon > 0 && line.AsSpan(0, colon).Trim().SequenceEqual(key))
            {
                return Line(line[(colon + 1)..]);
            }
        }

        return null;
    }

    /// <summary>The number of the "key number" line with that key, as /proc/vmstat writes them.</summary>
    public static long? Counter(string? text, string key)
    {
        foreach (var line in text?.Split('\n') ?? [])
        {
            if (line.StartsWith(key, StringComparison.Ordinal) && line.Length > key.Length && line[key.Length] == ' ')
            {
                return Whole(line[(key.Length + 1)..]);
            }
        }

        return null;
    }

    /// <summary>KiB of swap that is switched on: the sizes of /proc/swaps after its heading.</summary>
    public static long? SwapKibibytes(string text)
    {
        var lines = text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        if (lines.Length == 0 || !lines[0].StartsWith("Filename", StringComparison.Ordinal))
        {
            return null;
        }

        var sizes = lines.Skip(1).Select(line => line.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries) is [_, _, var size, ..] ? Whole(size) : null).ToList();
        return sizes.Contains(null) ? null : sizes.Sum();
    }

    /// <summary>Ticks of all cores since boot, and those that the hypervisor gave to others (proc_stat(5): the eighth).</summary>
    public static (long Total, long Steal)? Ticks(string? text) =>
        text?.Split('\n', 2)[0] is { } line && line.StartsWith("cpu ", StringComparison.Ordinal) && CoreTicks(line) is { } ticks ? (ticks.Sum(), ticks[7]) : null;

    /// <summary>Ticks of these cores (all where null) since boot, and those in which they were not idle; null when one of them is missing.</summary>
    public static (long Total, long Busy)? BusyTicks(string? text, IReadOnlyList<int>? cpus)
    {
        var wanted = cpus?.Select(cpu => Invariant($"cpu{cpu}")).ToHashSet(StringComparer.Ordinal) ?? ["cpu"];
        var found = (text ?? "").Split('\n').TakeWhile(line => line.StartsWith("cpu", StringComparison.Ordinal)).Where(line => wanted.Contains(line.Split(' ', 2)[0])).ToList();
        var ticks = found.Select(line => CoreTicks(line)).OfType<long[]>().ToList();
        // Fourth and fifth: idle, and idle while a disk works.
        return found.Count == wanted.Count && ticks.Count == found.Count ? (ticks.Sum(core => core.Sum()), ticks.Sum(core => core.Sum() - core[3] - core[4])) : null;
    }

    /// <summary>
    /// The fields of a process's line from the third on, its state (proc_pid_stat(5)): the second is a name in brackets, which may hold
    /// anything.
    /// </summary>
    public static string[] ProcessFields(string stat) =>
        stat[(stat.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Ticks that a process ran, in the kernel and out of it (the fourteenth field, the fifteenth); null for another line.</summary>
    public static long? ProcessTicks(string? stat) =>
        stat is not null && ProcessFields(stat) is { Length: > 12 } fields && Whole(fields[11]) is { } user && Whole(fields[12]) is { } system
            ? user + system : null;

    private static long[]? CoreTicks(string line) =>
        line.Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).Take(8).Select(Whole).OfType<long>().ToArray() is { Length: 8 } ticks ? ticks : null;

    /// <summary>A line of /proc/pressure: percent of the last minute, and microseconds since boot, in which some (or full: all) work waited.</summary>
    public static (double LastMinute, long Microseconds)? Pressure(string? text, string kind)
    {
        var line = text?.Split('\n', 4).FirstOrDefault(line => line.StartsWith(kind + " ", StringComparison.Ordinal))?.Split(' ');
        return line is [_, _, var minute, _, var total]
            && minute.StartsWith("avg60=", StringComparison.Ordinal) && total.StartsWith("total=", StringComparison.Ordinal)
            && double.TryParse(minute.AsSpan(6), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percent) && percent is >= 0 and <= 100
            && Whole(total[6..]) is { } microseconds
                ? (percent, microseconds)
                : null;
    }

    /// <summary>Nanoseconds that runnable threads waited for a core since boot: the eighth number of each core's line in /proc/schedstat.</summary>
    public static long? WaitedNanoseconds(string text)
    {
        var waits = text.Split('\n').Where(line => line.StartsWith("cpu", StringComparison.Ordinal)).Select(line => line.Split(' ') is { Length: >= 10 } words ? Whole(words[8]) : null).ToList();
        return waits.Count == 0 || waits.Contains(null) ? null : waits.Sum();
    }

    /// <summary>
    /// Nanoseconds since boot in which tasks ran on each of these cores: the seventh number of its line in /proc/schedstat
    /// (https://docs.kernel.org/scheduler/sched-stats.html). Null when one of them is missing or is no number.
    /// </summary>
    public static IReadOnlyDictionary<int, long>? RanNanoseconds(string? text, IReadOnlyList<int> cpus)
    {
        var ran = new Dictionary<int, long>();
        foreach (var line in (text ?? "").AsSpan().EnumerateLines())
        {
            var name = line.IndexOf(' ');
            if (name > 3 && line.StartsWith("cpu") && int.TryParse(line[3..name], NumberStyles.None, CultureInfo.InvariantCulture, out var cpu) && cpus.Contains(cpu))
            {
                if (line.ToString().Split(' ') is not { Length: >= 10 } words || Whole(words[7]) is not { } nanoseconds)
                {
                    return null;
                }

                ran[cpu] = nanoseconds;
            }
        }

        return ran.Count == cpus.Count && ran.Count > 0 ? ran : null;
    }

    /// <summary>Mean number of runnable tasks in the last minute.</summary>
    public static double? Load(string text) =>
        double.TryParse(text.Split(' ', 2)[0], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var load) && double.IsFinite(load) && load < 1e6
            ? load
            : null;

    /// <summary>A whole number of 0 or more, small enough that sums of it stay numbers.</summary>
    public static long? Whole(string text) =>
        long.TryParse(text.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var value) && value < long.MaxValue / 16 ? value : null;
}
