using System.Diagnostics;
using PerfLab.Core.Model;

namespace PerfLab.Launching.Turns;

/// <summary>
/// When a launch ran that the clock cuts, in Stopwatch's time: from its start until it was stopped for the first time, then turn by turn,
/// the last one until its end.
/// </summary>
internal sealed class OwnTime
{
    /// <summary>Of the turns that are over, in seconds.</summary>
    private readonly List<double> _turns = [];
    private long _firstStop, _since;
    private bool _hadTurn;

    public void GoesOn(long at) => (_since, _hadTurn) = (at, true);

    public void Stops(long at)
    {
        if (!_hadTurn)
        {
            _firstStop = at;
            return;
        }

        var seconds = Stopwatch.GetElapsedTime(_since, at).TotalSeconds;
        if (_turns.Count < TurnPlan.MostSlices - 1)
        {
            _turns.Add(seconds);
        }
        else
        {
            _turns[^1] += seconds; // they are kept one by one as far as there is room
        }
    }

    /// <summary>
    /// Seconds of each slice, of which there are fewer than it had turns when it had very many; null when it ended while it had no turn.
    /// </summary>
    public IReadOnlyList<double>? Until(LaunchEnd end)
    {
        if (!_hadTurn)
        {
            return [end.WallSeconds];
        }

        var last = end.WallSeconds - Stopwatch.GetElapsedTime(end.Started, _since).TotalSeconds;
        List<double> slices = [.. _turns, last];
        slices[0] += Stopwatch.GetElapsedTime(end.Started, _firstStop).TotalSeconds; // what starting it takes
        return last > 0 ? slices : null;
    }
}
