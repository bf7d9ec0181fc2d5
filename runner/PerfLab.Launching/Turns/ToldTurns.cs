using System.Diagnostics;

namespace PerfLab.Launching.Turns;

/// <summary>
/// A round in turns of programs that say when a slice is over: each warms up while the others are frozen, then slices by turns, then each
/// ends alone.
/// </summary>
internal sealed class ToldTurns(IReadOnlyList<TurnStart> starts, IReadOnlyList<IReadOnlyList<int>> order) : TurnsRound(starts)
{
    protected override Stopped? Take(CancellationTokenSource over, WakePipe wake, CancellationToken cancellationToken) =>
        WarmUp(over, wake.ReadEnd, cancellationToken) ?? TakeTurns(over, wake.ReadEnd) ?? Finish(cancellationToken);

    protected override TurnsArm Whole(int place, LaunchEnd end) => new(end, Takers[place].Slices(order.Count), null);

    private Stopped? WarmUp(CancellationTokenSource over, int wake, CancellationToken cancellationToken)
    {
        foreach (var taker in Takers)
        {
            if (!Begun(taker, over, cancellationToken))
            {
                return new(taker, Stop.Ended);
            }

            var line = taker.Listen(wake, () => over.IsCancellationRequested);
            if (line != TurnSlice.Warm)
            {
                return line is null ? Silent(taker) : Broken(taker, "said something else before it said that it is warm");
            }

            if (Stands(taker) is { } stopped)
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
            var taker = Takers[place];
            if (GoesOn(taker) is { } notThawed)
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

            if (Stands(taker) is { } notFrozen)
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
        foreach (var taker in Takers)
        {
            if (GoesOn(taker) is { } stopped)
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

    private static Stopped? Stands(TurnTaker taker) =>
        Frozen(taker) ?? (taker.Pipes.HasMore() ? Broken(taker, "said that a slice is done twice in one turn") : null);

    private static Stopped? GoesOn(TurnTaker taker) =>
        taker.Pipes.HasMore() ? Broken(taker, "said that a slice is done while it was frozen") : Thawed(taker);

    // It said nothing: because it ended, or a frozen one was killed, or its time is over.
    private Stopped Silent(TurnTaker taker) => Takers.FirstOrDefault(one => one.HasEnded) is { } gone ? new(gone, Stop.Ended)
        : new(taker, taker.IsOutOfTime ? Stop.TimedOut : Stop.Ended);
}
