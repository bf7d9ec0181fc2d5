namespace PerfLab.Launching.Turns;

/// <summary>
/// One round in turns, on a thread of its own: exactly one of the arms runs at any time, and that is proven at every border. What goes
/// wrong with one ends all. Who says that a slice is over, the program or the clock, is what derives from it.
/// </summary>
internal abstract class TurnsRound(IReadOnlyList<TurnStart> starts)
{
    protected enum Stop { Ended, TimedOut, Broken, Void }

    protected IReadOnlyList<TurnTaker> Takers { get; } = [.. starts.Select(start => new TurnTaker(start))];

    /// <exception cref="OperationCanceledException">Cancelled; nothing of the round is left.</exception>
    public TurnsEnd Run(CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var wake = new WakePipe(over.Token);
        Stopped? stopped = null;
        try
        {
            stopped = Take(over, wake, cancellationToken);
        }
        finally
        {
            // Whatever happened: nothing is left frozen, and nothing runs on beside another arm.
            foreach (var taker in Takers)
            {
                if (stopped is not null || cancellationToken.IsCancellationRequested)
                {
                    taker.Kill();
                }

                taker.LetGo();
            }

            Task.WhenAll(Takers.Select(taker => taker.End).OfType<Task<LaunchEnd>>()).ContinueWith(_ => { }, CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default).Wait(CancellationToken.None);
        }

        cancellationToken.ThrowIfCancellationRequested();
        return new(
            [.. Takers.Select((taker, place) => EndOf(taker, place, stopped))], stopped is { How: Stop.Void } ? stopped.Reason : null);
    }

    /// <summary>From the start of the first arm to the end of the last; what ended it before its time, else null.</summary>
    /// <param name="over">Cancelled as soon as one has ended, and with the round.</param>
    /// <param name="wake">Wakes when it is.</param>
    /// <param name="cancellationToken">Of the round.</param>
    protected abstract Stopped? Take(CancellationTokenSource over, WakePipe wake, CancellationToken cancellationToken);

    /// <summary>What an arm counts as whose round came to its end.</summary>
    protected abstract TurnsArm Whole(int place, LaunchEnd end);

    /// <summary>False when it could not be started, or is gone already.</summary>
    protected static bool Begun(TurnTaker taker, CancellationTokenSource over, CancellationToken cancellationToken)
    {
        var begun = taker.Begin(cancellationToken);
        _ = taker.End!.ContinueWith(
            _ => over.Cancel(), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        return begun;
    }

    protected static Stopped? Frozen(TurnTaker taker) =>
        taker.Freeze() is { } problem ? new(taker, Stop.Void, $"{taker.Name} could not be frozen: {problem}") : null;

    protected static Stopped? Thawed(TurnTaker taker) =>
        taker.Thaw() is { } problem ? new(taker, Stop.Void, $"{taker.Name} {problem}") : null;

    protected static Stopped Broken(TurnTaker taker, string what) => new(taker, Stop.Broken, what);

    private TurnsArm EndOf(TurnTaker taker, int place, Stopped? stopped)
    {
        var end = taker.End is { IsCompletedSuccessfully: true } ended ? ended.Result
            : taker.End is { IsFaulted: true } failed ? throw new InvalidOperationException("a launch in turns failed", failed.Exception)
            : LaunchEnd.NotStarted(taker.ResultFile, "another arm of its round ended before it was started");
        if (stopped is null)
        {
            return Whole(place, end);
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
    protected sealed record Stopped(TurnTaker Taker, Stop How, string? Reason = null);
}
