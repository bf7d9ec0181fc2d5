using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>What a row says whose launches were not at rest while they were measured: how many, and what to type.</summary>
internal static class NotSteadyNote
{
    /// <summary>Launches differ: a warm-up that is to do for most of them is longer than the median needs.</summary>
    private const double Spare = 1.25;

    /// <summary>The row without anything that could be read as a direction.</summary>
    public static ComparedMetric Blank(ComparedMetric row) => row with
    {
        Verdict = Verdict.NotSteady,
        Change = null,
        Low = null,
        High = null,
        PValue = null,
        AdjustedP = null,
        SmallestDetectable = null,
    };

    public static IEnumerable<string> Of(PairRest rest, Cell cell)
    {
        if (rest.IsSteady)
        {
            yield break;
        }

        var advice = WarmUp(rest) is { } seconds
            ? Invariant($"they were at rest after {Longest(rest):0.0} s: --warm-up {seconds:0}")
            : Invariant($"it did not come to rest in the {rest.Restless.Max(arm => arm.Rest.Watched):0.0} s that it was watched: ")
                + "see its curve in report.html, or wait longer with --warm-up SECONDS";
        var start = cell.Parameters.ContainsKey(BenchmarkCases.Parameter) ? "RunStrategy.ColdStart in the benchmark's job" : "--age cold";
        yield return $"{Words.Of(Verdict.NotSteady)}: {string.Join("; ", rest.Restless.Select(arm => InWords(arm.Arm, arm.Rest)))}. "
            + $"The values are of programs that were still warming up, so no direction is said; {advice}. "
            + $"Who wants the start-up itself: {start}";
    }

    /// <summary>What a row says whose project wants its benchmark cold: it is never not-steady, and its values hold more.</summary>
    public static IEnumerable<string> OfCold(IReadOnlyList<Launch> launches)
    {
        var arms = launches.Select(launch => launch.Arm).Distinct(StringComparer.Ordinal).ToList();
        var cold = launches.Where(LaunchRest.IsCold).Select(launch => launch.Arm).Distinct(StringComparer.Ordinal).ToList();
        if (cold.Count > 0)
        {
            yield return $"the project measures this benchmark cold{(cold.Count < arms.Count ? $" in arm {cold[0]} only" : "")}: "
                + "its first calls, and what compiling them takes, are in the values";
        }
    }

    /// <summary>A warm-up in whole seconds with which the pair should be steady; null where its launches don't show one.</summary>
    public static double? WarmUp(PairRest rest) => Longest(rest) is { } longest ? Math.Ceiling(Spare * longest) : null;

    private static double? Longest(PairRest rest) =>
        !rest.IsSteady && rest.Restless.All(arm => arm.Rest.Seconds is not null) ? rest.Restless.Max(arm => arm.Rest.Seconds) : null;

    private static string InWords(string arm, ArmRest rest)
    {
        var of = Invariant($"of {rest.Known} launches of arm {arm}");
        var said = new[]
        {
            rest.Compiling > 0 ? Invariant($"{rest.Compiling} {of} compiled until they were measured, or while they were") : "",
            rest.Trending > 0 ? Invariant($"the rate of {rest.Trending} {of} still moved when measuring began") : "",
            rest.Drift is { } drift ? Moved(arm, drift) : "",
        };
        return string.Join(", ", said.Where(part => part.Length > 0));
    }

    private static string Moved(string arm, double drift) =>
        $"arm {arm} became {(drift > 0 ? "faster" : "slower")} while it was measured, "
        + Invariant($"by {100 * (Math.Exp(Math.Abs(drift)) - 1):0} % from the first third to the last (median of its launches)");
}
