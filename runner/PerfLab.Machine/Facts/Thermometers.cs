namespace PerfLab.Machine.Facts;

/// <summary>The machine's temperature sensors, in thousandths of a degree Celsius.</summary>
internal static class Thermometers
{
    private const int Most = 256;

    // Outside of this a sensor is broken or not connected, and would keep a session waiting for ever.
    private static readonly (double Least, double Most) Believable = (-40, 150);

    public static IReadOnlyList<string> Find(MachineFiles files) =>
    [
        .. files.All("/sys/class/hwmon/hwmon*").SelectMany(chip => files.All(chip + "/temp*"))
            .Where(name => name.EndsWith("_input", StringComparison.Ordinal)).Take(Most),
        .. files.All("/sys/class/thermal/thermal_zone*/temp"),
    ];

    /// <summary>Degrees Celsius; null when no sensor can be read.</summary>
    public static double? Hottest(MachineFiles files, IReadOnlyList<string> sensors) => sensors
        .Select(sensor => KernelText.Whole(files.Text(sensor) ?? "") is { } thousandths ? thousandths / 1000.0 : (double?)null)
        .Where(celsius => celsius >= Believable.Least && celsius <= Believable.Most).Max();
}

/// <summary>How often cores and packages clocked themselves down for heat (Intel; others have no such counter).</summary>
internal static class ThrottleCounts
{
    private const string Folder = "/sys/devices/system/cpu/cpu*/thermal_throttle/";

    /// <summary>Read at every launch, so bounded.</summary>
    private const int MostCores = 128;

    public static IReadOnlyList<string> Find(MachineFiles files) =>
        [.. new[] { "core_throttle_count", "package_throttle_count" }.SelectMany(name => files.All(Folder + name).Take(MostCores))];

    /// <summary>Null when one of them can't be read: a sum of the others would seem to fall or rise.</summary>
    public static long? Sum(MachineFiles files, IReadOnlyList<string> counters) => counters.Select(counter => KernelText.Whole(files.Text(counter) ?? ""))
        .Aggregate((long?)0, (sum, count) => sum + count);
}
