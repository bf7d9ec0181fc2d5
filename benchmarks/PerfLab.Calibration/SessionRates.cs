using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Calibration;

/// <summary>
/// H1, false flags, and H2, power, where every session has an effect of its own that no round of it averages away, by how often what is
/// flagged is measured. At noise 2 %, normal, default policy; the slower cells by 5 %.
/// </summary>
public static class SessionRates
{
    private const int Slower = 5;
    private const double Change = 0.05;
    private const double Noise = 0.02;

    public static IEnumerable<FigureRow> Rows(Run run) =>
        from effect in new[] { 0, 0.01, 0.02, 0.05 }
        from sessions in new[] { 1, 2, 3 }
        from row in Rows(run, effect, sessions)
        select row;

    private static IEnumerable<FigureRow> Rows(Run run, double effect, int sessions)
    {
        var scenario = new Scenario
        {
            Shape = NoiseShape.Normal,
            Slower = Slower,
            Change = Change,
            SessionEffect = effect,
            Policy = new() { Repeats = sessions - 1 },
        }.AtPrintedNoise(Noise);
        var name = FormattableString.Invariant($"session effects of {100 * effect:0} %, {sessions} {(sessions == 1 ? "session" : "sessions")}");
        // The same first sessions for every number of them.
        var comparisons = run.Size.PowerComparisons;
        var sums = SeededRuns.Sum(run.Repeat(FormattableString.Invariant($"H {effect}"), comparisons, tallies: 3), () =>
        {
            var simulator = new ComparisonSimulator(scenario);
            return (random, counters) =>
            {
                var result = simulator.Run(random);
                counters[0] += result.FalseFlags > 0 ? 1 : 0;
                counters[1] += result.FalseFlags;
                counters[2] += result.Found;
            };
        });
        var aim = effect > 0 ? "none" : "<= 1 % within chance";
        var any = ClopperPearson.Interval((int)sums[0], comparisons);
        yield return new("H1", $"{name}: any false flag", aim, 100.0 * sums[0] / comparisons, 100 * any.High, effect > 0 || any.Low <= 0.01);
        yield return new("H1", $"{name}: of 195 unchanged cells", "none", 100.0 * sums[1] / (comparisons * (200.0 - Slower)), null, true);
        var found = ClopperPearson.Interval((int)sums[2], comparisons * Slower);
        yield return new("H2", $"{name}: +5 % found", effect > 0 ? "none" : ">= 97 %", 100.0 * sums[2] / (comparisons * Slower), 100 * found.Low,
            effect > 0 || found.High >= 0.97);
    }
}
