using System.Text.Json.Nodes;
using PerfLab.Runner.Machine.Rows;

namespace PerfLab.Runner.Machine;

/// <summary>One check of the machine between blocks: what was seen, and what it says about the block before it.</summary>
/// <param name="Facts">For the journal.</param>
/// <param name="Void">Why the block must be repeated; null when it stands.</param>
public sealed record BlockCheck(JsonObject Facts, string? Void);

/// <summary>
/// Looks at the machine before the first, between, and after the last block: the self-test, the whole fingerprint, real frequency, interrupts,
/// and what two quiet watchers saw meanwhile: pauses and announced maintenance. Too dear for between launches (half a second), cheap every two minutes.
/// </summary>
public sealed class BlockWatch
{
    /// <summary>A block ends with the first round that ends after this: a check is then below 0.5 % of the time.</summary>
    public static readonly TimeSpan Length = TimeSpan.FromSeconds(120);

    /// <summary>Interrupts of devices a second and core for workloads, on metal: nothing of a workload needs one.</summary>
    public const double MostInterrupts = 100;

    /// <summary>Real over nominal clock with boost off (Krun's example bounds).</summary>
    public static readonly (double Least, double Most) Frequency = (0.995, 1.005);

    /// <summary>For announced maintenance to be over: Azure gives notice of about 15 minutes, and a pause itself takes seconds.</summary>
    public static readonly TimeSpan MaintenancePatience = TimeSpan.FromMinutes(20);

    private static readonly TimeSpan WaitWhenOff = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan LookForMaintenance = TimeSpan.FromSeconds(5);
    private const int MostWaits = 3;

    private readonly BlockWatchSetup _setup;
    private readonly CoolDown _coolDown;
    private readonly IReadOnlyList<string> _counterCores;
    private IReadOnlyDictionary<string, double>? _usual;
    private SelfTestFigures? _justNow;
    private State? _opened;
    private bool _saidUnknown;

    public BlockWatch(BlockWatchSetup setup)
    {
        (_setup, _usual, _justNow) = (setup, setup.Usual, setup.JustNow);
        _coolDown = new CoolDown(setup.Files, setup.Time);
        _counterCores = FeedbackCounters.Find(setup.Files);
    }

    public bool IsOpen => _opened is not null;

    /// <summary>Long enough; or lost already, because maintenance was announced: what comes now would be struck too.</summary>
    public bool IsDue => _opened is { } opened && (_setup.Time.GetElapsedTime(opened.Started) >= Length || _setup.Events?.Now is { Count: > 0 });

    /// <summary>
    /// Waits until the machine is as it was and no maintenance is announced (a lab only), and notes how it is. Gives facts for the journal, or null when they were written just now:
    /// the check that ended one block begins the next.
    /// </summary>
    public async Task<JsonObject?> OpenAsync(CancellationToken cancellationToken)
    {
        var warnings = new List<string>();
        if (_setup.Policy == HygienePolicy.Metal && await _coolDown.WaitAsync(cancellationToken) is { } hot)
        {
            warnings.Add(hot);
        }

        if (await MaintenanceAsync(cancellationToken) is { } announced)
        {
            warnings.Add(announced);
        }

        var (figures, isKnown) = _justNow is { } known ? (known, true) : (_setup.SelfTest(), false);
        // On a machine without a history the session's first figures are what is usual.
        _usual ??= figures.Medians;
        for (var waits = 0; _setup.Policy != HygienePolicy.Any && waits < MostWaits && figures.Off(_usual) is not null; waits++)
        {
            await Task.Delay(WaitWhenOff, _setup.Time, cancellationToken);
            (figures, isKnown) = (_setup.SelfTest(), false);
        }

        (_opened, _justNow) = (Look(figures), null);
        _ = _setup.Pauses?.TakeLongest();
        _ = _setup.Events?.TakeSeen();
        return isKnown && warnings.Count == 0 ? null : Facts(figures, warnings);
    }

    /// <summary>Judges the block that <see cref="OpenAsync"/> began.</summary>
    /// <param name="launches">How many launches of the session there are so far: the block's name in the journal.</param>
    public BlockCheck Close(int launches)
    {
        var opened = _opened ?? throw new InvalidOperationException("No block is open.");
        _opened = null;
        // Before the self-test: that is the lab's own work.
        var meanwhile = new Meanwhile(_setup.Pauses?.TakeLongest(), _setup.Events?.TakeSeen());
        var figures = _setup.SelfTest();
        List<string> found = [.. Judge(opened, Look(figures)), .. meanwhile.Problems];
        var isVoid = found.Count > 0 && _setup.Policy != HygienePolicy.Any;
        _justNow = figures;
        var facts = Facts(figures, [.. isVoid ? [] : found, .. Unknown()]);
        facts["launches"] = launches;
        meanwhile.AddTo(facts, _setup.Events?.Now);
        return new BlockCheck(facts, isVoid ? FormattableString.Invariant($"block up to launch {launches}: {string.Join("; ", found)}") : null);
    }

    /// <summary>Waits while maintenance is announced; null when none is (any more).</summary>
    private async Task<string?> MaintenanceAsync(CancellationToken cancellationToken)
    {
        var started = _setup.Time.GetTimestamp();
        while (_setup.Events?.Now is { Count: > 0 } events)
        {
            if (_setup.Time.GetElapsedTime(started) >= MaintenancePatience)
            {
                return FormattableString.Invariant($"{MaintenanceRow.Problem(events)}; it was not over after {MaintenancePatience.TotalMinutes:0} minutes");
            }

            await Task.Delay(LookForMaintenance, _setup.Time, cancellationToken);
        }

        return null;
    }

    /// <summary>Once a session: nobody could say whether maintenance was announced.</summary>
    private IEnumerable<string> Unknown()
    {
        if (_setup.Events is { Now: null } && !_saidUnknown)
        {
            _saidUnknown = true;
            yield return "announced maintenance is unknown: neither the watchdog's note nor the metadata service answers";
        }
    }

    private IEnumerable<string> Judge(State opened, State closed)
    {
        foreach (var figures in new[] { opened.Figures, closed.Figures })
        {
            if (figures.Off(_usual!) is { } off)
            {
                yield return off;
                break;
            }
        }

        foreach (var difference in Hygiene.Differences(opened.Facts, closed.Facts))
        {
            yield return $"the machine changed: {difference}";
        }

        if (_setup.Policy != HygienePolicy.Metal)
        {
            yield break;
        }

        var seconds = _setup.Time.GetElapsedTime(opened.Started, closed.Started).TotalSeconds;
        if (closed.Interrupts - opened.Interrupts is { } interrupts && interrupts > MostInterrupts * seconds * Math.Max(1, opened.WorkloadCpus))
        {
            yield return FormattableString.Invariant($"devices interrupted the workloads' cores {interrupts} times in {seconds:0} s");
        }

        if (FeedbackCounters.Ratio(opened.Counters, closed.Counters) is { } ratio && (ratio < Frequency.Least || ratio > Frequency.Most))
        {
            yield return FormattableString.Invariant($"the real clock was {ratio:0.0000} of the nominal one");
        }
    }

    private State Look(SelfTestFigures figures)
    {
        var scan = new MachineScan(_setup.Files, _setup.Time);
        return new(figures, MachineFacts.Read(_setup.Files, _setup.Time), _setup.Time.GetTimestamp())
        {
            Counters = FeedbackCounters.Read(_setup.Files, _counterCores),
            Interrupts = WorkloadInterrupts.Sum(scan),
            WorkloadCpus = scan.WorkloadCpus?.Count ?? 0,
        };
    }

    private JsonObject Facts(SelfTestFigures figures, List<string> warnings)
    {
        var facts = new JsonObject { ["selfTest"] = figures.ToJson(_usual, _setup.EarlierRuns) };
        if (warnings.Count > 0)
        {
            facts["warnings"] = new JsonArray([.. warnings.Select(warning => (JsonNode)warning)]);
        }

        return facts;
    }

    /// <summary>What was seen between open and close.</summary>
    /// <param name="Longest">Pause; null where nobody watched.</param>
    /// <param name="Events">Announced maintenance; null where nobody asked.</param>
    private sealed record Meanwhile(TimeSpan? Longest, IReadOnlyList<string>? Events)
    {
        public IEnumerable<string> Problems =>
            new[] { Longest is { } longest ? PausesRow.Problem(longest) : null, Events is { } events ? MaintenanceRow.Problem(events) : null }.OfType<string>();

        public void AddTo(JsonObject facts, IReadOnlyList<string>? now)
        {
            if (Longest is { } longest)
            {
                facts["longestPauseSeconds"] = longest.TotalSeconds;
            }

            if (Events is { } events)
            {
                facts["scheduledEvents"] = MaintenanceRow.Fact(events.Count > 0 ? events : now);
            }
        }
    }

    private sealed record State(SelfTestFigures Figures, JsonObject Facts, long Started)
    {
        public FeedbackCounters? Counters { get; init; }
        public long? Interrupts { get; init; }
        public int WorkloadCpus { get; init; }
    }
}

/// <summary>What a watch over blocks needs.</summary>
public sealed record BlockWatchSetup
{
    public required MachineFiles Files { get; init; }
    public required TimeProvider Time { get; init; }
    public required HygienePolicy Policy { get; init; }

    /// <summary>Runs the self-test.</summary>
    public required Func<SelfTestFigures> SelfTest { get; init; }

    /// <summary>Figures of a self-test that ended just now; null when there was none.</summary>
    public SelfTestFigures? JustNow { get; init; }

    /// <summary>Seconds by kind of work that are usual on this machine; null when it has no history.</summary>
    public IReadOnlyDictionary<string, double>? Usual { get; init; }

    /// <summary>Of how many runs that is.</summary>
    public int EarlierRuns { get; init; }

    /// <summary>Where a <see cref="PauseWatch"/> notes what it saw; null: nobody watches.</summary>
    public TickGaps? Pauses { get; init; }

    /// <summary>Where announced maintenance is noted; null elsewhere than under the policy azure.</summary>
    public SeenEvents? Events { get; init; }
}
