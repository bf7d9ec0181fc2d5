using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Steady;
using static System.FormattableString;

namespace PerfLab.Calibration;

/// <summary>
/// S3: how often a row whose launches are at rest is called not-steady, and S4: how often one whose launches are not is. A row has two arms
/// of 8 launches (a screen) or 20; each launch has 30 windows, the first 6 of them warm-up.
/// </summary>
public static class RestRates
{
    private const int Windows = 30, WarmUp = 6;

    /// <summary>Share of rows of launches at rest that may be called not-steady: each of two arms is tested at 1 %.</summary>
    private const double MostWrong = 0.02;

    private static readonly int[] Launches = [8, 20];

    public static IEnumerable<FigureRow> Rows(Run run)
    {
        var wrong =
            from launches in Launches
            from kind in AtRest()
            select Row(run, new("S3", $"{kind.Name}, at rest", launches), kind.Launch, most: MostWrong);
        // Eight launches, some of which settled in time, are not beyond chance; a direction needs 13 (StageRule.LeastConfirmRounds).
        var right =
            from launches in Launches
            from kind in NotAtRest()
            select Row(run, new("S4", kind.Name, launches), kind.Launch, least: launches == 8 ? Math.Min(kind.Least, kind.OfFew) : kind.Least);
        return wrong.Concat(right);
    }

    private static IEnumerable<(string Name, Func<SeededRandom, Launch> Launch)> AtRest()
    {
        foreach (var noise in Enum.GetValues<WindowNoise>())
        {
            yield return ($"{noise}", random => Of(noise, random, _ => 1));
        }

        yield return ("two modes 30 % apart, each start in one", random => Modes(random, changes: 0));
        yield return ("two modes 30 % apart, changed once, at any time", random => Modes(random, changes: 1));
        yield return ("two modes 30 % apart, changed four times", random => Modes(random, changes: 4));
        yield return ("a neighbour takes half for a third of the time, at any time", Disturbed);
        yield return ("a level 20 % lower from the middle of measuring on, in one of ten", Dropped);
        yield return ("the runtime compiles its own 12 methods in one window", Timers);
    }

    private static IEnumerable<(string Name, Func<SeededRandom, Launch> Launch, double Least, double OfFew)> NotAtRest()
    {
        yield return ("bulk compilation all the time", random => Of(WindowNoise.Neighbour, random, _ => 1, _ => 20), 0.999, 1);
        yield return ("at rest, then bulk compilation for 0.4 s in the middle", random => Of(WindowNoise.Normal, random, _ => 1, window => window is >= 16 and < 20 ? 40 : 0), 0.999, 1);
        yield return ("twice as fast from a third of the measured time on, JIT hidden", random => Of(WindowNoise.Neighbour, random, window => window < 14 ? 0.5 : 1), 0.999, 1);
        yield return ("10 % faster from the middle of the measured time on, JIT hidden", random => Of(WindowNoise.Normal, random, window => window < 18 ? 0.9 : 1), 0.999, 1);
        yield return ("falls by 0.5 % a window for ever", random => Of(WindowNoise.Normal, random, window => Math.Pow(0.995, window)), 0.95, 1);
        yield return ("becomes 2.5 times as fast at a time of its own, warm-up or measured", Risen, 0.9, 0);
    }

    private static FigureRow Row(Run run, RestCase of, Func<SeededRandom, Launch> launch, double? most = null, double? least = null)
    {
        var rows = run.Size.Cells / 5;
        var name = Invariant($"{of.Case}, {of.Launches} of an arm: not-steady");
        var count = (int)SeededRuns.Sum(run.Repeat(name, rows, tallies: 1), () => (random, counters) =>
            counters[0] += Enumerable.Range(0, 2).Any(_ => !ArmRest.Of([.. Enumerable.Range(0, of.Launches).Select(_ => launch(random))]).IsSteady) ? 1 : 0)[0];
        var interval = ClopperPearson.Interval(count, rows);
        return most is { } limit
            ? new(of.Figure, name, Invariant($"<= {100 * limit} %"), 100.0 * count / rows, 100 * interval.High, interval.Low <= limit)
            : new(of.Figure, name, Invariant($">= {100 * least} %"), 100.0 * count / rows, 100 * interval.Low, interval.High >= least);
    }

    private static Launch Disturbed(SeededRandom random)
    {
        // It may have begun before the launch, and end after it: no age of the launch is likelier than another.
        var from = Place(random, 4.0 / 3) - (Windows / 3);
        return Of(WindowNoise.Normal, random, window => window >= from && window < from + (Windows / 3) ? 0.5 : 1);
    }

    private static Launch Dropped(SeededRandom random)
    {
        var drops = random.NextDouble() < 0.1;
        return Of(WindowNoise.Normal, random, window => drops && window >= 18 ? 0.8 : 1);
    }

    private static Launch Timers(SeededRandom random)
    {
        var at = Place(random, 1);
        return Of(WindowNoise.Normal, random, _ => 1, window => window == at ? 12 : 0);
    }

    private static Launch Risen(SeededRandom random)
    {
        var at = Place(random, 0.8);
        return Of(WindowNoise.Normal, random, window => window < at ? 0.4 : 1);
    }

    private static int Place(SeededRandom random, double share) => (int)(random.NextDouble() * Windows * share);

    private static Launch Modes(SeededRandom random, int changes)
    {
        int[] at = [.. Enumerable.Range(0, changes).Select(_ => Place(random, 1))];
        var first = random.NextDouble() < 0.5 ? 0 : 1;
        return Of(WindowNoise.Normal, random, window => (first + at.Count(change => change <= window)) % 2 == 0 ? 1 : 0.7);
    }

    private static Launch Of(WindowNoise noise, SeededRandom random, Func<int, double> level, Func<int, int>? compiled = null)
    {
        var series = noise.Launch([.. Enumerable.Range(0, Windows).Select(window => 1e6 * level(window))], random);
        var windows = new JsonObject
        {
            ["warmUpSeconds"] = series.Ends[WarmUp - 1],
            ["ends"] = Numbers(series.Ends),
            ["rates"] = Numbers(series.Rates),
        };
        if (compiled is not null)
        {
            windows["compiled"] = Numbers(Enumerable.Range(0, Windows).Select(window => (double)compiled(window)));
        }

        return new()
        {
            Cell = "c001",
            Arm = "head",
            Stage = Stage.Screen,
            Round = 0,
            Position = 0,
            Started = DateTimeOffset.UnixEpoch,
            WallSeconds = 3,
            Outcome = Outcome.Measured,
            Evidence = new() { ["windows"] = windows },
        };
    }

    private static JsonArray Numbers(IEnumerable<double> values) => new([.. values.Select(value => (JsonNode)value)]);

    private sealed record RestCase(string Figure, string Case, int Launches);
}
