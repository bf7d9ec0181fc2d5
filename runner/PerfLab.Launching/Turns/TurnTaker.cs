using System.Diagnostics;
using PerfLab.Core.Model;

namespace PerfLab.Launching.Turns;

/// <summary>How one arm of a round in turns is begun.</summary>
/// <param name="Name">For sentences.</param>
/// <param name="Timeout">Its launch may run so long, its own turns alone.</param>
/// <param name="Pipes">Made for this launch; null where the clock says when a slice is over.</param>
/// <param name="ResultFile">Where its result would be.</param>
/// <param name="Start">Starts it: how it ends, and what holds it, which is null when it could not be started.</param>
internal sealed record TurnStart(
    string Name, TimeSpan Timeout, TurnPipes? Pipes, string ResultFile,
    Func<CancellationToken, (Task<LaunchEnd> End, Task<IFreezer?> Freezer)> Start);

/// <summary>One arm of a round in turns, while it lasts.</summary>
internal sealed class TurnTaker(TurnStart start)
{
    /// <summary>What it left is looked for and killed meanwhile, which takes half a second at most, and its output is read.</summary>
    private static readonly TimeSpan UntilToldOfEnd = TimeSpan.FromSeconds(5);

    private readonly List<TurnSlice> _slices = [];
    private TimeSpan _left = start.Timeout;
    private IFreezer? _freezer;
    private bool _isFrozen;

    public string Name => start.Name;

    public TimeSpan Timeout => start.Timeout;

    /// <summary>Only where programs say when a slice is over.</summary>
    public TurnPipes Pipes => start.Pipes!;

    public string ResultFile => start.ResultFile;

    /// <summary>How it ends; null before it was started.</summary>
    public Task<LaunchEnd>? End { get; private set; }

    public bool HasEnded => End is { IsCompleted: true };

    /// <summary>How it ended when it did so by itself and with exit code 0, else null.</summary>
    public LaunchEnd? GoodEnd =>
        End is { IsCompletedSuccessfully: true } ended && ended.Result is { How: EndKind.Exited, ExitCode: 0 } end ? end : null;

    /// <summary>Processor time that it took in all while it was frozen, in seconds.</summary>
    public double FrozenSeconds { get; private set; }

    /// <summary>False when it could not be started, or is gone already.</summary>
    public bool Begin(CancellationToken cancellationToken)
    {
        (End, var freezer) = start.Start(cancellationToken);
        _freezer = freezer.GetAwaiter().GetResult();
        return _freezer is not null;
    }

    /// <summary>Why it can't be frozen, else null.</summary>
    public string? Freeze()
    {
        _isFrozen = true;
        return _freezer!.Freeze();
    }

    /// <summary>What it did against being frozen, or why it can't go on, to follow its name; else null.</summary>
    public string? Thaw()
    {
        var ran = _freezer!.RanSince();
        FrozenSeconds += ran;
        var problem = _freezer.Thaw();
        _isFrozen = problem is not null;
        return ran > _freezer.Tolerance ? Invariant($"ran for {1000 * ran:0.###} ms while it was frozen and another had its turn")
            : problem is not null ? $"could not go on: {problem}" : null;
    }

    /// <summary>The next thing that it says; null when there was nothing within its time, or <paramref name="wake"/> woke us.</summary>
    public string? Listen(int wake, Func<bool> isOver)
    {
        var begun = Stopwatch.GetTimestamp();
        var before = _left;
        while (true)
        {
            if (Pipes.Next() is { } line)
            {
                return line;
            }

            if (_left <= TimeSpan.Zero || isOver())
            {
                return null;
            }

            Pipes.Wait(wake, _left);
            _left = before - Stopwatch.GetElapsedTime(begun);
        }
    }

    /// <summary>Lets it run until so much time is over, or all that it has, or <paramref name="wake"/> woke us.</summary>
    public void RunFor(TimeSpan time, WakePipe wake, TimeProvider clock, Func<bool> isOver)
    {
        var begun = clock.GetTimestamp();
        var before = _left;
        var most = time < before ? time : before;
        while (!isOver() && _left > before - most)
        {
            wake.Wait(most - (before - _left));
            _left = before - clock.GetElapsedTime(begun);
        }
    }

    public bool IsOutOfTime => _left <= TimeSpan.Zero;

    /// <summary>Waits for its end, no longer than its time.</summary>
    public bool WaitForEnd(CancellationToken cancellationToken)
    {
        var isThere = EndsWithin(_left, cancellationToken);
        _left = isThere ? _left : TimeSpan.Zero;
        return isThere;
    }

    /// <summary>Whether it had ended before it could be frozen; then <see cref="End"/> is there.</summary>
    public bool EndedBeforeIt() => _freezer!.IsGone && EndsWithin(UntilToldOfEnd, CancellationToken.None);

    private bool EndsWithin(TimeSpan patience, CancellationToken cancellationToken)
    {
        try
        {
            return End!.Wait((int)Math.Clamp(patience.TotalMilliseconds, 0, int.MaxValue), cancellationToken);
        }
        catch (AggregateException)
        {
            return true; // it is told where the ends are collected
        }
    }

    public void Add(TurnSlice slice) => _slices.Add(slice);

    /// <summary>All of them, when there are so many.</summary>
    public TurnSlices? Slices(int count) => _slices.Count != count ? null : new()
    {
        Work = [.. _slices.Select(slice => slice.Work)],
        Seconds = [.. _slices.Select(slice => slice.Seconds)],
        ProcessorSeconds = _slices.TrueForAll(slice => slice.ProcessorSeconds is not null)
            ? [.. _slices.Select(slice => slice.ProcessorSeconds!.Value)] : null,
        FrozenSeconds = FrozenSeconds,
    };

    public void Kill()
    {
        if (!HasEnded)
        {
            _freezer?.Kill();
        }
    }

    /// <summary>Nothing of it is frozen any more.</summary>
    public void LetGo()
    {
        if (_isFrozen && !HasEnded)
        {
            _freezer?.Thaw();
        }
    }
}
