using System.ComponentModel;
using System.Diagnostics;
using PerfLab.Core.Model;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>One launch from exec to the last of its processes.</summary>
/// <param name="network">Shared with the other nodes of the launch; null: the sandbox makes one where there is a sandbox.</param>
internal sealed class LinuxLaunch(
    LaunchSpec launch, ProcessExecutorOptions options, LauncherFolder folder, ProcessHost host, NetworkNamespace? network = null)
{
    private readonly LaunchLimits limits = new(launch.Timeout, launch.Resources.MemoryBytes, options.OutputLimitBytes);

    /// <summary>Told once, as soon as the program is there: by what its processes are known. It holds them while the launch runs.</summary>
    public Action<LaunchMarks>? Began { get; init; }

    /// <summary>Blocks the calling thread, which must be the launch's own.</summary>
    public LaunchEnd Run(CancellationToken cancellationToken)
    {
        if (network?.Enter() == false)
        {
            return LaunchEnd.NotStarted(folder.ResultFile, "the network that its nodes share can't be entered");
        }

        var (cpus, problem) = CpuChoice.From(launch.Cpus, launch.Resources.Cpus, host.Cpus);
        if (cpus is null)
        {
            return LaunchEnd.NotStarted(folder.ResultFile, problem!);
        }

        using var memory = host.Memory is null ? null : MemoryCgroup.TryCreate(host.Memory, limits.MemoryBytes, launch.Resources.Pids);
        using var cancelled = new WakePipe(cancellationToken);
        CpuAffinity.PinThisThread(cpus.Workload);
        using var counters = LaunchCounters.Open();
        var started = Stopwatch.GetTimestamp();
        var (program, error) = SpawnedProgram.Start(Start(memory));
        CpuAffinity.PinThisThread(cpus.Lab);
        if (program is null)
        {
            return LaunchEnd.NotStarted(folder.ResultFile, $"'{launch.Command[0]}' could not be started: {new Win32Exception(error).Message}");
        }

        using (program)
        {
            var marks = new LaunchMarks(program.Pid, folder.Marker, () => memory?.Members() ?? []);
            Began?.Invoke(marks);
            var watch = new LaunchWatch(program, new WatchLimits(launch.Timeout, options.Grace, options.OutputLimitBytes), cancelled.ReadEnd);
            var watched = watch.UntilExit(started);
            program.SignalGroup(Libc.SigKill);
            var survivors = Survivors.Kill(marks);
            watch.ReadRest();
            var (status, cpuSeconds) = program.Reap();
            if (watched.Intervention == Intervention.Cancelled)
            {
                throw new OperationCanceledException(cancellationToken);
            }

            var evidence = Evidence(cpus, cpuSeconds, memory);
            counters.ReadInto(evidence);
            if (survivors.Count > 0)
            {
                evidence["survivors"] = new JsonArray([.. survivors.Select(pid => JsonValue.Create(pid))]);
            }

            var hasBegun = LaunchShell.HasBegun(host.Sandbox is not null, program.ReadStatus());
            return End(watch, watched.WallSeconds, evidence, hasBegun, new Ending
            {
                Intervention = watched.Intervention,
                Status = status,
                MemoryKills = memory?.Kills,
                ManagedOutOfMemory = watch.OutOfMemory.Seen,
                Sandboxed = host.Sandbox is not null,
                Limits = limits,
            });
        }
    }

    private ProgramStart Start(MemoryCgroup? memory)
    {
        IReadOnlyList<string> command = host.Sandbox is { } sandbox
            ? [sandbox.Program, .. sandbox.Arguments(folder.Output, launch, memory, keepsNetwork: network is not null)]
            : [.. LaunchShell.Environment([.. launch.Environment, .. OutVariables.Of(launch, folder.ResultFile)]), .. host.Guard, Startable.Program(launch)!, .. launch.Command.Skip(1)];
        return new ProgramStart
        {
            Program = LaunchShell.Program,
            Arguments = LaunchShell.Before(memory?.JoinFile, host.Sandbox is not null, command),
            Environment = [KeyValuePair.Create(OutVariables.Result, folder.ResultFile)],
            Folder = launch.Build.Folder,
            StatusFd = LaunchShell.StatusFd,
        };
    }

    private JsonObject Evidence(CpuChoice cpus, double cpuSeconds, MemoryCgroup? memory)
    {
        var evidence = new JsonObject
        {
            ["cpus"] = CpuList.Format(cpus.Workload),
            ["sandbox"] = host.Sandbox is null ? "none" : "bubblewrap",
        };

        // bwrap does not wait for its inmate in a way that adds its time up (3 ms were seen for 100): then only a cgroup knows.
        if ((memory?.CpuSeconds ?? (host.Sandbox is null ? cpuSeconds : null)) is { } seconds)
        {
            evidence["cpuSeconds"] = seconds;
        }

        if (memory?.ThrottledSeconds is { } throttled)
        {
            evidence["throttledSeconds"] = throttled;
        }

        // Only from a cgroup: the rusage of a child starts at the peak of the process that started it, which is the runner.
        if (memory?.PeakBytes is { } peak)
        {
            evidence["peakMemoryBytes"] = peak;
        }

        return evidence;
    }

    private LaunchEnd End(LaunchWatch watch, double wallSeconds, JsonObject evidence, bool hasBegun, Ending ending)
    {
        var tail = watch.Tail.Text();
        // Stopped or killed before it had begun is told as what it is.
        var (how, reason) = !hasBegun && ending is { Intervention: Intervention.None, Status.Signal: 0, MemoryKills: null or 0 }
            ? (EndKind.NotStarted, tail is "" ? $"exit code {ending.Status.ExitCode} before it began" : tail.Split('\n')[0])
            : EndTable.Of(ending);
        return new LaunchEnd
        {
            How = how,
            ExitCode = ending.Status.ExitCode,
            WallSeconds = wallSeconds,
            Tail = tail,
            Reason = reason,
            ResultFile = folder.ResultFile,
            Evidence = evidence,
        };
    }
}
