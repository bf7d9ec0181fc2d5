namespace PerfLab.Machine.Facts;

/// <summary>The machine's temperature sensors, in thousandths of a degree Celsius.</summary>
internal static class Thermometers
{
    private const int Most = 256;

    // Outside of this a sensor is broken or not connected, and would keep a session waiting for ever.
    private static readonly (double Least, double Most) Believable = (-40, 150);

    public static IReadOnlyList<string> Find(MachineFiles files) =>
    [
        .. files.Names("/sys/class/hwmon").Take(Most).SelectMany(chip => files.Names($"/sys/class/hwmon/{chip}")
            .Where(name => name.StartsWith("temp", StringComparison.Ordinal) && name.EndsWith("_input", StringComparison.Ordinal))
            .Select(name => $"/sys/class/hwmon/{chip}/{name}")).Take(Most),
        .. files.Names("/sys/class/thermal").Where(zone => zone.StartsWith("thermal_zone", StringComparison.Ordinal)).Take(Most)
            .Select(zone => $"/sys/class/thermal/{zone}/temp"),
    ];

    /// <summary>Degrees Celsius; null when no sensor can be read.</summary>
    public static double? Hottest(MachineFiles files, IReadOnlyList<string> sensors) => sensors
        .Select(sensor => KernelText.Whole(files.Text(sensor) ?? "") is { } thousandths ? thousandths / 1000.0 : (double?)null)
        .Where(celsius => celsius >= Believable.Least && celsius <= Believable.Most).Max();
}
