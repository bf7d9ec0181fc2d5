using System.Diagnostics;

namespace PerfLab.Launching.Turns;

/// <summary>
/// One round in turns, on a thread of its own: each arm is started and warms up while the others are frozen, then slices by turns, then
/// each ends alone. Exactly one of them runs at any time, and that is proven at every border. What goes wrong with one ends all.
/// </summary>
internal sealed class TurnsRound(IReadOnlyList<TurnStart> starts, IReadOnlyList<IReadOnlyList<int>> order)
{
    private readonly List<TurnTaker> _takers = [.. starts.Select(start => new TurnTaker(start))];

    private enum Stop { Ended, TimedOut, Broken, Void }

    /// <exception cref="OperationCanceledException">Cancelled; nothing of the round is left.</exception>
    public TurnsEnd Run(CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var wake = new WakePipe(over.Token);
        Stopped? stopped = null;
        try
        {
            stopped = WarmUp(over, wake.ReadEnd, cancellationToken) ?? TakeTurns(over, wake.ReadEnd) ?? Finish(cancellationToken);
        }
        finally
        {
            // Whatever happened: nothing is left frozen, and nothing runs on beside another arm.
            foreach (var taker in _takers)
            {
                if (stopped is not null || cancellationToken.IsCancellationRequested)
                {
                    taker.Kill();
                }

                taker.LetGo();
            }

            Task.WhenAll(_takers.Select(taker => taker.End).OfType<Task<LaunchEnd>>()).ContinueWith(_ => { }, CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default).Wait(CancellationToken.None);
        }

        cancellationToken.ThrowIfCancellationRequested();
        return new([.. _takers.Select(taker => EndOf(taker, stopped))], stopped is { How: Stop.Void } ? stopped.Reason : null);
    }

    private Stopped? WarmUp(CancellationTokenSource over, int wake, CancellationToken cancellationToken)
    {
        foreach (var taker in _takers)
        {
            var begun = taker.Begin(cancellationToken);
            _ = taker.End!.ContinueWith(
                _ => over.Cancel(), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            if (!begun)
            {
                return new(taker, Stop.Ended);
            }

            var line = taker.Listen(wake, () => over.IsCancellationRequested);
            if (line != TurnSlice.Warm)
            {
                return line is null ? Silent(taker) : Broken(taker, "said something else before it said that it is warm");
            }

            if (Frozen(taker) is { } stopped)
            {
                return stopped;
            }
        }

        return null;
    }

    private Stopped? TakeTurns(CancellationTokenSource over, int wake)
    {
        foreach (var place in order.SelectMany(set => set))
        {
            var taker = _takers[place];
            if (Thawed(taker) is { } notThawed)
            {
                return notThawed;
            }

            var begun = Stopwatch.GetTimestamp();
            taker.Pipes.Go();
            var line = taker.Listen(wake, () => over.IsCancellationRequested);
            var most = Stopwatch.GetElapsedTime(begun).TotalSeconds;
            if (line is null)
            {
                return Silent(taker);
            }

            if (Frozen(taker) is { } notFrozen)
            {
                return notFrozen;
            }

            if (TurnSlice.Parse(line) is not { } slice)
            {
                return Broken(taker, "did not say how much work a slice was and how long it took");
            }

            if (slice.Seconds > most)
            {
                return Broken(taker, Invariant($"said that a slice took {slice.Seconds:0.######} s, and its turn was {most:0.######} s"));
            }

            taker.Add(slice);
        }

        return null;
    }

    /// <summary>Each ends alone, as long as its time lasts.</summary>
    private Stopped? Finish(CancellationToken cancellationToken)
    {
        foreach (var taker in _takers)
        {
            if (Thawed(taker) is { } stopped)
            {
                return stopped;
            }

            taker.Pipes.Go();
            if (!taker.WaitForEnd(cancellationToken))
            {
                return new(taker, Stop.TimedOut);
            }

            if (taker.Pipes.HasMore())
            {
                return Broken(taker, "said more slices than it was asked for");
            }
        }

        return null;
    }

    private static Stopped? Frozen(TurnTaker taker) =>
        taker.Freeze() is { } problem ? new(taker, Stop.Void, $"{taker.Name} could not be frozen: {problem}")
        : taker.Pipes.HasMore() ? Broken(taker, "said that a slice is done twice in one turn")
        : null;

    private static Stopped? Thawed(TurnTaker taker) =>
        taker.Pipes.HasMore() ? Broken(taker, "said that a slice is done while it was frozen")
        : taker.Thaw() is { } problem ? new(taker, Stop.Void, $"{taker.Name} {problem}")
        : null;

    // It said nothing: because it ended, or a frozen one was killed, or its time is over.
    private Stopped Silent(TurnTaker taker) => _takers.Find(one => one.HasEnded) is { } gone ? new(gone, Stop.Ended)
        : new(taker, taker.IsOutOfTime ? Stop.TimedOut : Stop.Ended);

    private static Stopped Broken(TurnTaker taker, string what) => new(taker, Stop.Broken, what);

    private TurnsArm EndOf(TurnTaker taker, Stopped? stopped)
    {
        var end = taker.End is { IsCompletedSuccessfully: true } ended ? ended.Result
            : taker.End is { IsFaulted: true } failed ? throw new InvalidOperationException("a launch in turns failed", failed.Exception)
            : LaunchEnd.NotStarted(taker.ResultFile, "another arm of its round ended before it was started");
        if (stopped is null)
        {
            return new(end, taker.Slices(order.Count), null);
        }

        if (stopped.Taker != taker)
        {
            // It may have ended well before, and is no measurement without the other.
            var reason = $"{stopped.Taker.Name}, with which it took turns, was ended: {Words(stopped)}";
            return new(end with { How = EndKind.KilledFromOutside, Reason = reason }, null, null);
        }

        return stopped.How switch
        {
            Stop.TimedOut => new(end with { How = EndKind.TimedOut }, null, null),
            Stop.Broken => new(end, null, stopped.Reason),
            Stop.Void => new(end with { How = EndKind.KilledFromOutside, Reason = stopped.Reason }, null, null),
            _ => new(end, null, end is { How: EndKind.Exited, ExitCode: 0 } ? "ended without having said that its slices are done" : null),
        };
    }

    private static string Words(Stopped stopped) => stopped.How switch
    {
        Stop.Ended => "it ended by itself",
        Stop.TimedOut => Invariant($"no end after {stopped.Taker.Timeout.TotalSeconds:0.###} s"),
        _ => stopped.Reason ?? "",
    };

    /// <summary>What ended the round before its time, and whose doing it was.</summary>
    private sealed record Stopped(TurnTaker Taker, Stop How, string? Reason = null);
}
