using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;

namespace PerfLab.Machine.Watching;

/// <summary>One check of the machine between blocks: what was seen, and what it says about the block before it.</summary>
/// <param name="Void">Why the block must be repeated; null when it stands.</param>
public sealed record BlockCheck(JsonObject Facts, string? Void);

/// <summary>
/// Looks at the machine before the first, between, and after the last block: the self-test, the whole fingerprint, real frequency,
/// interrupts, and what two quiet watchers saw meanwhile: pauses and announced maintenance. Too dear for between launches (half a second),
/// cheap every two minutes.
/// </summary>
public sealed class BlockWatch
{
    /// <summary>A block ends with the first round that ends after this: a check is then below 0.5 % of the time.</summary>
    public static readonly TimeSpan Length = TimeSpan.FromSeconds(120);

    /// <summary>Interrupts of devices a second and core for workloads, on metal: nothing of a workload needs one.</summary>
    public const double MostInterrupts = 100;

    /// <summary>Real over nominal clock with boost off (Krun's example bounds).</summary>
    public static readonly (double Least, double Most) Frequency = (0.995, 1.005);

    private static readonly TimeSpan WaitWhenOff = TimeSpan.FromSeconds(30);
    private const int MostWaits = 3;

    private readonly BlockWatchSetup _setup;
    private readonly CoolDown _coolDown;
    private readonly BlockReadings _readings;
    private readonly IReadOnlyList<string> _counterCores;
    private IReadOnlyDictionary<string, double>? _usual;
    private SelfTestFigures? _justNow;
    private State? _opened;

    public BlockWatch(BlockWatchSetup setup)
    {
        (_setup, _usual, _justNow) = (setup, setup.Usual, setup.JustNow);
        _coolDown = new CoolDown(setup.Files, setup.Time);
        _readings = new BlockReadings(setup);
        _counterCores = FeedbackCounters.Find(setup.Files);
    }

    public bool IsOpen => _opened is not null;

    /// <summary>Long enough; or lost already, because maintenance was announced: what comes now would be struck too.</summary>
    public bool IsDue => _opened is { } opened && (_setup.Time.GetElapsedTime(opened.Started) >= Length || _readings.IsLost);

    /// <summary>
    /// Waits until the machine is as it was and no maintenance is announced (a lab only), and notes how it is. Gives facts for the journal,
    /// or null when they were written just now: the check that ended one block begins the next.
    /// </summary>
    public async Task<JsonObject?> OpenAsync(CancellationToken cancellationToken)
    {
        var warnings = new List<string>();
        if (_setup.Policy == HygienePolicy.Metal && await _coolDown.WaitAsync(cancellationToken) is { } hot)
        {
            warnings.Add(hot);
        }

        if (await _readings.WaitAsync(cancellationToken) is { } announced)
        {
            warnings.Add(announced);
        }

        var (figures, isKnown) = _justNow is { } known ? (known, true) : (_setup.SelfTest(), false);
        // On a machine without a history the session's first figures are what is usual.
        _usual ??= figures.Medians;
        for (var waits = 0; _setup.Policy.IsLab() && waits < MostWaits && figures.Off(_usual) is not null; waits++)
        {
            await Task.Delay(WaitWhenOff, _setup.Time, cancellationToken);
            (figures, isKnown) = (_setup.SelfTest(), false);
        }

        (_opened, _justNow) = (Look(figures), null);
        _readings.Begin();
        return isKnown && warnings.Count == 0 ? null : Facts(figures, warnings);
    }

    /// <summary>Judges the block that <see cref="OpenAsync"/> began.</summary>
    /// <param name="launches">How many launches of the session there are so far: the block's name in the journal.</param>
    public BlockCheck Close(int launches)
    {
        var opened = _opened ?? throw new InvalidOperationException("No block is open.");
        _opened = null;
        // Before the self-test: that is the lab's own work.
        var seen = _readings.End();
        var figures = _setup.SelfTest();
        List<string> found = [.. Judge(opened, Look(figures)), .. seen.Problems];
        var isVoid = found.Count > 0 && _setup.Policy.IsLab();
        _justNow = figures;
        var facts = Facts(figures, [.. isVoid ? [] : found, .. seen.Warnings]);
        facts["launches"] = launches;
        seen.AddTo(facts);
        return new BlockCheck(facts, isVoid ? Invariant($"block up to launch {launches}: {string.Join("; ", found)}") : null);
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

        foreach (var difference in HygieneJudge.Differences(opened.Facts, closed.Facts))
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
            yield return Invariant($"devices interrupted the workloads' cores {interrupts} times in {seconds:0} s");
        }

        if (FeedbackCounters.Ratio(opened.Counters, closed.Counters) is { } ratio && (ratio < Frequency.Least || ratio > Frequency.Most))
        {
            yield return Invariant($"the real clock was {ratio:0.0000} of the nominal one");
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
