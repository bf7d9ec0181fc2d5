using System.Globalization;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Holding;

/// <summary>
/// A workload in its faithful mode beside the program that it was written after, built by hand: both started by hand with the same
/// environment, interleaved, and compared by the figure that the original's authors publish, the highest of a table that the program
/// prints.
/// </summary>
internal static class Upstream
{
    private const int MostBroken = 3;

    /// <param name="subject">Of a plan with mode=faithful; its primary metric is the peak.</param>
    /// <param name="program">The original, built.</param>
    /// <param name="column">Of the rates in the table that it prints, from 0.</param>
    /// <param name="rounds">Each starts both once.</param>
    /// <param name="seed">Of orders and lengths of the environment.</param>
    public static async Task RunAsync(Subject subject, string program, int column, int rounds, ulong seed)
    {
        var broken = 0;
        using var hand = new ByHand();
        var random = SeededRandom.For(seed, "upstream " + subject.Cell.Workload);
        var (original, ours) = (new double[rounds], new double[rounds]);
        for (var round = 0; round < rounds; round++)
        {
            var pad = random.Next(EnvironmentPad.Most + 1);
            foreach (var isOurs in random.Next(2) == 0 ? new[] { false, true } : [true, false])
            {
                if (isOurs)
                {
                    ours[round] = await AgainAsync(async () => 1 / await subject.CostAsync(hand.LaunchAsync, subject.Arm, pad));
                }
                else
                {
                    original[round] = await AgainAsync(async () =>
                        Peak(await hand.PrintedAsync(Path.GetFullPath(program), subject.Spec(subject.Arm, pad)), column));
                }
            }
        }

        var ratio = new Differences([.. ours.Zip(original, (one, other) => Math.Log(one / other))]);
        Console.WriteLine(FormattableString.Invariant($"| {subject.Cell.Workload} | {Median.Of(original) / 1e6:0.000} | ")
            + FormattableString.Invariant($"{Median.Of(ours) / 1e6:0.000} | ")
            + FormattableString.Invariant($"{Math.Exp(ratio.Centre):0.000} | {ratio.Ratio} | {ratio.Noise * 100:0.0} % | {rounds} |"));

        // One launch that dies must not take the minutes of all others with it; each is told, and a program that always dies ends the run.
        async Task<double> AgainAsync(Func<Task<double>> launch)
        {
            while (true)
            {
                try
                {
                    return await launch();
                }
                catch (InvalidOperationException e) when (++broken <= MostBroken)
                {
                    await Console.Error.WriteLineAsync($"launched again: {e.Message}");
                }
            }
        }
    }

    /// <summary>The highest of the lines that begin with a number.</summary>
    /// <exception cref="InvalidOperationException">There is no such line.</exception>
    private static double Peak(string printed, int column)
    {
        var rates = printed.Split('\n').Select(line => line.Split(','))
            .Where(cells => cells.Length > column && int.TryParse(cells[0], CultureInfo.InvariantCulture, out _))
            .Select(cells => double.Parse(cells[column], CultureInfo.InvariantCulture)).ToList();
        return rates.Count > 0 ? rates.Max() : throw new InvalidOperationException($"the original printed no table: {printed}");
    }
}
