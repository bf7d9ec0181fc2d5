using static System.FormattableString;

namespace PerfLab.Calibration.Years;

/// <summary>results/quarters.md: many quarters of weekly runs, each with its own truth, and what was filed beside it.</summary>
public static class Quarters
{
    /// <summary>Twelve rows of one machine; three steps in 13 weeks, one of which comes back, or none at all.</summary>
    /// <param name="seed">All that is drawn comes from it.</param>
    /// <param name="least">The smallest step, a fraction; null: nothing changes.</param>
    public static YearSettings Of(ulong seed, double? least) => new()
    {
        Seed = seed,
        Series = 12,
        Machines = 1,
        Before = 13,
        Sessions = 13,
        CodeChanges = least is null ? 0 : 3,
        Fixes = least is null ? 0 : 1,
        HostChanges = 0,
        Quiet = 8,
        FixedAfter = 5,
        LeastSize = least ?? 0.1,
    };

    public static IEnumerable<string> Lines(ulong seed, int quarters)
    {
        yield return "| steps that are put in | quarters | that stay: confirmed | that come back: confirmed "
            + "| issues for nothing "
            + "| quarters with exactly the truth | of those where no row changes twice within four weeks "
            + "| not confirmed: twice in a row | told under a neighbour | not seen |";
        yield return "|---|---|---|---|---|---|---|---|---|---|";
        foreach (var least in new double?[] { null, 0.015, 0.03, 0.05, 0.08 })
        {
            var all = Enumerable.Range(0, quarters).AsParallel().AsOrdered()
                .Select(one => Year.Replay(Of(seed + (ulong)one, least))).ToList();
            var apart = all.Where(quarter => Steps(quarter).All(step => !SharesARow(quarter, step))).ToList();
            var missed = all.SelectMany(quarter => Steps(quarter).Where(step => step.FoundAfter is null)
                .Select(step => Why(quarter, step))).ToLookup(why => why);
            yield return Invariant($"| {What(least)} | {quarters} | ")
                + Invariant($"{Confirmed(all, isMended: false)} | {Confirmed(all, isMended: true)} | ")
                + Invariant($"{all.Sum(one => one.FalseIssues)} | {all.Count(IsTheTruth)} | {apart.Count(IsTheTruth)} of {apart.Count} | ")
                + Invariant($"{missed[Miss.SharesARow].Count()} | {missed[Miss.ToldUnderANeighbour].Count()} | ")
                + Invariant($"{missed[Miss.NotSeen].Count()} |");
        }
    }

    /// <summary>Why a step was not confirmed as itself.</summary>
    public enum Miss
    {
        /// <summary>A row of it changed again within four weeks: they add up to one step, or to none.</summary>
        SharesARow,

        /// <summary>Its row stands in the issue of another row's step of the same direction, a week or two away.</summary>
        ToldUnderANeighbour,
        NotSeen,
    }

    public static Miss Why(YearResult quarter, KnownOutcome step) =>
        SharesARow(quarter, step) ? Miss.SharesARow : step.IsTold ? Miss.ToldUnderANeighbour : Miss.NotSeen;

    private static bool SharesARow(YearResult quarter, KnownOutcome step) => quarter.Outcomes.Any(other => other.Known != step.Known
        && Math.Abs(other.Known.Session - step.Known.Session) <= Near && other.Known.Series.Intersect(step.Known.Series).Any());

    /// <summary>Weeks.</summary>
    private const int Near = 4;

    /// <summary>No issue more and none less.</summary>
    public static bool IsTheTruth(YearResult quarter) =>
        quarter.FalseIssues == 0 && Steps(quarter).All(step => step.FoundAfter is not null);

    private static IEnumerable<KnownOutcome> Steps(YearResult quarter) => quarter.Outcomes.Where(one => one.Known.TakesBack is null);

    private static string Confirmed(List<YearResult> all, bool isMended)
    {
        var steps = all.SelectMany(quarter => quarter.Outcomes.Index()
            .Where(one => one.Item.Known.TakesBack is null && quarter.Outcomes.Any(fix => fix.Known.TakesBack == one.Index) == isMended)
            .Select(one => one.Item)).ToList();
        return Invariant($"{steps.Count(step => step.FoundAfter is not null)} of {steps.Count}");
    }

    private static string What(double? least) => least is { } size ? Invariant($"{100 * size:0.#} to 10 %") : "none";
}
