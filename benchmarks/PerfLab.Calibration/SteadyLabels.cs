using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Steady;
using static System.FormattableString;

namespace PerfLab.Calibration;

/// <summary>S1: how often a launch that is steady from the start is labelled, and S2: how often one that is not is found.</summary>
public static class SteadyLabels
{
    /// <summary>Windows of a short launch (1.6 s), of an ordinary one and of a long one.</summary>
    private static readonly int[] Lengths = [16, 36, 100];

    public static IEnumerable<FigureRow> Rows(Run run)
    {
        var wrong =
            from noise in Enum.GetValues<WindowNoise>()
            from windows in Lengths
            select WronglyLabelled(run, noise, windows);
        return wrong.Concat(
        [
            Found(run, new("warm-up of 8 of 36 windows at half the rate: time-to-steady right to a window", 0.95), Level(36, window => window < 8 ? 0.5 : 1), state => IsAt(state, 0.9)),
            Found(run, new("warm-up of 8 of 36 windows, 10 % slower: right to a window", 0.95), Level(36, window => window < 8 ? 0.9 : 1), state => IsAt(state, 0.9)),
            Found(run, new("level 10 % lower from window 27 of 36 on: labelled", 0.95), Level(36, window => window < 27 ? 1 : 0.9), IsLabelled),
            Found(run, new("level 10 % lower from window 12 of 16 on: labelled", 0.8), Level(16, window => window < 12 ? 1 : 0.9), IsLabelled),
            Found(run, new("creeping by 10 % in 10 s, 100 windows: labelled", 0.7), Level(100, window => 1 + (0.1 * window / 100)), IsLabelled),
        ]);
    }

    private static FigureRow WronglyLabelled(Run run, WindowNoise noise, int windows)
    {
        var name = Invariant($"{noise}, {windows} windows, steady from the start: labelled");
        var (share, interval) = Count(run, name, noise, Level(windows, _ => 1), IsLabelled);
        // Noise with a memory is unrest on the scale of a launch: no rule can tell the two apart in one launch.
        var most = noise == WindowNoise.Neighbour ? 0.25 : 0.02;
        return new("S1", name, Invariant($"<= {100 * most} %"), share, 100 * interval.High, interval.Low <= most);
    }

    private static FigureRow Found(Run run, Aim aim, double[] level, Func<SteadyState, bool> found)
    {
        var (share, interval) = Count(run, aim.Case, WindowNoise.Normal, level, found);
        return new("S2", aim.Case, Invariant($">= {100 * aim.Least} %"), share, 100 * interval.Low, interval.High >= aim.Least);
    }

    private static (double Percent, (double Low, double High) Interval) Count(Run run, string name, WindowNoise noise, double[] level, Func<SteadyState, bool> happens)
    {
        var launches = run.Size.Cells / 5;
        var count = (int)SeededRuns.Sum(run.Repeat(name, launches, tallies: 1),
            () => (random, counters) => counters[0] += happens(SteadyRule.Judge(noise.Launch(level, random))) ? 1 : 0)[0];
        var interval = ClopperPearson.Interval(count, launches);
        return (100.0 * count / launches, (interval.Low, interval.High));
    }

    private static double[] Level(int windows, Func<int, double> of) => [.. Enumerable.Range(0, windows).Select(window => 1e6 * of(window))];

    private static bool IsLabelled(SteadyState state) => state.Kind == SteadyKind.NoSteadyState;

    private static bool IsAt(SteadyState state, double seconds) => state.Seconds is { } time && Math.Abs(time - seconds) < 0.15;

    private sealed record Aim(string Case, double Least);
}
