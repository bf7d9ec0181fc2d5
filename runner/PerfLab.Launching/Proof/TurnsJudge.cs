using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Results;

namespace PerfLab.Launching.Proof;

/// <summary>What the launches of a round in turns count as: as any launch, and by what they said of their slices.</summary>
public static class TurnsJudge
{
    /// <summary>A metric that follows from the slices differs from them by rounding alone.</summary>
    private const double MostDifference = 0.002;

    /// <summary>With which a program of the kit says that it can't do what it was asked (workloads/README.md, "The contract").</summary>
    private const int RefusedByItself = 2;

    /// <summary>So many times as long as it is meant to be, a slice is as long as what a launch measures.</summary>
    private const double MostOfSlice = 4;

    private const string Instead = "measure it with --pairing launches";

    /// <summary>What a round says against turns of its cell, to follow a colon; null where it says nothing.</summary>
    /// <param name="cell">Of the plan.</param>
    /// <param name="end">How the round ended.</param>
    /// <param name="launches">The same, judged.</param>
    public static string? Against(PlannedCell cell, TurnsEnd end, IReadOnlyList<Launch> launches) =>
        end.Impossible
        ?? launches.Zip(end.Arms).Where(pair => pair.Second.Broken is not null)
            .Select(pair => $"{pair.First.Arm} {pair.Second.Broken}").FirstOrDefault()
        ?? (launches.FirstOrDefault(launch => launch.Outcome == Outcome.TimedOut) is { } late
            ? Invariant($"{late.Arm} did not end within its {cell.Launch.TimeoutSeconds:0.###} s") : null)
        ?? (launches.FirstOrDefault(launch => launch is { Outcome: Outcome.Failed, ExitCode: RefusedByItself }) is { } unwilling
            ? Invariant($"{unwilling.Arm} refused what it was asked, with exit code {RefusedByItself}") : null)
        ?? launches.Skip(1).Select(launch => Mismatch(cell, launch, launches[0])).FirstOrDefault(what => what is not null);

    /// <summary>What the pilot of a benchmark says against turns of its cell, to follow a colon; null: its iterations are slices.</summary>
    public static string? Against(TurnPlan turns, BenchmarkRun pilot) =>
        pilot.Seconds > MostOfSlice * turns.SliceSeconds
            ? Invariant($"a call takes {pilot.Seconds:0.###} s, and a slice is {1000 * turns.SliceSeconds:0.###} ms")
        : pilot.Seconds < TurnPlan.LeastSeconds
            ? Invariant($"an iteration takes {1000 * pilot.Seconds:0.####} ms, and after each it would find its caches cold")
        : null;

    /// <summary>Why a launch is refused beside another of its round, or null: what it says of itself is not what its slices tell.</summary>
    public static string? Refusal(PlannedCell cell, Launch launch, Launch other) =>
        Mismatch(cell, launch, other) is { } reason ? $"{reason}; {Instead}" : null;

    public static JudgedLaunch Judge(LaunchExpectation expected, TurnsArm arm)
    {
        var judged = LaunchJudge.Judge(expected, arm.End);
        var isCut = expected.Cell.Turns is { ByClock: true };
        return arm.Broken is { } broken ? new(Outcome.Refused,
            $"it {broken}; {(isCut ? "what is so short" : "what is not built with the kit, or does more than one thing at once,")} "
                + "is measured with --pairing launches",
            new Dictionary<string, double>(StringComparer.Ordinal), judged.Evidence)
            : isCut && judged.Outcome == Outcome.Measured && arm.Slices is { } slices ? judged with
            {
                Metrics = new Dictionary<string, double>(judged.Metrics, StringComparer.Ordinal)
                {
                    // What it ran itself, and not how long it was there.
                    [expected.Cell.Metrics.First(metric => metric.Primary).Name] = slices.Seconds.Sum(),
                },
            }
            : judged;
    }

    /// <summary>
    /// Why two launches of a round can't be compared by their slices, or null: then the metric that gets the verdict changed as the time of
    /// a unit of work did. A metric of something else (bytes, a latency) would get a verdict that says nothing of it.
    /// </summary>
    private static string? Mismatch(PlannedCell cell, Launch launch, Launch other)
    {
        var metric = cell.Metrics.First(one => one.Primary);
        if (cell.Result != ResultFormat.PerfLab
            || launch.Turns?.SecondsOfOneUnit is not { } mine || other.Turns?.SecondsOfOneUnit is not { } theirs
            || !launch.Metrics.TryGetValue(metric.Name, out var to) || !other.Metrics.TryGetValue(metric.Name, out var from)
            || !(to > 0 && from > 0))
        {
            return null;
        }

        var said = (metric.Better == Better.Higher ? -1 : 1) * Math.Log(to / from);
        var seen = Math.Log(mine / theirs);
        return Math.Abs(said - seen) <= MostDifference ? null
            : Invariant($"its {metric.Name} is not what its slices tell: beside {other.Arm} it says {100 * said:+0.0;-0.0} %, ")
                + Invariant($"and a unit of work took {100 * seen:+0.0;-0.0} %");
    }

    /// <summary>The evidence of all launches of a round as of one: they shared their cores, and the time.</summary>
    public static JsonObject Together(IReadOnlyList<Launch> launches)
    {
        var all = new JsonObject();
        if (Sum(launches, launch => launch.Evidence["processorSeconds"]) is { } own)
        {
            all["processorSeconds"] = own;
        }

        var outside = new JsonObject();
        if (launches.Select(launch => launch.Evidence["outside"]?["cpus"]).FirstOrDefault(cpus => cpus is not null) is { } known)
        {
            outside["cpus"] = known.DeepClone();
        }

        if (Sum(launches, launch => launch.Evidence["outside"]?["cpuSeconds"]) is { } seen)
        {
            outside["cpuSeconds"] = seen;
        }

        all["outside"] = outside;
        return all;
    }

    private static double? Sum(IReadOnlyList<Launch> launches, Func<Launch, JsonNode?> value)
    {
        var values = launches.Select(launch => JsonNumber.Of(value(launch))).ToList();
        return values.TrueForAll(one => one is not null) ? values.Sum(one => one!.Value) : null;
    }
}
