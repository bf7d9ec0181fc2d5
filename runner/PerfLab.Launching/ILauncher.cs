using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching;

/// <summary>
/// Starts one arm once, in a fresh container or process, and says how it ended. It never judges: reading and checking the result is
/// the same for every executor.
/// </summary>
public interface ILauncher : IAsyncDisposable
{
    /// <summary>The word in the journal and on the command line: "docker", "process", "kubernetes".</summary>
    string Executor { get; }

    /// <summary>Whether programs run on the lab's own machine: then nothing else may, and it has to be fit.</summary>
    bool MeasuresHere => true;

    /// <summary>What this executor can't isolate here, one sentence each; shown in the report.</summary>
    IReadOnlyList<string> Warnings { get; }

    /// <summary>Facts about the executor for the machine fingerprint (engine version, storage driver, cgroup version …).</summary>
    Task<JsonObject> DescribeAsync(CancellationToken cancellationToken);

    /// <summary>What of a plan this executor could never launch, known before anything is built.</summary>
    IReadOnlyList<Problem> Problems(RunPlan plan) => [];

    /// <summary>Limits that an arm asks for and this executor can't keep here. Not asked where things are only built.</summary>
    IReadOnlyList<Problem> LimitProblems(RunPlan plan) => [];

    /// <summary>Makes the builds launchable (loads images), removes what dead sessions left. Before the first launch, never between.</summary>
    Task PrepareAsync(IReadOnlyCollection<Build> builds, CancellationToken cancellationToken);

    /// <summary>Where launches run elsewhere: finds a place for those of a plan and keeps it. After <see cref="PrepareAsync"/>.</summary>
    /// <exception cref="NoPlaceException">There is no place for them now.</exception>
    Task PlaceAsync(RunPlan plan, CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Runs to the end or the deadline. Throws only for a cancelled token (after removing what it started) or a bug.</summary>
    /// <exception cref="NoPlaceException">The place was lost, and there is no other.</exception>
    Task<LaunchEnd> LaunchAsync(LaunchSpec launch, CancellationToken cancellationToken);

    /// <summary>Whether the arms of a round can be alive at once here, and all but one of them frozen.</summary>
    bool TakesTurns => false;

    /// <summary>
    /// Runs the arms of a round in turns, to the end of all of them; what goes wrong with one ends the others. Throws as
    /// <see cref="LaunchAsync"/> does, and only where <see cref="TakesTurns"/>.
    /// </summary>
    Task<TurnsEnd> LaunchInTurnsAsync(TurnsSpec round, CancellationToken cancellationToken) =>
        throw new NotSupportedException($"the {Executor} executor takes no turns");

    /// <summary>Waits until launches are possible again after <see cref="EndKind.EngineGone"/>; false when patience ran out.</summary>
    Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken);
}

/// <summary>One launch, complete: nothing of the runner's own environment gets in.</summary>
public sealed record LaunchSpec
{
    /// <summary>Session id: the label by which leftovers are found.</summary>
    public required string Session { get; init; }
    public required Build Build { get; init; }

    /// <summary>Program and arguments, relative to the build's folder; the same count for every arm.</summary>
    public required IReadOnlyList<string> Command { get; init; }

    /// <summary>
    /// Complete and ordered, the same names in the same order for every arm. The launcher adds PERF_LAB_RESULT and
    /// <see cref="OutFiles"/>, whose paths only it knows.
    /// </summary>
    public required IReadOnlyList<KeyValuePair<string, string>> Environment { get; init; }

    /// <summary>Variable -> name of a file beside the result: where the program is to write it, as it sees the path.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> OutFiles { get; init; } = [];

    /// <summary>The programs of the launch, each of them this build, command and environment; empty: there is one.</summary>
    public IReadOnlyList<PlannedNode> Nodes { get; init; } = [];

    /// <summary>Of each node.</summary>
    public required Resources Resources { get; init; }

    /// <summary>Cores to pin to, in the kernel's list form ("2-3"); null leaves the choice to the launcher.</summary>
    public string? Cpus { get; init; }
    public required TimeSpan Timeout { get; init; }

    /// <summary>How it takes turns with the other arms of its round; null: it runs alone.</summary>
    public TurnPlan? Turns { get; init; }

    /// <summary>The same launch in turns: told so by the same variables as every arm of its round.</summary>
    public LaunchSpec InTurns(TurnPlan turns) => this with
    {
        Environment = [.. Environment, .. TurnVariables.Values(turns)],
        OutFiles = [.. OutFiles, .. TurnVariables.Files],
        Turns = turns,
    };
}

/// <summary>The variables of a launch that are paths in its one writable folder.</summary>
internal static class OutVariables
{
    public const string Result = "PERF_LAB_RESULT";

    public static IEnumerable<KeyValuePair<string, string>> Of(LaunchSpec launch, string resultPath) =>
        launch.OutFiles.Select(file => KeyValuePair.Create(file.Key, Path.Combine(Path.GetDirectoryName(resultPath)!, file.Value)))
            .Prepend(new(Result, resultPath));
}

/// <summary>How a launch ended, before anybody looked at its result.</summary>
public enum EndKind
{
    /// <summary>By itself, with <see cref="LaunchEnd.ExitCode"/> (also by a signal of its own).</summary>
    Exited,
    TimedOut,
    OutOfMemory,

    /// <summary>It printed more than the output limit and was killed for it.</summary>
    Flooded,

    /// <summary>Something that is not the lab ended it: the round is void.</summary>
    KilledFromOutside,

    /// <summary>The engine stopped answering: the round is void, repeated when it is back.</summary>
    EngineGone,

    /// <summary>It could not be started at all (missing entry, broken image); <see cref="LaunchEnd.Reason"/> says why.</summary>
    NotStarted,

    /// <summary>
    /// One of several nodes did not get ready, or did not end when the others had; <see cref="LaunchEnd.Reason"/> says what.
    /// The launch failed.
    /// </summary>
    NodeFailed,
}

/// <summary>How a launch ended, and where its result would be.</summary>
public sealed record LaunchEnd
{
    public required EndKind How { get; init; }
    public int? ExitCode { get; init; }
    public required double WallSeconds { get; init; }

    /// <summary>At most the last 20 lines and 4,000 characters of what it printed, raw.</summary>
    public string Tail { get; init; } = "";

    /// <summary>What came back, in one sentence, when <see cref="How"/> alone does not say it.</summary>
    public string? Reason { get; init; }

    /// <summary>The file that the workload was told to write, on this machine; it may be absent or hostile. Read it before the next launch.</summary>
    public required string ResultFile { get; init; }

    /// <summary>Stopwatch's time from which <see cref="WallSeconds"/> counts; 0 where only that counts.</summary>
    internal long Started { get; init; }

    /// <summary>What the executor saw from outside: peak memory, CPU time.</summary>
    public JsonObject Evidence { get; init; } = [];

    /// <summary>
    /// How each node ended, in the order of the plan; empty when there was one program. <see cref="ResultFile"/> is of one of them.
    /// </summary>
    public IReadOnlyList<NodeEnd> Nodes { get; init; } = [];

    /// <summary>The node that spoiled the launch; null when none did, or there was one program.</summary>
    public string? SpoiledBy { get; init; }

    internal static LaunchEnd NotStarted(string resultFile, string reason) =>
        new() { How = EndKind.NotStarted, WallSeconds = 0, ResultFile = resultFile, Reason = reason };
}

/// <summary>How one node of a launch ended.</summary>
public sealed record NodeEnd(string Name, LaunchEnd End);
