using PerfLab.Core.Model;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// The minutes that a session may measure. They are spent by lengths of time, never by the time of day: a clock that is set neither ends
/// a session nor keeps it going. What it spent before it was interrupted is what its launches took.
/// </summary>
internal sealed class Minutes
{
    private readonly TimeProvider _clock;
    private readonly long _started;
    private readonly double _seconds;
    private readonly Dictionary<string, (double Seconds, int Rounds)> _rounds = new(StringComparer.Ordinal);

    private Minutes(double seconds, TimeProvider clock) => (_seconds, _clock, _started) = (seconds, clock, clock.GetTimestamp());

    /// <summary>Null for a plan of fixed rounds.</summary>
    /// <param name="before">What the journal holds already.</param>
    public static Minutes? Of(SessionSetup setup, SampleSet before)
    {
        if (setup.Plan.Policy.Within == 0)
        {
            return null;
        }

        var inTurns = before.Header.Cells.Where(cell => cell.Turns is not null).Select(cell => cell.Id).ToHashSet(StringComparer.Ordinal);
        var rounds = before.Launches.GroupBy(launch => (launch.Cell, launch.Stage, launch.Round, launch.Attempt))
            // In turns all arms are there all the time.
            .Select(round => (round.Key.Cell, Seconds: inTurns.Contains(round.Key.Cell)
                ? round.Max(launch => launch.WallSeconds) : round.Sum(launch => launch.WallSeconds))).ToList();
        var minutes = new Minutes((60 * setup.Plan.Policy.Within) - rounds.Sum(round => round.Seconds), setup.Clock);
        foreach (var (cell, seconds) in rounds)
        {
            minutes.Took(cell, seconds);
        }

        return minutes;
    }

    /// <summary>Seconds; 0 when they are over.</summary>
    public double Left => Math.Max(0, _seconds - _clock.GetElapsedTime(_started).TotalSeconds);

    /// <summary>Seconds of a round of the cell so far, on average; 0 before the first.</summary>
    public double RoundOf(string cell) => _rounds.TryGetValue(cell, out var known) ? known.Seconds / known.Rounds : 0;

    /// <summary>Whether a round of the cell that takes as long as those before it is over in time.</summary>
    public bool HasRoomFor(string cell) => Left > 0 && Left >= RoundOf(cell);

    public void Took(string cell, double seconds)
    {
        var known = _rounds.GetValueOrDefault(cell);
        _rounds[cell] = (known.Seconds + seconds, known.Rounds + 1);
    }
}
