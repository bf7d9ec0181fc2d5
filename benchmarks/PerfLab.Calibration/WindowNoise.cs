using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Calibration;

/// <summary>How the windows of one launch scatter: by 3 %, and what else happens in a launch.</summary>
public enum WindowNoise
{
    /// <summary>Independent normal noise.</summary>
    Normal,

    /// <summary>Student's t with 3 degrees of freedom.</summary>
    T3,

    /// <summary>One window in twenty loses 40 %.</summary>
    Stalls,

    /// <summary>Every seventh window loses 40 %: a collection in a steady rhythm.</summary>
    Collections,

    /// <summary>A neighbour that comes and goes: AR(1), each window takes half of the deviation of the one before.</summary>
    Neighbour,
}

/// <summary>Draws the windows of a launch.</summary>
public static class WindowNoises
{
    public const double Spread = 0.03;
    public const double Loss = 0.4;
    public const double Memory = 0.5;

    /// <param name="noise">The kind of noise.</param>
    /// <param name="level">What the rate of each window would be without it.</param>
    /// <param name="random">Where the noise comes from.</param>
    public static WindowSeries Launch(this WindowNoise noise, IReadOnlyList<double> level, SeededRandom random)
    {
        var rates = new double[level.Count];
        var deviation = random.NextNormal();
        for (var window = 0; window < rates.Length; window++)
        {
            deviation = noise switch
            {
                WindowNoise.Neighbour => (Memory * deviation) + (Math.Sqrt(1 - (Memory * Memory)) * random.NextNormal()),
                WindowNoise.T3 => random.NextNormal() / Math.Sqrt((Square(random) + Square(random) + Square(random)) / 3),
                _ => random.NextNormal(),
            };
            var stalls = noise switch
            {
                WindowNoise.Stalls => random.NextDouble() < 0.05,
                WindowNoise.Collections => window % 7 == 3,
                _ => false,
            };
            rates[window] = Math.Max(0, level[window] * (1 + (Spread * deviation)) * (stalls ? 1 - Loss : 1));
        }

        return new()
        {
            Rates = rates,
            Ends = [.. Enumerable.Range(1, rates.Length).Select(window => 0.1 * window)],
            WarmUpSeconds = 0.6,
        };
    }

    private static double Square(SeededRandom random) => Math.Pow(random.NextNormal(), 2);
}
