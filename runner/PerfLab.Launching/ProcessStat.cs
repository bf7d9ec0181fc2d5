using PerfLab.Machine.Facts;

namespace PerfLab.Launching;

/// <summary>A living process as /proc/PID/stat shows it.</summary>
/// <param name="Started">In clock ticks since boot: with the id it names one process for good.</param>
/// <param name="State">The letter that the kernel gives it: T is stopped.</param>
internal sealed record ProcessStat(int Parent, int Group, int Session, long Started, char State)
{
    /// <summary>Of processor time, user and kernel: all threads, in clock ticks.</summary>
    public long Ticks { get; private init; }

    public bool IsStopped => State is 'T' or 't';

    /// <summary>Null when there is no such process. A zombie counts as gone.</summary>
    public static ProcessStat? Of(int pid)
    {
        try
        {
            var fields = KernelText.ProcessFields(File.ReadAllText(Invariant($"/proc/{pid}/stat")));
            return fields[0] is "Z" or "X" ? null : new(
                Number(fields[1]), Number(fields[2]), Number(fields[3]), Long(fields[19]), fields[0][0])
            {
                Ticks = Long(fields[11]) + Long(fields[12]),
            };
        }
        catch (Exception gone) when (gone is IOException or UnauthorizedAccessException or FormatException or ArgumentException or IndexOutOfRangeException)
        {
            return null;
        }
    }

    private static long Long(string field) => long.Parse(field, CultureInfo.InvariantCulture);

    private static int Number(string field) => int.Parse(field, CultureInfo.InvariantCulture);
}
