using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Watching;

/// <summary>
/// Asks for announced maintenance each second, on its own: the first answer may take two minutes (it switches the service on), and no launch
/// waits for it.
/// </summary>
public sealed class ScheduledEventsWatch : IAsyncDisposable
{
    public static readonly TimeSpan Every = TimeSpan.FromSeconds(1);

    /// <summary>"The first call can take up to two minutes" (Azure's page).</summary>
    public static readonly TimeSpan FirstAnswer = TimeSpan.FromSeconds(130);

    private readonly CancellationTokenSource _stop = new();
    private readonly TaskCompletionSource _answered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task _loop;
    private HttpClient? _http;

    /// <param name="ask">Gives what is announced, or null when nobody can say; throws only when cancelled.</param>
    public ScheduledEventsWatch(Func<CancellationToken, Task<IReadOnlyList<string>?>> ask, TimeProvider time) =>
        _loop = Task.Run(() => RunAsync(ask, time, _stop.Token));

    /// <summary>Of the machine that this runs on.</summary>
    public static ScheduledEventsWatch OfThisMachine(MachineFiles files, TimeProvider time)
    {
        var http = MetadataService.Client(MetadataService.Address, FirstAnswer);
        return new(new ScheduledEventsSource(files, new MetadataService(http), time).AskAsync, time) { _http = http };
    }

    public SeenEvents Seen { get; } = new();

    /// <summary>Waits for the first answer, good or bad, but no longer than so.</summary>
    public async Task FirstAnswerAsync(TimeSpan patience, CancellationToken cancellationToken) =>
        await Task.WhenAny(_answered.Task, Task.Delay(patience, cancellationToken));

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _loop;
        _stop.Dispose();
        _http?.Dispose();
    }

    private async Task RunAsync(Func<CancellationToken, Task<IReadOnlyList<string>?>> ask, TimeProvider time, CancellationToken stop)
    {
        try
        {
            while (true)
            {
                Seen.Saw(await ask(stop));
                _answered.TrySetResult();
                await Task.Delay(Every, time, stop);
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            // The session is over.
        }
    }
}

/// <summary>Announced maintenance as last seen, and everything that was seen since somebody asked; for several threads.</summary>
public sealed class SeenEvents
{
    private readonly Lock _lock = new();
    private readonly SortedSet<string> _seen = new(StringComparer.Ordinal);
    private IReadOnlyList<string>? _now;

    /// <summary>What is announced or under way now; null while nobody can say.</summary>
    public IReadOnlyList<string>? Now
    {
        get
        {
            lock (_lock)
            {
                return _now;
            }
        }
    }

    /// <summary>A new answer; null when there was none.</summary>
    public void Saw(IReadOnlyList<string>? now)
    {
        lock (_lock)
        {
            _now = now;
            _seen.UnionWith(now ?? []);
        }
    }

    /// <summary>What is announced, for the journal; null: nobody could say.</summary>
    public static string Fact(IReadOnlyList<string>? events) => events is null ? MachineFiles.Unknown : events.Count == 0 ? "none" : string.Join("; ", events);

    /// <summary>Why a block in which this was announced is worth nothing, or null.</summary>
    public static string? Problem(IReadOnlyList<string> events) => events.Count == 0 ? null : $"Azure announced maintenance of this machine: {string.Join("; ", events)}";

    /// <summary>What was announced or under way at any time since the last call.</summary>
    public IReadOnlyList<string> TakeSeen()
    {
        lock (_lock)
        {
            IReadOnlyList<string> seen = [.. _seen];
            _seen.Clear();
            _seen.UnionWith(_now ?? []);
            return seen;
        }
    }
}
