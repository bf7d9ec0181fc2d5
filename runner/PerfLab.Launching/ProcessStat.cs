namespace PerfLab.Launching;

/// <summary>A living process as /proc/PID/stat shows it.</summary>
/// <param name="Started">In clock ticks since boot: with the id it names one process for good.</param>
internal sealed record ProcessStat(int Group, int Session, long Started)
{
    /// <summary>Null when there is no such process. A zombie counts as gone.</summary>
    public static ProcessStat? Of(int pid)
    {
        try
        {
            var text = File.ReadAllText(Invariant($"/proc/{pid}/stat"));
            var fields = text[(text.LastIndexOf(')') + 2)..].Split(' '); // the name in brackets may hold anything; field 3 comes next
            return fields[0] is "Z" or "X" ? null : new(Number(fields[2]), Number(fields[3]), long.Parse(fields[19], CultureInfo.InvariantCulture));
        }
        catch (Exception gone) when (gone is IOException or UnauthorizedAccessException or FormatException or ArgumentException or IndexOutOfRangeException)
        {
            return null;
        }
    }

    private static int Number(string field) => int.Parse(field, CultureInfo.InvariantCulture);
}
