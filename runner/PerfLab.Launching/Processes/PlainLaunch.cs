using System.Diagnostics;

namespace PerfLab.Launching.Processes;

/// <summary>A launch where there is no Linux: a child process with a deadline, an output limit and the same environment. Nothing more.</summary>
internal sealed class PlainLaunch : IDisposable
{
    private readonly LaunchSpec launch;
    private readonly ProcessExecutorOptions options;
    private readonly string resultFile;
    private readonly OutputTail tail = new();
    private readonly Lock gate = new();
    private readonly CancellationTokenSource flooded = new();

    private PlainLaunch(LaunchSpec launch, ProcessExecutorOptions options, string resultFile) =>
        (this.launch, this.options, this.resultFile) = (launch, options, resultFile);

    public static async Task<LaunchEnd> RunAsync(
        LaunchSpec launch, ProcessExecutorOptions options, string resultFile, CancellationToken cancellationToken)
    {
        using var plain = new PlainLaunch(launch, options, resultFile);
        return await plain.RunAsync(cancellationToken);
    }

    public void Dispose() => flooded.Dispose();

    private async Task<LaunchEnd> RunAsync(CancellationToken cancellationToken)
    {
        var started = Stopwatch.GetTimestamp();
        using var process = new System.Diagnostics.Process { StartInfo = StartInfo() };
        try
        {
            process.Start();
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            return LaunchEnd.NotStarted(resultFile, $"'{launch.Command[0]}' could not be started: {e.Message}");
        }

        process.StandardInput.Close();
        var draining = Task.WhenAll(DrainAsync(process.StandardOutput.BaseStream), DrainAsync(process.StandardError.BaseStream));
        var intervention = await WaitAsync(process, cancellationToken);
        var wall = Stopwatch.GetElapsedTime(started).TotalSeconds;
        await Task.WhenAny(draining, Task.Delay(TimeSpan.FromSeconds(1), CancellationToken.None));
        cancellationToken.ThrowIfCancellationRequested();
        return End(process.ExitCode, wall, intervention);
    }

    private ProcessStartInfo StartInfo()
    {
        var program = launch.Command[0].StartsWith("./", StringComparison.Ordinal)
            ? Path.Combine(launch.Build.Folder, launch.Command[0][2..])
            : launch.Command[0];
        var start = new ProcessStartInfo(program, launch.Command.Skip(1))
        {
            WorkingDirectory = launch.Build.Folder,
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment.Clear();
        foreach (var (name, value) in launch.Environment.Concat(OutVariables.Of(launch, resultFile)))
        {
            start.Environment[name] = value;
        }

        return start;
    }

    private async Task<Intervention> WaitAsync(System.Diagnostics.Process process, CancellationToken cancellationToken)
    {
        using var deadline = new CancellationTokenSource(launch.Timeout);
        using var any = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, deadline.Token, flooded.Token);
        try
        {
            await process.WaitForExitAsync(any.Token);
            return Intervention.None;
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync(CancellationToken.None);
            return flooded.IsCancellationRequested ? Intervention.Flood : Intervention.Deadline;
        }
    }

    private async Task DrainAsync(Stream stream)
    {
        var buffer = new byte[64 * 1024];
        int count;
        while ((count = await stream.ReadAsync(buffer)) > 0)
        {
            lock (gate)
            {
                tail.Add(buffer.AsSpan(0, count));
            }

            if (tail.Total > options.OutputLimitBytes)
            {
                await flooded.CancelAsync();
            }
        }
    }

    private LaunchEnd End(int exitCode, double wallSeconds, Intervention intervention)
    {
        lock (gate)
        {
            return new LaunchEnd
            {
                How = intervention switch
                {
                    Intervention.Flood => EndKind.Flooded,
                    Intervention.Deadline => EndKind.TimedOut,
                    _ => EndKind.Exited,
                },
                ExitCode = exitCode,
                WallSeconds = wallSeconds,
                Tail = tail.Text(),
                ResultFile = resultFile,
            };
        }
    }
}
