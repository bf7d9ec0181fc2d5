using System.Collections.Concurrent;
using System.ComponentModel;
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
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(2);

    /// <summary>On stderr; what goes to stdout is dropped by the kernel, however much it is.</summary>
    private const long ErrorLimitBytes = 16L << 20;
    private const int WarmUpLaunches = 20;

    private readonly LauncherFolder _folder = LauncherFolder.Create(Path.GetTempPath());
    private readonly IReadOnlyList<int> _cpus = CpuAffinity.OfThisThread();
    private readonly IReadOnlyList<KeyValuePair<string, string>> _environment;
    private readonly ConcurrentDictionary<string, (long Length, DateTime Written)> _files = new(StringComparer.Ordinal);

    /// <param name="environment">Of every launch, but for the lab's own variables: the person's, taken once, so the same for all.</param>
    public CommandLauncher(IEnumerable<KeyValuePair<string, string>> environment) =>
        _environment = [.. environment.Where(pair => !pair.Key.StartsWith("PERF_LAB_", StringComparison.Ordinal))
            .OrderBy(pair => pair.Key, StringComparer.Ordinal)];

    public string Executor => "process";

    public IReadOnlyList<string> Warnings { get; } =
    [
        "commands run unsealed, as you: with your files, network and environment; only what is on both sides of them is held equal",
        "time is from the call that starts the program to its end, so it holds what starting it takes; "
            + "standard output goes nowhere, and input is empty",
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
        LauncherFolder.RemoveDead(Path.GetTempPath());
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
        var problems = new List<Problem>();
        var path = _environment.FirstOrDefault(pair => pair.Key == "PATH").Value;
        var program = CommandProgram.Find("it", launch.Command[0], launch.Build.Folder, path, problems);
        if (program is null || Changed(program) || _folder.Renew() is not null)
        {
            return Task.FromResult(LaunchEnd.NotStarted(_folder.ResultFile, program is null ? problems[0].What
                : $"{program} changed while it was measured"));
        }

        return ProcessLauncher.OnOwnThread(() => Run(launch, program, cancellationToken), cancellationToken);
    }

    public Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken) => Task.FromResult(true);

    public ValueTask DisposeAsync()
    {
        _folder.Delete();
        return ValueTask.CompletedTask;
    }

    private bool Changed(string program)
    {
        var file = new FileInfo(program);
        var now = (file.Length, file.LastWriteTimeUtc);
        return _files.GetOrAdd(program, now) != now;
    }

    private LaunchEnd Run(LaunchSpec launch, string program, CancellationToken cancellationToken)
    {
        using var cancelled = new WakePipe(cancellationToken);
        if (launch.Cpus is { } wish && CpuList.TryParse(wish, out var cpus))
        {
            CpuAffinity.PinThisThread(cpus); // of its own thread; the program inherits it
        }

        var (running, error) = SpawnedProgram.Start(new()
        {
            Program = program,
            Arguments = launch.Command,
            Environment = [.. _environment, .. launch.Environment.Where(pair => pair.Key == EnvironmentPad.Variable),
                KeyValuePair.Create(OutVariables.Result, _folder.ResultFile)],
            Folder = launch.Build.Folder,
            DropsOutput = true,
        });
        if (running is null)
        {
            return LaunchEnd.NotStarted(
                _folder.ResultFile, $"'{launch.Command[0]}' could not be started: {new Win32Exception(error).Message}");
        }

        using (running)
        {
            var watch = new LaunchWatch(running, new WatchLimits(launch.Timeout, Grace, ErrorLimitBytes), cancelled.ReadEnd);
            var watched = watch.UntilExit(running.Started);
            running.SignalGroup(Libc.SigKill);
            var survivors = Survivors.Kill(new LaunchMarks(running.Pid, _folder.Marker, static () => []));
            watch.ReadRest();
            var (status, cpuSeconds) = running.Reap();
            if (watched.Intervention == Intervention.Cancelled)
            {
                throw new OperationCanceledException(cancellationToken);
            }

            var evidence = new JsonObject
            {
                ["cpus"] = launch.Cpus ?? CpuList.Format(_cpus),
                ["sandbox"] = "none",
                ["cpuSeconds"] = cpuSeconds,
            };
            if (survivors.Count > 0)
            {
                evidence["survivors"] = new JsonArray([.. survivors.Select(pid => JsonValue.Create(pid))]);
            }

            var limits = new LaunchLimits(launch.Timeout, launch.Resources.MemoryBytes, ErrorLimitBytes);
            var (how, reason) = EndTable.Of(new() { Intervention = watched.Intervention, Status = status, Limits = limits });
            return new()
            {
                How = how,
                ExitCode = status.ExitCode,
                WallSeconds = watched.WallSeconds,
                Tail = watch.Tail.Text(),
                Reason = reason,
                ResultFile = _folder.ResultFile,
                Evidence = evidence,
            };
        }
    }
}
