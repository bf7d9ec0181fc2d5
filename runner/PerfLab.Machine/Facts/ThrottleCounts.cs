namespace PerfLab.Machine.Facts;

/// <summary>How often cores and packages clocked themselves down for heat (Intel; others have no such counter).</summary>
internal static class ThrottleCounts
{
    /// <summary>Read at every launch, so bounded: 128 cores.</summary>
    private const int Most = 256;

    public static IReadOnlyList<string> Find(MachineFiles files) =>
    [
        .. files.Names("/sys/devices/system/cpu").Where(name => name.StartsWith("cpu", StringComparison.Ordinal))
            .SelectMany(cpu => new[] { "core_throttle_count", "package_throttle_count" }.Select(name => $"/sys/devices/system/cpu/{cpu}/thermal_throttle/{name}"))
            .Where(files.Exists).Take(Most),
    ];

    /// <summary>Null when one of them can't be read: a sum of the others would seem to fall or rise.</summary>
    public static long? Sum(MachineFiles files, IReadOnlyList<string> counters)
    {
        var sum = 0L;
        foreach (var counter in counters)
        {
            if (KernelText.Whole(files.Text(counter) ?? "") is not { } count)
            {
                return null;
            }

            sum += count;
        }

        return sum;
    }
}
