using System.Diagnostics;
using PerfLab.Core.Files;

namespace PerfLab.Kubernetes;

/// <summary>
/// Follows the pods of one launch: a single kubectl that sleeps on an open connection, so nothing is asked again and again. When the
/// connection ends it is opened anew, for a while.
/// </summary>
internal sealed class PodWatch : IAsyncDisposable
{
    private static readonly TimeSpan Usual = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(500);

    private readonly Kubectl kubectl;
    private readonly string path;
    private readonly TimeSpan patience;
    private readonly CancellationTokenSource stop = new();
    private readonly Lock guard = new();
    private readonly Dictionary<string, PodSight> pods = new(StringComparer.Ordinal);
    private readonly Task loop;
    private TaskCompletionSource changed = New();
    private ClusterException? fault;

    /// <param name="patience">How long the API server may be away during a launch; half a minute unless said.</param>
    public PodWatch(Kubectl kubectl, string path, TimeSpan? patience = null)
    {
        (this.kubectl, this.path, this.patience) = (kubectl, path, patience ?? Usual);
        loop = FollowAsync();
    }

    /// <summary>What is known of a node's pod; null when it has none yet.</summary>
    public PodSight? Of(string node)
    {
        lock (guard)
        {
            return pods.GetValueOrDefault(node);
        }
    }

    public bool SawAny
    {
        get
        {
            lock (guard)
            {
                return pods.Count > 0;
            }
        }
    }

    /// <summary>Whether every pod that was ever seen is gone.</summary>
    public bool AllGone
    {
        get
        {
            lock (guard)
            {
                return pods.Values.All(pod => pod.IsGone);
            }
        }
    }

    /// <summary>Sleeps until something is found.</summary>
    /// <param name="find">Looks at <see cref="Of"/>; null: not yet.</param>
    /// <exception cref="ClusterException">The API server went away and did not come back.</exception>
    public async Task<T> UntilAsync<T>(Func<T?> find, CancellationToken cancellationToken)
        where T : class
    {
        while (true)
        {
            Task next;
            lock (guard)
            {
                next = changed.Task;
            }

            if (find() is { } found)
            {
                return found;
            }

            if (fault is not null)
            {
                throw fault;
            }

            await next.WaitAsync(cancellationToken);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await stop.CancelAsync();
        await loop;
        stop.Dispose();
    }

    private async Task FollowAsync()
    {
        long? away = null;
        while (!stop.IsCancellationRequested)
        {
            try
            {
                var errors = await ReadAsync(() => away = null);
                away ??= Stopwatch.GetTimestamp();
                if (errors.Length > 0 && Stopwatch.GetElapsedTime(away.Value) > patience)
                {
                    Change(() => fault = Kubectl.Failure("watching the pods of a launch", errors));
                    return;
                }

                await Task.Delay(Pause, stop.Token);
            }
            catch (OperationCanceledException)
            {
                return;
            }
            catch (ClusterException failure)
            {
                Change(() => fault = failure);
                return;
            }
        }
    }

    /// <summary>One connection, to its end; gives what kubectl complained about.</summary>
    private async Task<string> ReadAsync(Action alive)
    {
        using var process = kubectl.Start("watching the pods of a launch", ["get", "--raw", path]);
        try
        {
            process.StandardInput.Close();
            var errors = process.StandardError.ReadToEndAsync(stop.Token);
            while (await process.StandardOutput.ReadLineAsync(stop.Token) is { } line)
            {
                // The connection may be cut within a line.
                if (Event.Format.Read(line).Value is not { Type: "ADDED" or "MODIFIED" or "DELETED" } seen)
                {
                    continue;
                }

                alive();
                var sight = new PodSight(seen.Object, seen.Type == "DELETED");
                Change(() => pods[sight.Node] = sight);
            }

            return await errors;
        }
        finally
        {
            Kubectl.Kill(process);
        }
    }

    private void Change(Action change)
    {
        TaskCompletionSource waiting;
        lock (guard)
        {
            change();
            (waiting, changed) = (changed, New());
        }

        waiting.SetResult();
    }

    private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <param name="Object">The pod, as it is now.</param>
    private sealed record Event(string Type, JsonObject Object)
    {
        public static FileFormat<Event> Format { get; } = new("", "something that happened to a pod") { IsForeign = true };
    }
}
