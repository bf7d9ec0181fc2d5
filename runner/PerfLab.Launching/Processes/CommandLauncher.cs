using System.Collections.Concurrent;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>
/// Launches commands that somebody typed, as that person: with their folder, files and environment, and nothing between the call that
/// starts the program and its first instruction. What is timed is from just before that call to the moment in which the kernel says that
/// it has ended.
/// </summary>
public sealed class CommandLauncher : ILauncher
{
    private const int WarmUpLaunches = 20;

    private readonly string _root;
    private readonly LauncherFolder _folder;
    private readonly IReadOnlyList<int> _cpus = CpuAffinity.OfThisThread();
    private readonly IReadOnlyList<KeyValuePair<string, string>> _environment;
    private readonly ConcurrentDictionary<string, (long Length, DateTime Written)> _files = new(StringComparer.Ordinal);
    private readonly CommandTurns _turns;

    /// <param name="environment">Of every launch, but for the lab's own variables: the person's, taken once, so the same for all.</param>
    /// <param name="clock">By which turns are cut; null: the machine's.</param>
    /// <param name="temporaryRoot">Where its own folders go; null: where temporary files go.</param>
    public CommandLauncher(
        IEnumerable<KeyValuePair<string, string>> environment, TimeProvider? clock = null, string? temporaryRoot = null)
    {
        _root = temporaryRoot ?? Path.GetTempPath();
        _folder = LauncherFolder.Create(_root);
        _environment = [.. environment.Where(pair => !pair.Key.StartsWith("PERF_LAB_", StringComparison.Ordinal))
            .OrderBy(pair => pair.Key, StringComparer.Ordinal)];
        _turns = new(Found, () => LauncherFolder.Create(_root), clock ?? TimeProvider.System);
    }

    public string Executor => "process";

    public bool TakesTurns => true;

    public IReadOnlyList<string> Warnings { get; } =
    [
        "commands run unsealed, as you: with your files, network and environment; only what is on both sides of them is held equal",
        "time is from the call that starts the program to its end, so it holds what starting it takes; "
            + "standard output goes nowhere, and input is empty",
        "no row is ever not-steady: the lab can't see whether a command is still warming up",
    ];

    /// <summary>The person's environment.</summary>
    public static CommandLauncher Create() => new(Environment.GetEnvironmentVariables().Cast<System.Collections.DictionaryEntry>()
        .Select(entry => KeyValuePair.Create((string)entry.Key, (string?)entry.Value ?? "")));

    public Task<JsonObject> DescribeAsync(CancellationToken cancellationToken) => Task.FromResult(new JsonObject
    {
        ["executor"] = Executor,
        ["sandbox"] = "none",
        ["memoryLimit"] = "none",
        ["allowedCpus"] = CpuList.Format(_cpus),
    });

    public IReadOnlyList<Problem> Problems(RunPlan plan) => [];

    /// <summary>
    /// Removes what dead labs left, and starts something small some times, so that the runner's own code is compiled before it counts.
    /// </summary>
    public async Task PrepareAsync(IReadOnlyCollection<Build> builds, CancellationToken cancellationToken)
    {
        LauncherFolder.RemoveDead(_root);
        if (builds.FirstOrDefault() is { } any && ProgramPath.Find("true", "/usr/bin:/bin") is { } nothing)
        {
            var launch = new LaunchSpec
            {
                Session = "",
                Build = any,
                Command = [nothing],
                Environment = [],
                Resources = new(1, 1, 1),
                Timeout = TimeSpan.FromSeconds(10),
            };
            for (var i = 0; i < WarmUpLaunches; i++)
            {
                await LaunchAsync(launch, cancellationToken);
            }
        }
    }

    public Task<LaunchEnd> LaunchAsync(LaunchSpec launch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var (found, problem) = Found(launch, _folder);
        return found is null ? Task.FromResult(LaunchEnd.NotStarted(_folder.ResultFile, problem!))
            : ProcessLauncher.OnOwnThread(() => found.Run(null, cancellationToken), cancellationToken);
    }

    public Task<TurnsEnd> LaunchInTurnsAsync(TurnsSpec round, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return _turns.LaunchAsync(round, cancellationToken);
    }

    public Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken) => Task.FromResult(true);

    public ValueTask DisposeAsync()
    {
        _folder.Delete();
        _turns.Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>What can be started in an empty folder, or why it can't.</summary>
    private (CommandLaunch? Launch, string? Problem) Found(LaunchSpec launch, LauncherFolder folder)
    {
        var problems = new List<Problem>();
        var path = _environment.FirstOrDefault(pair => pair.Key == "PATH").Value;
        var program = CommandProgram.Find("it", launch.Command[0], launch.Build.Folder, path, problems);
        var problem = program is null ? problems[0].What
            : Changed(program) ? $"{program} changed while it was measured"
            : folder.Renew();
        return problem is not null ? (null, problem) : (new(launch, program!, folder, _environment, _cpus), null);
    }

    private bool Changed(string program)
    {
        var file = new FileInfo(program);
        var now = (file.Length, file.LastWriteTimeUtc);
        return _files.GetOrAdd(program, now) != now;
    }
}
