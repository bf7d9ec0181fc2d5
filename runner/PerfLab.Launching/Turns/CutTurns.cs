using PerfLab.Core.Model;

namespace PerfLab.Launching.Turns;

/// <summary>
/// A round in turns of programs that know nothing of turns: each is stopped as soon as it is there, then the clock cuts them into slices
/// from outside. When one has ended, the others run on alone, one after the other.
/// </summary>
/// <param name="starts">None has pipes.</param>
/// <param name="order">Sets of turns; it begins anew after the last.</param>
/// <param name="slice">How long a turn is.</param>
/// <param name="clock">By which turns are cut; one that only goes on.</param>
internal sealed class CutTurns(
    IReadOnlyList<TurnStart> starts, IReadOnlyList<IReadOnlyList<int>> order, TimeSpan slice, TimeProvider clock) : TurnsRound(starts)
{
    /// <summary>A busy machine lets the lab wait for some milliseconds. One that stood still for longer is measured in no turn.</summary>
    private static readonly TimeSpan MostLate = TimeSpan.FromSeconds(1);

    private readonly List<OwnTime> _own = [.. starts.Select(_ => new OwnTime())];

    protected override Stopped? Take(CancellationTokenSource over, WakePipe wake, CancellationToken cancellationToken) =>
        Begin(over, cancellationToken) ?? TakeTurns(over, wake) ?? RunOut(cancellationToken);

    protected override TurnsArm Whole(int place, LaunchEnd end) => new(end, new()
    {
        Seconds = _own[place].Until(end)!, // each end was looked at
        FrozenSeconds = Takers[place].FrozenSeconds,
    }, null);

    private Stopped? Begin(CancellationTokenSource over, CancellationToken cancellationToken)
    {
        for (var place = 0; place < Takers.Count; place++)
        {
            if (!Begun(Takers[place], over, cancellationToken))
            {
                return new(Takers[place], Stop.Ended);
            }

            if (Stopping(place, clock.GetTimestamp()) is { } stopped)
            {
                return stopped;
            }

            if (Takers[place].HasEnded)
            {
                return Ended(place);
            }
        }

        return null;
    }

    /// <summary>Until the first of them has ended.</summary>
    private Stopped? TakeTurns(CancellationTokenSource over, WakePipe wake)
    {
        for (var set = 0; ; set = (set + 1) % order.Count)
        {
            foreach (var place in order[set])
            {
                var taker = Takers[place];
                var begun = clock.GetTimestamp();
                if (GoingOn(place) is { } notThawed)
                {
                    return notThawed;
                }

                taker.RunFor(slice, wake, clock, () => over.IsCancellationRequested);
                var at = clock.GetTimestamp(); // one reading: a slice is exactly as long as the turn that was looked at
                if (!over.IsCancellationRequested && (Late(taker, clock.GetElapsedTime(begun, at)) ?? Stopping(place, at)) is { } stopped)
                {
                    return stopped;
                }

                // Who has ended is known a moment before we are woken.
                if (over.IsCancellationRequested || taker.HasEnded)
                {
                    return FirstEnd(place);
                }

                if (taker.IsOutOfTime)
                {
                    return new(taker, Stop.TimedOut);
                }
            }
        }
    }

    /// <summary>Nothing is frozen any more for the one that is left; its time goes on.</summary>
    private Stopped? RunOut(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        for (var place = 0; place < Takers.Count; place++)
        {
            var taker = Takers[place];
            if (taker.HasEnded)
            {
                continue;
            }

            if (GoingOn(place) is { } stopped)
            {
                return stopped;
            }

            if (!taker.WaitForEnd(cancellationToken))
            {
                return new(taker, Stop.TimedOut);
            }

            if (Ended(place) is { } bad)
            {
                return bad;
            }
        }

        return null;
    }

    private Stopped? GoingOn(int place)
    {
        _own[place].GoesOn(clock.GetTimestamp()); // before it can run: it may take our core at once
        return Thawed(Takers[place]);
    }

    private Stopped? Stopping(int place, long at)
    {
        if (Frozen(Takers[place]) is { } problem)
        {
            return problem;
        }

        if (!Takers[place].EndedBeforeIt())
        {
            _own[place].Stops(at);
        }

        return null;
    }

    private Stopped? Late(TurnTaker taker, TimeSpan took) => took <= slice + MostLate ? null
        : new(taker, Stop.Void, Invariant($"a turn of {taker.Name} was {took.TotalSeconds:0.###} s long in place of ")
            + Invariant($"{slice.TotalSeconds:0.###} s: the machine stood still, or perf-lab on it"));

    /// <summary>One has ended, or the round is cancelled: what follows from it, null when the others go on alone.</summary>
    private Stopped? FirstEnd(int turn)
    {
        for (var place = 0; place < Takers.Count; place++)
        {
            if (Takers[place].HasEnded && (place == turn ? Ended(place) : EndedFrozen(Takers[place])) is { } stopped)
            {
                return stopped;
            }
        }

        return null;
    }

    /// <summary>Null when it ended well in its own turn, and was cut often enough.</summary>
    private Stopped? Ended(int place)
    {
        var taker = Takers[place];
        return taker.GoodEnd is not { } end ? new(taker, Stop.Ended)
            : _own[place].Until(end) is not { } slices ? EndedFrozen(taker)
            : slices.Count >= TurnPlan.LeastSlices ? null
            : Broken(taker, Invariant($"ended after {slices.Sum():0.###} s of its own, cut into fewer than {TurnPlan.LeastSlices} slices"));
    }

    // Somebody let it go on, or killed it.
    private static Stopped EndedFrozen(TurnTaker taker) => taker.GoodEnd is null ? new(taker, Stop.Ended)
        : new(taker, Stop.Void, $"{taker.Name} ended while it was frozen and another had its turn");
}
