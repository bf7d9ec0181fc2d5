using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>What a reader must know of the steady state of one arm's counted launches.</summary>
public static class SteadyWarnings
{
    /// <summary>The label: how the warning begins, and what the report puts behind the verdict.</summary>
    public const string Label = "no-steady-state";

    /// <summary>From this share of an arm's launches on, the row says it. Single launches are labelled by chance, too.</summary>
    public const double Share = 0.5;

    /// <summary>For the row of the primary metric.</summary>
    public static IEnumerable<string> OfPrimary(string arm, IReadOnlyList<Launch> launches)
    {
        var judged = launches.Select(launch => launch.Steady).OfType<SteadyState>().Where(state => state.Kind != SteadyKind.Unknown).ToList();
        var restless = judged.Where(state => state.Kind == SteadyKind.NoSteadyState).ToList();
        var late = judged.Where(state => state is { Kind: SteadyKind.Steady, BeforeMeasuring: false }).ToList();
        if (restless.Count > 0 && restless.Count >= Share * judged.Count)
        {
            yield return Invariant($"{Label}: {restless.Count} of {judged.Count} launches of arm {arm} did not come to rest in the {restless[0].Watched:0.0} s that they were watched ")
                + $"({Reasons(restless)}): the values are of that state";
        }
        else if (late.Count > 0 && late.Count + restless.Count >= Share * judged.Count)
        {
            var time = Median.Of(late.Select(state => state.Seconds!.Value));
            yield return Invariant($"{late.Count} of {judged.Count} launches of arm {arm} were steady only after {time:0.0} s (median of these), and measuring began at {late[0].WarmUp:0.0} s: ")
                + "their values hold some warm-up; a longer `launch.warm-up` in workload.yaml would leave it out";
        }
    }

    /// <summary>For the row of time-to-steady.</summary>
    public static IEnumerable<string> OfTime(string arm, IReadOnlyList<Launch> launches)
    {
        var restless = launches.Where(launch => launch.Steady?.Kind == SteadyKind.NoSteadyState).ToList();
        if (restless.Count > 0)
        {
            yield return Invariant($"arm {arm}: {restless.Count} of {launches.Count} launches never got steady and count as the {restless[0].Steady!.Watched:0.0} s that they were watched");
        }
    }

    private static string Reasons(IReadOnlyList<SteadyState> restless) => string.Join(", ", restless
        .GroupBy(state => state.Unrest).OrderByDescending(group => group.Count()).ThenBy(group => group.Key)
        .Select(group => Invariant($"{group.Count()} {Words(group.Key)}")));

    private static string Words(Unrest unrest) => unrest switch
    {
        Unrest.LevelChanged => "changed level in the last half",
        Unrest.Drifting => "drifted by 1 % in 10 s or more",
        _ => "compiled all the time",
    };
}
