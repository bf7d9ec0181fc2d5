using System.Diagnostics;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>Runs nothing in the sandbox, exactly as a launch would: distributions may forbid what is installed.</summary>
internal static class SandboxTrial
{
    private static readonly WatchLimits Limits = new(TimeSpan.FromSeconds(5), TimeSpan.Zero, 1 << 20);

    /// <summary>The first line of what it said against it; null when it works.</summary>
    public static string? Refusal(Bubblewrap sandbox, string folder)
    {
        var launch = new LaunchSpec
        {
            Session = "trial",
            Build = new Build("", folder, NeedsShell: false),
            Command = ["/usr/bin/true"],
            Environment = [],
            Resources = new Resources(1, 1 << 20, 16),
            Timeout = Limits.Timeout,
        };
        var (program, error) = SpawnedProgram.Start(new ProgramStart
        {
            Program = LaunchShell.Program,
            Arguments = LaunchShell.Before(null, sealedIn: true, [sandbox.Program, .. sandbox.Arguments(folder, launch, memory: null)]),
            Environment = [],
            Folder = folder,
            StatusFd = LaunchShell.StatusFd,
        });
        if (program is null)
        {
            return $"error {error} on start";
        }

        using var _ = program;
        using var never = new WakePipe(CancellationToken.None);
        var watch = new LaunchWatch(program, Limits, never.ReadEnd);
        watch.UntilExit(Stopwatch.GetTimestamp());
        program.SignalGroup(Libc.SigKill);
        watch.ReadRest();
        var code = program.Reap().Status.ExitCode;
        return code == 0 && LaunchShell.HasBegun(sealedIn: true, program.ReadStatus()) ? null : watch.Tail.Text().Split('\n')[0] is { Length: > 0 } line ? line : $"exit code {code}";
    }
}
