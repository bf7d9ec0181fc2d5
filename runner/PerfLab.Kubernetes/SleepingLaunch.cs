using System.Collections.Concurrent;
using System.Diagnostics;
using PerfLab.Launching;

namespace PerfLab.Kubernetes;

/// <summary>A launch that only sleeps, until it is disposed: it shows where one would run, or keeps that place.</summary>
internal sealed class SleepingLaunch : IAsyncDisposable
{
    private readonly CancellationTokenSource stop = new();
    private readonly TaskCompletionSource runs = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ConcurrentDictionary<string, string> machines = new(StringComparer.Ordinal);
    private readonly long started = Stopwatch.GetTimestamp();
    private readonly LaunchFolder folder;
    private readonly Task<LaunchEnd> end;

    /// <param name="door">With a folder of its own, which is removed in the end.</param>
    /// <param name="shape">Its programs, and what they ask for.</param>
    /// <param name="id">Unique to it.</param>
    public SleepingLaunch(ClusterDoor door, LaunchSpec shape, string id)
    {
        folder = door.Folder;
        var programs = LaunchPart.Of(shape).Count;
        var launch = new ClusterLaunch(door, shape with { Command = ["sleep", Invariant($"{shape.Timeout.TotalSeconds:0}")] }, id)
        {
            Runs = (program, pod) =>
            {
                machines[program] = pod.Machine ?? "";
                if (machines.Count == programs)
                {
                    runs.TrySetResult();
                }
            },
        };
        end = launch.RunAsync(stop.Token);
    }

    /// <summary>Program -> node of the cluster, as far as they run.</summary>
    public IReadOnlyDictionary<string, string> Machines => machines;

    public TimeSpan Age => Stopwatch.GetElapsedTime(started);

    /// <summary>Why it sleeps no more; null while it does.</summary>
    public string? Ended => !end.IsCompleted ? null : end.IsCompletedSuccessfully ? end.Result.Reason ?? "it ended" : "it was ended";

    /// <summary>Null when all its programs run; otherwise why one does not.</summary>
    public async Task<LaunchEnd?> RunsAsync(CancellationToken cancellationToken)
    {
        await Task.WhenAny(runs.Task, end).WaitAsync(cancellationToken);
        return runs.Task.IsCompleted ? null : await end;
    }

    /// <summary>Nothing of it is left.</summary>
    public async ValueTask DisposeAsync()
    {
        await stop.CancelAsync();
        try
        {
            await end;
        }
        catch (OperationCanceledException)
        {
            // As was asked for.
        }

        stop.Dispose();
        folder.Dispose();
    }
}
