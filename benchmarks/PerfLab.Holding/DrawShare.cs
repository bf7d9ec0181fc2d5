using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Processes;

namespace PerfLab.Holding;

/// <summary>
/// How much of the noise of a comparison is the size of the environment: every length is drawn once and measured in two rounds that
/// lie apart, in random order. Rounds of one length differ by everything else, lengths differ by that and by what the length does
/// (one-way analysis of variance, intraclass correlation). A session can't say it: there each length occurs once, so the two can't be
/// told apart, and a session that repeated lengths would have rounds that depend on each other, for which its test does not hold.
/// </summary>
internal static class DrawShare
{
    private const int Shuffles = 10_000;

    public static async Task RunAsync(Subject subject, int lengths, ulong seed)
    {
        await using var launcher = ProcessLauncher.Create();
        var random = SeededRandom.For(seed, "draw " + subject.Cell.Workload);
        var pads = Enumerable.Range(0, lengths).Select(_ => random.Next(EnvironmentPad.Most + 1)).ToList();
        var drawn = new (double First, double Second)[lengths];
        var same = new double[2 * lengths];
        foreach (var round in random.Shuffle(Enumerable.Range(0, 2 * lengths)))
        {
            var log = await RoundAsync(pads[round / 2]);
            drawn[round / 2] = round % 2 == 0 ? (log, drawn[round / 2].Second) : (drawn[round / 2].First, log);
            same[round] = await RoundAsync(EnvironmentPad.OfProof); // beside it, with the draw off
        }

        var (with, without) = (new Differences([.. drawn.SelectMany(pair => new[] { pair.First, pair.Second })]), new Differences(same));
        var share = Share([.. drawn]);
        Console.WriteLine(
            FormattableString.Invariant($"| {subject.Cell.Workload} | {with.Change} % | {with.Noise * 100:0.0} % | {without.Change} % | ")
            + FormattableString.Invariant($"{without.Noise * 100:0.0} % | {Math.Max(0, share) * 100:0} % | ")
            + FormattableString.Invariant($"{Chance(drawn, share, random):0.0000} |"));

        async Task<double> RoundAsync(int pad)
        {
            var (reference, arm) = await subject.InTurnAsync(
                spec => launcher.LaunchAsync(spec, CancellationToken.None), pad, random.Next(2));
            return Math.Log(arm / reference);
        }
    }

    /// <summary>Of two values of one length, the share of the variance that they have in common; below 0 by chance.</summary>
    private static double Share((double First, double Second)[] pairs)
    {
        var mean = pairs.Average(pair => (pair.First + pair.Second) / 2);
        var between = pairs.Sum(pair => 2 * Math.Pow(((pair.First + pair.Second) / 2) - mean, 2)) / (pairs.Length - 1);
        var within = pairs.Sum(pair => Math.Pow(pair.First - pair.Second, 2) / 2) / pairs.Length;
        return (between - within) / (between + within);
    }

    /// <summary>How often values that are paired by lot have as much in common.</summary>
    private static double Chance((double First, double Second)[] pairs, double share, SeededRandom random)
    {
        var values = pairs.SelectMany(pair => new[] { pair.First, pair.Second }).ToArray();
        var asMuch = Enumerable.Range(0, Shuffles).Count(_ =>
            Share([.. random.Shuffle(values).Chunk(2).Select(pair => (pair[0], pair[1]))]) >= share);
        return (asMuch + 1.0) / (Shuffles + 1);
    }
}
