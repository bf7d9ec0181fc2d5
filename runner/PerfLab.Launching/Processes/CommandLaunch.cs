using System.ComponentModel;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>One launch of a command, from the call that starts its program to the last of its processes.</summary>
/// <param name="program">Absolute path.</param>
/// <param name="environment">The person's.</param>
/// <param name="cpus">That there are.</param>
internal sealed class CommandLaunch(
    LaunchSpec launch, string program, LauncherFolder folder, IReadOnlyList<KeyValuePair<string, string>> environment,
    IReadOnlyList<int> cpus)
{
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(2);

    /// <summary>On stderr; what goes to stdout is dropped by the kernel, however much it is.</summary>
    private const long ErrorLimitBytes = 16L << 20;

    /// <summary>Blocks the calling thread, which must be the launch's own.</summary>
    /// <param name="began">Told once, as soon as the program is there: by what its processes are known. Null: nobody asks.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public LaunchEnd Run(Action<LaunchMarks>? began, CancellationToken cancellationToken)
    {
        using var cancelled = new WakePipe(cancellationToken);
        if (launch.Cpus is { } wish && CpuList.TryParse(wish, out var own))
        {
            CpuAffinity.PinThisThread(own); // of its own thread; the program inherits it
        }

        var (running, error) = SpawnedProgram.Start(new()
        {
            Program = program,
            Arguments = launch.Command,
            Environment = [.. environment, .. launch.Environment.Where(pair => pair.Key == EnvironmentPad.Variable),
                KeyValuePair.Create(OutVariables.Result, folder.ResultFile)],
            Folder = launch.Build.Folder,
            DropsOutput = true,
        });
        if (running is null)
        {
            return LaunchEnd.NotStarted(
                folder.ResultFile, $"'{launch.Command[0]}' could not be started: {new Win32Exception(error).Message}");
        }

        using (running)
        {
            var marks = new LaunchMarks(running.Pid, folder.Marker, static () => []);
            began?.Invoke(marks);
            var watch = new LaunchWatch(running, new WatchLimits(launch.Timeout, Grace, ErrorLimitBytes), cancelled.ReadEnd);
            var watched = watch.UntilExit(running.Started);
            running.SignalGroup(Libc.SigKill);
            var survivors = Survivors.Kill(marks);
            watch.ReadRest();
            var (status, cpuSeconds) = running.Reap();
            if (watched.Intervention == Intervention.Cancelled)
            {
                throw new OperationCanceledException(cancellationToken);
            }

            var evidence = new JsonObject
            {
                ["cpus"] = launch.Cpus ?? CpuList.Format(cpus),
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
                Started = running.Started,
                Tail = watch.Tail.Text(),
                Reason = reason,
                ResultFile = folder.ResultFile,
                Evidence = evidence,
            };
        }
    }
}
