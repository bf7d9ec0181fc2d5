namespace PerfLab.Lab.Azure;

/// <summary>The lab's own tags of a machine; everything else on it is left alone.</summary>
public sealed class MachineTags(IReadOnlyDictionary<string, string> tags)
{
    public const string LeaseName = "perf-lab:lease";

    /// <summary>When the machine was last asked to start; what is billed is counted from here.</summary>
    public const string StartedName = "perf-lab:started";

    /// <summary>When the reaper first thought that nobody wants this machine.</summary>
    public const string OrphanName = "perf-lab:orphan";

    /// <summary>"yyyy-MM/minutes": what this month has used so far.</summary>
    public const string UsedName = "perf-lab:used";

    public Lease? Lease => Lease.Parse(Text(LeaseName));
    public DateTimeOffset? Started => Lease.ParseTime(Text(StartedName));
    public DateTimeOffset? OrphanSince => Lease.ParseTime(Text(OrphanName));
    public bool HasRunTags => Text(LeaseName) is not null || Text(StartedName) is not null || Text(OrphanName) is not null;

    /// <summary>Those of the named tags that are there, with the value that was read.</summary>
    internal IReadOnlyDictionary<string, string> Pairs(params ReadOnlySpan<string> names)
    {
        var pairs = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var name in names)
        {
            if (Text(name) is { } value)
            {
                pairs[name] = value;
            }
        }

        return pairs;
    }

    private string? Text(string name) => tags.GetValueOrDefault(name);

    /// <summary>Minutes that are booked for the month of <paramref name="now"/>.</summary>
    public int UsedMinutes(DateTimeOffset now) =>
        Text(UsedName)?.Split('/') is [var month, var minutes] && month == Month(now)
        && int.TryParse(minutes, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : 0;

    /// <summary>The month's booking after a machine that started at <see cref="Started"/> stopped at <paramref name="end"/>.</summary>
    internal string Booking(DateTimeOffset end)
    {
        var minutes = Started is { } start && start < end ? (int)Math.Ceiling((end - start).TotalMinutes) : 0;
        return Invariant($"{Month(end)}/{UsedMinutes(end) + minutes}");
    }

    private static string Month(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM", CultureInfo.InvariantCulture);
}
