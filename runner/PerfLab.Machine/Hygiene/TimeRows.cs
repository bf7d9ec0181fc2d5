using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>Time: how it is told, and what takes it away unseen.</summary>
internal static class TimeRows
{
    /// <summary>Share of all processor time that others may have taken on a virtual machine.</summary>
    public const double MostSteal = 0.001;

    /// <summary>
    /// From tick to tick. More than a busy scheduler keeps a waking thread from its core (a few slices of 3 ms), and far below what it is to
    /// catch: the pauses that Azure makes for maintenance last seconds.
    /// </summary>
    public static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(50);

    /// <summary>Until the year 9000: a journal may hold any number.</summary>
    private const double MostSeconds = 2.2e11;

    public static HygieneRow[] All { get; } =
    [
        new(18, ["clockSource"],
            Row.Fact("clockSource", scan => scan.Line("/sys/devices/system/clocksource/clocksource0/current_clocksource")),
            // Hyper-V's page holds the factors of the TSC: read without a trap, as the TSC itself.
            Row.MustBeKnown("clock source", "clockSource",
                (source, policy) => source is "tsc" || (policy != HygienePolicy.Metal && source is "hyperv_clocksource_tsc_page"), Penalty.Refuse,
                "reading the clock costs a trap into the kernel or the hypervisor; boot with clocksource=tsc if the CPU has an invariant TSC")),

        // The time of day against the time that only goes on; how they part during a round is the watch's (HygieneWatch). The difference is the
        // time of day at which the monotonic clock stood at 0: for a person, the boot.
        new(19, [],
            Row.Fact("clockOffsetSeconds", scan => ClockPair.Read(scan.Time).OffsetSeconds),
            Row.Record("monotonic clock began", facts => facts.Number("clockOffsetSeconds") is { } seconds && Math.Abs(seconds) < MostSeconds
                ? DateTimeOffset.UnixEpoch.AddSeconds(seconds).ToString("yyyy-MM-dd HH:mm:ss.fff 'UTC'", CultureInfo.InvariantCulture) : MachineFiles.Unknown)),

        // Processor time that the hypervisor gave to other machines. Many report none and steal all the same: then only the self-test and the
        // longest pause show it.
        new(20, [],
            Row.Fact("stealShare", scan => scan.Fact("/proc/stat", text => KernelText.Ticks(text) is { Total: > 0 } ticks ? (double)ticks.Steal / ticks.Total : null)),
            new HygieneLine((row, facts, policy) => Row.Judge(new(row, "steal", facts.Format("stealShare", "0.###", " % since boot", 100)),
                !(facts.Number("stealShare") > (policy == HygienePolicy.Metal ? 0 : MostSteal)), (Penalty.Warn.AlsoHosted,
                "other virtual machines take this one's processor time; use a dedicated size or another host", policy)))),

        // How long runnable threads waited for a core since boot. What others take of a launch's cores is the watch's (Preemption).
        new(23, [],
            Row.Fact("waitingSeconds", scan => scan.Fact("/proc/schedstat", text => KernelText.WaitedNanoseconds(text) / 1e9, MachineFiles.Large)),
            Row.Record("threads waited for a core since boot", facts => facts.Format("waitingSeconds", "0.0", " s"))),

        // How long the whole machine stood still. Nothing to read: whoever runs the thread that only sleeps (doctor, a session) adds what it saw.
        new(34, [],
            Row.Record("longest pause", facts => facts.Has("pauses") ? MachineFiles.Unknown : "not watched").When((facts, _) => Pause(facts) is null),
            Row.Must("longest pause", facts => Pause(facts)!,
                facts => facts.Number("pauses.longestSeconds") <= LongestPause.TotalSeconds, Penalty.Warn.AlsoHosted,
                "a thread that sleeps 25 ms at a time woke up that late. Other programs used the lab's cores (find them: top), "
                + "or the host paused this machine (take a dedicated size, or another host)").When((facts, _) => Pause(facts) is not null)),

        // Values taken while Azure maintains the host are worth nothing. Nothing to read: the service is asked in the background
        // (ScheduledEventsWatch), and only under the policy azure.
        new(35, [],
            Row.Must("announced maintenance", facts => facts.Has("scheduledEvents") ? facts.Text("scheduledEvents") : MachineFiles.Absent, "none", Penalty.Warn,
                "rounds measured now would be struck: a session waits for its end, at most 20 minutes; or measure later")),
    ];

    private static string? Pause(FactReader facts) =>
        facts.Number("pauses.longestSeconds") is { } longest && facts.Number("pauses.watchedSeconds") is { } watched
            ? Invariant($"{longest * 1000:0} ms in {watched:0.0} s") : null;
}
