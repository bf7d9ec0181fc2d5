using System.ComponentModel;
using System.Diagnostics;
using System.Text.Json.Nodes;
using PerfLab.Runner.Machine;

namespace PerfLab.Runner.Execution.Processes;

/// <summary>One launch from exec to the last of its processes.</summary>
internal sealed class LinuxLaunch(LaunchSpec launch, ProcessExecutorOptions options, LauncherFolder folder, ProcessHost host)
{
    private const ulong LargestFileBytes = 256 << 20;
    private readonly LaunchLimits limits = new(launch.Timeout, launch.Resources.MemoryBytes, options.OutputLimitBytes);

    /// <summary>Blocks the calling thread, which must be the launch's own.</summary>
    public LaunchEnd Run(CancellationToken cancellationToken)
    {
        var (cpus, problem) = CpuChoice.From(launch.Cpus, launch.Resources.Cpus, host.Cpus);
        if (cpus is null)
        {
            return LaunchEnds.NotStarted(folder.ResultFile, problem!);
        }

        using var memory = host.Memory is null ? null : MemoryCgroup.TryCreate(host.Memory, limits.MemoryBytes, launch.Resources.Pids);
        using var cancelled = new WakePipe(cancellationToken);
        CpuAffinity.PinThisThread(cpus.Workload);
        var started = Stopwatch.GetTimestamp();
        var (program, error) = SpawnedProgram.Start(Start());
        CpuAffinity.PinThisThread(cpus.Lab);
        if (program is null)
        {
            return LaunchEnds.NotStarted(folder.ResultFile, $"'{launch.Command[0]}' could not be started: {new Win32Exception(error).Message}");
        }

        using (program)
        {
            Limit(program.Pid, memory);
            var watch = new LaunchWatch(program, new WatchLimits(launch.Timeout, options.Grace, options.OutputLimitBytes), cancelled.ReadEnd);
            var watched = watch.UntilExit(started);
            program.SignalGroup(Libc.SigKill);
            var survivors = Leftovers.Kill(new LaunchMarks(program.Pid, folder.Marker, () => memory?.Members() ?? []));
            watch.ReadRest();
            var (status, cpuSeconds) = program.Reap();
            if (watched.Intervention == Intervention.Cancelled)
            {
                throw new OperationCanceledException(cancellationToken);
            }

            var evidence = Evidence(cpus, cpuSeconds, memory);
            if (survivors.Count > 0)
            {
                evidence["survivors"] = new JsonArray([.. survivors.Select(pid => JsonValue.Create(pid))]);
            }

            return End(watch, watched.WallSeconds, evidence, new Ending
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

    private ProgramStart Start()
    {
        var program = Startable.Program(launch)!;
        var result = KeyValuePair.Create(ProcessLauncher.ResultVariable, folder.ResultFile);
        if (host.Sandbox is { } sandbox)
        {
            return Start(sandbox.Program, sandbox.Arguments(launch.Build.Folder, folder.Output, launch), [result]);
        }

        return host.DeathSignal is { } guard
            ? Start(guard, ["setpriv", "--pdeathsig", "KILL", "--", program, .. launch.Command.Skip(1)], [.. launch.Environment, result])
            : Start(program, launch.Command, [.. launch.Environment, result]);
    }

    private ProgramStart Start(string program, IReadOnlyList<string> arguments, IReadOnlyList<KeyValuePair<string, string>> environment) =>
        new() { Program = program, Arguments = arguments, Environment = environment, Folder = launch.Build.Folder };

    // Some microseconds after exec: too early for the program to have come to its first line.
    private static void Limit(int pid, MemoryCgroup? memory)
    {
        memory?.TryAdd(pid);
        _ = Libc.SetLimit(pid, Libc.LimitCore, new Libc.Limit(), 0);
        _ = Libc.SetLimit(pid, Libc.LimitFileSize, new Libc.Limit { Soft = LargestFileBytes, Hard = LargestFileBytes }, 0);
    }

    private JsonObject Evidence(CpuChoice cpus, double cpuSeconds, MemoryCgroup? memory)
    {
        var evidence = new JsonObject
        {
            ["cpus"] = CpuList.Format(cpus.Workload),
            ["cpuSeconds"] = cpuSeconds,
            ["sandbox"] = host.Sandbox is null ? "none" : "bubblewrap",
        };

        // Only from a cgroup: the rusage of a child starts at the peak of the process that started it, which is the runner.
        if (memory?.PeakBytes is { } peak)
        {
            evidence["peakMemoryBytes"] = peak;
        }

        return evidence;
    }

    private LaunchEnd End(LaunchWatch watch, double wallSeconds, JsonObject evidence, Ending ending)
    {
        var tail = watch.Tail.Text();
        var (how, reason) = RefusedByWrapper(ending.Status, tail) ? (EndKind.NotStarted, tail.Split('\n')[0]) : EndTable.Of(ending);
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

    // What went wrong before the workload's first instruction is said by what starts it.
    private bool RefusedByWrapper(WaitStatus status, string tail) => host.Sandbox is not null
        ? status.ExitCode is 1 or 126 or 127 && (tail.StartsWith("bwrap: ", StringComparison.Ordinal) || tail.StartsWith("/usr/bin/env: ", StringComparison.Ordinal))
        : host.DeathSignal is not null && status.ExitCode is 126 or 127 && tail.StartsWith("setpriv: ", StringComparison.Ordinal);
}
