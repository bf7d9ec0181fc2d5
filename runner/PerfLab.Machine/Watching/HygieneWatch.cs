using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene.Rows;
using PerfLab.Machine.Hygiene;

namespace PerfLab.Machine.Watching;

/// <summary>What happened between two readings.</summary>
/// <param name="Voids">Why the round must be repeated; the words go into the journal.</param>
/// <param name="Warnings">What the report must say.</param>
public sealed record HygieneChange(IReadOnlyList<string> Voids, IReadOnlyList<string> Warnings);

/// <summary>Looks at the machine before and after every launch: a handful of small files and two clocks, about a quarter of a millisecond.</summary>
public sealed class HygieneWatch : IDisposable
{
    /// <summary>Further apart means a set clock or a paused machine.</summary>
    public static readonly TimeSpan MostClockStep = TimeSpan.FromMilliseconds(100);

    /// <summary>Share of a launch in which all work waited for memory.</summary>
    public const double MostMemoryStall = 0.001;

    /// <summary>Share of a launch in which all work waited for a disk: making and removing a container waits for it too.</summary>
    public const double MostDiskStall = 0.10;

    private readonly MachineFiles _files;
    private readonly TimeProvider _time;
    private readonly HygienePolicy _policy;
    private readonly IReadOnlyList<string> _throttleCounts;
    private readonly IReadOnlyList<string> _quotaFiles;
    private readonly IReadOnlyList<int> _workloadCpus;
    private readonly KernelLog? _kernel;

    public HygieneWatch(MachineFiles files, TimeProvider time, HygienePolicy policy)
    {
        (_files, _time, _policy) = (files, time, policy);
        _throttleCounts = ThrottleCounts.Find(files);
        _quotaFiles = QuotaStops.Find(files);
        // Elsewhere the lab itself and the engine work on the launch's cores, before and after it.
        _workloadCpus = new MachineScan(files, time).WorkloadCpus ?? [];
        _kernel = KernelLog.Open(files);
    }

    public HygieneReading Read()
    {
        var memory = _files.Text("/proc/vmstat");
        var ticks = KernelText.Ticks(_files.Text("/proc/stat", most: 4096));
        return new HygieneReading
        {
            Clocks = ClockPair.Read(_time),
            BootId = KernelText.BootId(_files.Text("/proc/sys/kernel/random/boot_id") ?? ""),
            SwappedPages = KernelText.Counter(memory, "pswpin") + KernelText.Counter(memory, "pswpout"),
            TotalTicks = ticks?.Total,
            StealTicks = ticks?.Steal,
            MemoryStall = KernelText.Pressure(_files.Text("/proc/pressure/memory"), "full")?.Microseconds,
            DiskStall = KernelText.Pressure(_files.Text("/proc/pressure/io"), "full")?.Microseconds,
            QuotaStops = QuotaStops.Sum(_files, _quotaFiles),
            ThermalThrottles = ThrottleCounts.Sum(_files, _throttleCounts),
            Ran = _workloadCpus.Count == 0 ? null : KernelText.RanNanoseconds(_files.Text("/proc/schedstat", MachineFiles.Large), _workloadCpus),
            Trouble = [.. (_kernel?.Next() ?? []).Select(KernelTrouble.Of).OfType<string>()],
        };
    }

    /// <summary>Judges the time from <paramref name="before"/> to <paramref name="after"/>. What could not be read is not judged.</summary>
    /// <param name="before">Reading before a launch.</param>
    /// <param name="after">Reading after it.</param>
    /// <param name="evidence">Of the launch between them; null when there was none.</param>
    public HygieneChange Compare(HygieneReading before, HygieneReading after, JsonObject? evidence = null)
    {
        var always = new[] { Boot(before, after), Clock(before, after) }.OfType<string>();
        var byPolicy = new[]
        {
            Swap(before, after),
            Steal(before, after),
            Waited(before, (before.MemoryStall, after.MemoryStall), after) > MostMemoryStall ? "all work waited for memory" : null,
            Waited(before, (before.DiskStall, after.DiskStall), after) > MostDiskStall ? "all work waited for the disk" : null,
            after.QuotaStops > before.QuotaStops ? "a quota of processor time stopped the launch" : null,
            after.ThermalThrottles - before.ThermalThrottles is > 0 and var times ? Invariant($"the processor clocked itself down for heat ({times} times)") : null,
        }.OfType<string>().Concat(after.Trouble.Select(line => $"the kernel reported: {line}"));
        var taken = evidence is null ? null : Preemption.Of(before, after, evidence);
        var preempted = new[] { taken?.Problem }.OfType<string>();
        return _policy switch
        {
            HygienePolicy.Any => new([.. always], [.. byPolicy, .. preempted]),
            HygienePolicy.Metal when taken is { IsProven: true } => new([.. always, .. byPolicy, .. preempted], []),
            _ => new([.. always, .. byPolicy], [.. preempted]),
        };
    }

    /// <summary>Why a launch with this evidence is no measurement for a lab, or null: speculation was switched off inside.</summary>
    public string? Inside(JsonObject evidence) =>
        _policy != HygienePolicy.Any && evidence["outside"] is JsonObject outside && outside["inside"] is JsonObject status ? InnerStatus.Problem(status) : null;

    public void Dispose() => _kernel?.Dispose();

    private static string? Boot(HygieneReading before, HygieneReading after) =>
        before.BootId is { } one && after.BootId is { } other && !string.Equals(one, other, StringComparison.Ordinal)
            ? $"the machine was restarted (boot id {one[..8]} became {other[..8]})"
            : null;

    private static string? Clock(HygieneReading before, HygieneReading after)
    {
        var step = after.Clocks.OffsetSeconds - before.Clocks.OffsetSeconds;
        return Math.Abs(step) > MostClockStep.TotalSeconds ? Invariant($"clock step of {step:0.###} s") : null;
    }

    private static string? Swap(HygieneReading before, HygieneReading after)
    {
        var pages = after.SwappedPages - before.SwappedPages;
        return pages > 0 ? Invariant($"{pages} pages were swapped in or out") : null;
    }

    private string? Steal(HygieneReading before, HygieneReading after)
    {
        var (steal, total) = (after.StealTicks - before.StealTicks, after.TotalTicks - before.TotalTicks);
        if (steal is null || total is not > 0)
        {
            return null;
        }

        var share = (double)steal / total.Value;
        return share > (_policy == HygienePolicy.Metal ? 0 : TimeRows.MostSteal)
            ? Invariant($"{share * 100:0.##} % of the processor time went to other machines of this host")
            : null;
    }

    /// <summary>Share of the time between two readings; null when it can't be said.</summary>
    private static double? Waited(HygieneReading before, (long? Before, long? After) stall, HygieneReading after)
    {
        var passed = (after.Clocks.Monotonic - before.Clocks.Monotonic).TotalMicroseconds;
        return passed > 0 && stall.After - stall.Before is { } waited ? waited / passed : null;
    }
}
