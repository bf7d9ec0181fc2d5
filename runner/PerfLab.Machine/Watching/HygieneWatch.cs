using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;

namespace PerfLab.Machine.Watching;

/// <summary>What happened between two readings.</summary>
/// <param name="Voids">Why the round must be repeated; the words go into the journal.</param>
/// <param name="Others">Share of the launch's cores that others used, 0 to 1; null where nobody can tell.</param>
public sealed record HygieneChange(IReadOnlyList<string> Voids, IReadOnlyList<string> Warnings, double? Others = null)
{
    /// <summary>As a launch has it in the journal.</summary>
    public JsonObject ToJson()
    {
        var facts = new JsonObject();
        if (Others is { } others)
        {
            facts["others"] = others;
        }

        if (Warnings.Count > 0)
        {
            facts["warnings"] = new JsonArray([.. Warnings.Select(warning => (JsonNode)warning)]);
        }

        return facts;
    }
}

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
        var cores = _files.Text("/proc/stat", MachineFiles.Large);
        var ticks = KernelText.Ticks(cores);
        return new HygieneReading
        {
            Clocks = ClockPair.Read(_time),
            BootId = KernelText.BootId(_files.Text("/proc/sys/kernel/random/boot_id") ?? ""),
            SwappedPages = KernelText.Counter(memory, "pswpin") + KernelText.Counter(memory, "pswpout"),
            TotalTicks = ticks?.Total,
            StealTicks = ticks?.Steal,
            Cores = cores,
            MemoryStall = KernelText.Pressure(_files.Text("/proc/pressure/memory"), "full")?.Microseconds,
            DiskStall = KernelText.Pressure(_files.Text("/proc/pressure/io"), "full")?.Microseconds,
            QuotaStops = QuotaStops.Sum(_files, _quotaFiles),
            ThermalThrottles = ThrottleCounts.Sum(_files, _throttleCounts),
            Ran = _workloadCpus.Count == 0 ? null : KernelText.RanNanoseconds(_files.Text("/proc/schedstat", MachineFiles.Large), _workloadCpus),
            Trouble = [.. (_kernel?.Next() ?? []).Select(KernelTrouble.Of).OfType<string>()],
        };
    }

    /// <summary>Judges the time from <paramref name="before"/> to <paramref name="after"/>. What could not be read is not judged; nor is preemption without the launch's evidence.</summary>
    public HygieneChange Compare(HygieneReading before, HygieneReading after, JsonObject? evidence = null)
    {
        var step = after.Clocks.OffsetSeconds - before.Clocks.OffsetSeconds;
        var always = new[]
        {
            before.BootId is { } one && after.BootId is { } other && one != other ? $"the machine was restarted (boot id {one[..8]} became {other[..8]})" : null,
            Math.Abs(step) > MostClockStep.TotalSeconds ? Invariant($"clock step of {step:0.###} s") : null,
        }.OfType<string>();
        var microseconds = (after.Clocks.Monotonic - before.Clocks.Monotonic).TotalMicroseconds;
        var byPolicy = new[]
        {
            after.SwappedPages - before.SwappedPages is > 0 and var pages ? Invariant($"{pages} pages were swapped in or out") : null,
            Share(after.StealTicks - before.StealTicks, after.TotalTicks - before.TotalTicks) is { } share && share > (_policy == HygienePolicy.Metal ? 0 : TimeRows.MostSteal)
                ? Invariant($"{share * 100:0.##} % of the processor time went to other machines of this host") : null,
            Share(after.MemoryStall - before.MemoryStall, microseconds) > MostMemoryStall ? "all work waited for memory" : null,
            Share(after.DiskStall - before.DiskStall, microseconds) > MostDiskStall ? "all work waited for the disk" : null,
            after.QuotaStops > before.QuotaStops ? "a quota of processor time stopped the launch" : null,
            after.ThermalThrottles - before.ThermalThrottles is > 0 and var times ? Invariant($"the processor clocked itself down for heat ({times} times)") : null,
        }.OfType<string>().Concat(after.Trouble.Select(line => $"the kernel reported: {line}"));
        var taken = evidence is null ? null : Preemption.Of(before, after, evidence);
        var preempted = new[] { taken?.Problem }.OfType<string>();
        var others = evidence is null ? null : OtherWork.Share(before.Cores, after.Cores, evidence);
        HygieneChange change = _policy switch
        {
            HygienePolicy.Any or HygienePolicy.Hosted => new([.. always], [.. byPolicy, .. preempted]),
            HygienePolicy.Metal when taken is { IsProven: true } => new([.. always, .. byPolicy, .. preempted], []),
            _ => new([.. always, .. byPolicy], [.. preempted]),
        };
        return change with { Others = others };
    }

    /// <summary>Why a launch with this evidence is no measurement for a lab, or null: speculation was switched off inside.</summary>
    public string? Inside(JsonObject evidence) =>
        _policy.IsLab() && evidence["outside"] is JsonObject outside && outside["inside"] is JsonObject status
            ? InnerStatus.Problem(status) : null;

    public void Dispose() => _kernel?.Dispose();

    /// <summary>Null when it can't be said.</summary>
    private static double? Share(long? part, double? whole) => whole > 0 ? part / whole : null;
}

/// <summary>What of the machine can move during a launch; a null was not to be had.</summary>
public sealed record HygieneReading
{
    public required ClockPair Clocks { get; init; }
    public string? BootId { get; init; }
    public long? SwappedPages { get; init; }
    public long? TotalTicks { get; init; }
    public long? StealTicks { get; init; }

    /// <summary>/proc/stat: what every core did since boot.</summary>
    public string? Cores { get; init; }

    /// <summary>Microseconds since boot in which all work waited for memory.</summary>
    public long? MemoryStall { get; init; }

    /// <summary>Microseconds since boot in which all work waited for a disk.</summary>
    public long? DiskStall { get; init; }

    /// <summary>Periods in which a quota stopped us or a workload.</summary>
    public long? QuotaStops { get; init; }

    /// <summary>Times that a core clocked itself down for heat.</summary>
    public long? ThermalThrottles { get; init; }

    /// <summary>Nanoseconds since boot in which anything ran on each core that is kept for workloads; null where the machine is not split.</summary>
    public IReadOnlyDictionary<int, long>? Ran { get; init; }

    /// <summary>What the kernel reported since the reading before, when it means trouble.</summary>
    public IReadOnlyList<string> Trouble { get; init; } = [];
}
