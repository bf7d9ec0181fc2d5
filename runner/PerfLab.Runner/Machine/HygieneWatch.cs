using System.Globalization;

namespace PerfLab.Runner.Machine;

/// <summary>How strict a session is about its machine.</summary>
public enum HygienePolicy
{
    /// <summary>A laptop, CI: nothing is refused, and only what makes a round meaningless voids it.</summary>
    Any,

    /// <summary>A virtual machine of fixed size.</summary>
    Azure,

    /// <summary>A machine of one's own.</summary>
    Metal,
}

/// <summary>What of the machine can move during a round; a null was not to be had.</summary>
public sealed record HygieneReading
{
    public required ClockPair Clocks { get; init; }
    public string? BootId { get; init; }
    public long? SwappedPages { get; init; }
    public long? TotalTicks { get; init; }
    public long? StealTicks { get; init; }
}

/// <summary>What happened between two readings.</summary>
/// <param name="Voids">Why the round must be repeated; the words go into the journal.</param>
/// <param name="Warnings">What the report must say.</param>
public sealed record HygieneChange(IReadOnlyList<string> Voids, IReadOnlyList<string> Warnings);

/// <summary>Looks at the machine before and after a round: four small files and two clocks, far below a millisecond.</summary>
public sealed class HygieneWatch(MachineFiles files, TimeProvider time, HygienePolicy policy)
{
    /// <summary>Further apart means a set clock or a paused machine.</summary>
    public static readonly TimeSpan MostClockStep = TimeSpan.FromMilliseconds(100);

    /// <summary>Share of all processor time that others may have taken on a virtual machine.</summary>
    public const double MostSteal = 0.001;

    public HygieneReading Read()
    {
        var memory = files.Text("/proc/vmstat");
        var ticks = KernelText.Ticks(files.Text("/proc/stat"));
        return new HygieneReading
        {
            Clocks = ClockPair.Read(time),
            BootId = KernelText.BootId(files.Text("/proc/sys/kernel/random/boot_id") ?? ""),
            SwappedPages = KernelText.Counter(memory, "pswpin") + KernelText.Counter(memory, "pswpout"),
            TotalTicks = ticks?.Total,
            StealTicks = ticks?.Steal,
        };
    }

    /// <summary>Judges the time from <paramref name="before"/> to <paramref name="after"/>. What could not be read is not judged.</summary>
    public HygieneChange Compare(HygieneReading before, HygieneReading after)
    {
        var always = new[] { Boot(before, after), Clock(before, after) }.OfType<string>();
        var byPolicy = new[] { Swap(before, after), Steal(before, after) }.OfType<string>();
        return policy == HygienePolicy.Any
            ? new HygieneChange([.. always], [.. byPolicy])
            : new HygieneChange([.. always, .. byPolicy], []);
    }

    private static string? Boot(HygieneReading before, HygieneReading after) =>
        before.BootId is { } one && after.BootId is { } other && !string.Equals(one, other, StringComparison.Ordinal)
            ? $"the machine was restarted (boot id {one[..8]} became {other[..8]})"
            : null;

    private static string? Clock(HygieneReading before, HygieneReading after)
    {
        var step = after.Clocks.OffsetSeconds - before.Clocks.OffsetSeconds;
        return Math.Abs(step) > MostClockStep.TotalSeconds ? Text($"clock step of {step:0.###} s") : null;
    }

    private static string? Swap(HygieneReading before, HygieneReading after)
    {
        var pages = after.SwappedPages - before.SwappedPages;
        return pages > 0 ? Text($"{pages} pages were swapped in or out") : null;
    }

    private string? Steal(HygieneReading before, HygieneReading after)
    {
        var (steal, total) = (after.StealTicks - before.StealTicks, after.TotalTicks - before.TotalTicks);
        if (steal is null || total is not > 0)
        {
            return null;
        }

        var share = (double)steal / total.Value;
        return share > (policy == HygienePolicy.Metal ? 0 : MostSteal)
            ? Text($"{share * 100:0.##} % of the processor time went to other machines of this host")
            : null;
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
