using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>What a reader must know of the time-to-steady of one arm's counted launches.</summary>
public static class SteadyWarnings
{
    /// <summary>For the row of time-to-steady.</summary>
    public static IEnumerable<string> OfTime(string arm, IReadOnlyList<Launch> launches)
    {
        var restless = launches.Where(launch => launch.Steady?.Kind == SteadyKind.NoSteadyState).ToList();
        if (restless.Count > 0)
        {
            yield return Invariant($"arm {arm}: {restless.Count} of {launches.Count} launches never got steady and count as the {restless[0].Steady!.Watched:0.0} s that they were watched");
        }
    }
}
