using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Trends;

namespace PerfLab.Calibration;

/// <summary>
/// B1: how often `bisect` names the right one of 128 commits, and what it launches, beside plain bisection that measures 20 rounds at every
/// step and believes the sign. The 20 rounds of the two ends, which both need, count for both; the 20 that confirm the culprit, for `bisect`.
/// </summary>
public static class Bisections
{
    private const int Commits = 128;
    private const int ProvingRounds = 20;

    /// <summary>A search that is not sure after this many rounds has no answer.</summary>
    private const int MostRounds = 600;

    private static readonly Case[] Cases =
        [new(0.05, 0.02), new(0.02, 0.02), new(0.05, 0.05), new(0.05, 0.02, Unbuildable: 0.2), new(0.05, 0.02, Builds: 0.01)];

    public static IEnumerable<FigureRow> Rows(Run run) => Cases.SelectMany(one => Rows(run, one));

    private static IEnumerable<FigureRow> Rows(Run run, Case one)
    {
        var name = FormattableString.Invariant($"128 commits, {100 * one.Change:0} % at noise {100 * one.Noise:0} %")
            + (one.Unbuildable > 0 ? ", a fifth does not build" : one.Builds > 0 ? ", each build off by 1 %" : "");
        var searches = run.Size.PowerComparisons;
        var sums = SeededRuns.Sum(run.Repeat($"B1 {name}", searches, tallies: 5), () => (random, counters) =>
        {
            var culprit = 1 + random.Next(Commits);
            var levels = Levels(one, culprit, random);
            var (right, wrong, launches) = Search(one, levels, culprit, random);
            counters[0] += right ? 1 : 0;
            counters[1] += wrong ? 1 : 0;
            counters[2] += launches;
            var (plainRight, plainLaunches) = Plain(one, levels, culprit, random);
            counters[3] += plainRight ? 1 : 0;
            counters[4] += plainLaunches;
        });
        var named = sums[0] + sums[1];
        var share = ClopperPearson.Interval((int)sums[0], (int)Math.Max(1, named));
        // The aim is for builds that do what their commits say.
        var hasAim = one.Builds == 0;
        yield return new("B1", $"{name}: right, of those that named one", hasAim ? ">= 95 %" : "none",
            100.0 * sums[0] / Math.Max(1, named), 100 * share.Low, !hasAim || share.High >= 0.95);
        yield return new("B1", $"{name}: named one", "none", 100.0 * named / searches, null, true);
        yield return new("B1", $"{name}: launches, mean", "none", (double)sums[2] / searches, null, true);
        if (one.Unbuildable == 0)
        {
            yield return new("B1", $"{name}: plain bisection right", "none", 100.0 * sums[3] / searches, null, true);
            yield return new("B1", $"{name}: plain bisection launches, mean", "none", (double)sums[4] / searches, null, true);
        }
    }

    private static (bool Right, bool Wrong, int Launches) Search(
        Case one, double[] levels, int culprit, SeededRandom random)
    {
        var builds = Enumerable.Range(0, Commits + 1).Select(commit => commit is 0 or Commits || random.NextDouble() >= one.Unbuildable).ToArray();
        var ends = Rounds(ProvingRounds, levels[^1], one.Noise, random);
        var change = new SoughtChange(new WalshAverages(ends).Centre, Noise.Of(ends)!.Value);
        var evidence = Enumerable.Repeat(new CommitEvidence(), Commits + 1).ToArray();
        var steps = new List<StepEvidence>();
        for (var rounds = ProvingRounds; rounds < MostRounds;)
        {
            var search = new CommitSearch(change, evidence, steps);
            if (search.Found is { } found)
            {
                if (steps.Count(step => (step.Good, step.Bad) == found) == CommitSearch.MostConfirmations)
                {
                    return (false, false, 2 * rounds);
                }

                var isRight = culprit > found.Good && culprit <= found.Bad;
                var confirmation = Rounds(ProvingRounds, levels[found.Bad] - levels[found.Good], one.Noise, random);
                var isConfirmed = SignedRank.Test(confirmation).TwoSided <= new Policy().FamilyError
                    && new WalshAverages(confirmation).Centre >= Math.Max(new Policy().Margin, CommitSearch.LeastShareOfStep * change.Size);
                rounds += ProvingRounds;
                if (isConfirmed)
                {
                    return (isRight, !isRight, 2 * rounds);
                }

                steps.Add(new(found.Good, found.Bad, confirmation));
                continue;
            }

            if (search.Next(_ => 1) is not { } next)
            {
                return (false, false, 2 * rounds);
            }

            evidence[next] = !builds[next] ? evidence[next] with { IsUntestable = true } : evidence[next] with
            {
                Differences = [.. evidence[next].Differences,
                    .. Rounds(change.RoundsOfAProbe, levels[next], one.Noise, random)],
            };
            rounds += builds[next] ? change.RoundsOfAProbe : 0;
        }

        return (false, false, 2 * MostRounds);
    }

    private static (bool Right, int Launches) Plain(Case one, double[] levels, int culprit, SeededRandom random)
    {
        var (good, bad, rounds) = (0, Commits, ProvingRounds);
        while (bad - good > 1)
        {
            var middle = (good + bad) / 2;
            var centre = new WalshAverages(Rounds(ProvingRounds, levels[middle], one.Noise, random)).Centre;
            (good, bad) = centre > one.Change / 2 ? (good, middle) : (middle, bad);
            rounds += ProvingRounds;
        }

        return (bad == culprit, 2 * rounds);
    }

    /// <summary>How much slower than good each commit is, log units; good is measured with a build of its own, too.</summary>
    private static double[] Levels(Case one, int culprit, SeededRandom random)
    {
        var offsets = Enumerable.Range(0, Commits + 1).Select(_ => one.Builds > 0 ? one.Builds * random.NextNormal() : 0).ToArray();
        return [.. offsets.Select((offset, commit) => offset - offsets[0] + (commit >= culprit ? one.Change : 0))];
    }

    private static double[] Rounds(int count, double level, double noise, SeededRandom random) =>
        [.. Enumerable.Range(0, count).Select(_ => level + (noise * random.NextNormal()))];

    /// <param name="Change">The culprit's.</param>
    /// <param name="Noise">Of a round.</param>
    /// <param name="Unbuildable">The share of commits that do not build.</param>
    /// <param name="Builds">How much builds differ for no reason, as where their code lies in memory: a standard deviation.</param>
    private sealed record Case(double Change, double Noise, double Unbuildable = 0, double Builds = 0);
}
