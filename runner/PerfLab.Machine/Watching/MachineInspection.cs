using PerfLab.Core.Model;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;

namespace PerfLab.Machine.Watching;

/// <summary>Everything about the machine that is known before the first launch: the kernel's files, a second of watching, a self-test.</summary>
public sealed record MachineInspection
{
    /// <summary>Beyond the second that the rest takes; the first answer may take two minutes, and until then it is unknown.</summary>
    private static readonly TimeSpan EventsPatience = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan LoadWatched = TimeSpan.FromSeconds(0.5);

    public MachineFiles Files { get; init; } = new();

    public required TimeProvider Time { get; init; }

    /// <summary>Folder in which the lab keeps its files: its disk is judged, and the history of self-tests lies there.</summary>
    public required string Store { get; init; }

    /// <summary>What the launcher says about itself.</summary>
    public JsonObject? Executor { get; init; }

    public int SelfTestRepeats { get; init; } = SelfTest.FewRepeats;

    public SelfTestHistory History => new(Path.Combine(Store, "machine", "self-tests.ndjson"));

    /// <summary>Cores that the machine's owner keeps for workloads, in the kernel's list form; null when nobody split it.</summary>
    public string? WorkloadCpus => new MachineScan(Files, Time).WorkloadCpus is { Count: > 0 } cpus ? CpuList.Format(cpus) : null;

    /// <summary>Begins to watch for pauses of the whole machine.</summary>
    public PauseWatch WatchPauses() => new(Time, LabMachine.Read(Files).Cpus);

    /// <summary>Begins to ask for announced maintenance where the policy is azure; null elsewhere.</summary>
    public ScheduledEventsWatch? WatchEvents(HygienePolicy policy) => policy == HygienePolicy.Azure ? ScheduledEventsWatch.OfThisMachine(Files, Time) : null;

    /// <summary>The policy that was asked for, that of /etc/perf-lab/machine.conf, or "any".</summary>
    public HygienePolicy PolicyOr(HygienePolicy? asked) => asked ?? LabMachine.Read(Files).Kind ?? HygienePolicy.Any;

    /// <summary>The fingerprint with the policy it is judged by; the self-test is added to the machine's history. Without <paramref name="events"/>, announced maintenance is left out.</summary>
    public async Task<MachineFindings> RunAsync(HygienePolicy policy, ScheduledEventsWatch? events, CancellationToken cancellationToken)
    {
        var facts = MachineFacts.Read(Files, Time, DiskSpace.Of(Store), Executor);
        facts["policy"] = policy.ToString().ToLowerInvariant();
        if (await AzureInstance.AskAsync(Files, Time, cancellationToken) is { } instance)
        {
            facts["instance"] = instance;
        }

        var (usual, runs) = History.Usual(SelfTestHistory.Key(facts));
        using var pauses = WatchPauses();
        var started = Time.GetTimestamp();
        facts["busyShare"] = await BusyShareAsync(cancellationToken);
        var figures = SelfTest.RunAll(Time, SelfTestRepeats);
        facts["selfTest"] = figures.ToJson(usual, runs);
        facts["pauses"] = new JsonObject
        {
            ["longestSeconds"] = pauses.Gaps.TakeLongest().TotalSeconds,
            ["watchedSeconds"] = Time.GetElapsedTime(started).TotalSeconds,
        };
        if (events is not null)
        {
            await events.FirstAnswerAsync(EventsPatience, cancellationToken);
            facts["scheduledEvents"] = SeenEvents.Fact(events.Seen.Now);
        }

        History.Add(SelfTestHistory.Key(facts), figures, Time.GetUtcNow());
        return new(facts, figures, usual, runs);
    }

    /// <summary>The fingerprint of a machine on which nothing is measured: nobody looks how quiet or how fast it is.</summary>
    public MachineFindings Describe()
    {
        var facts = MachineFacts.Read(Files, Time, DiskSpace.Of(Store), Executor);
        facts["policy"] = nameof(HygienePolicy.Any).ToLowerInvariant();
        return new(facts, null, null, 0);
    }

    /// <summary>
    /// Share of the workloads' cores (all cores where nobody split them) that others kept busy while the lab slept; "unknown" when the kernel
    /// does not say. It does not sleep quite: its own JIT compiles in the background for a moment.
    /// </summary>
    private async Task<JsonNode> BusyShareAsync(CancellationToken cancellationToken)
    {
        var cpus = new MachineScan(Files, Time).WorkloadCpus;
        var before = Busy(cpus);
        await Task.Delay(LoadWatched, Time, cancellationToken);
        return before is { } one && Busy(cpus) is { } other && other.Total > one.Total
            ? Math.Max(0, (double)(other.Others - one.Others) / (other.Total - one.Total)) : MachineFiles.Unknown;
    }

    // On a machine whose cores are split the lab itself runs on others.
    private (long Total, long Others)? Busy(IReadOnlyList<int>? cpus) =>
        KernelText.BusyTicks(Files.Text("/proc/stat", MachineFiles.Large), cpus) is { } ticks
            ? (ticks.Total, ticks.Busy - (cpus is null ? KernelText.ProcessTicks(Files.Text("/proc/self/stat")) ?? 0 : 0)) : null;
}

/// <summary>What was found of a machine.</summary>
/// <param name="Facts">The fingerprint.</param>
/// <param name="Figures">Of the self-test that was just run; null: none was.</param>
/// <param name="Usual">Seconds of this machine's history; null when it has none.</param>
/// <param name="EarlierRuns">Of how many runs that is.</param>
public sealed record MachineFindings(
    JsonObject Facts, SelfTestFigures? Figures, IReadOnlyDictionary<string, double>? Usual, int EarlierRuns);
