using PerfLab.Core.Bisecting;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

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

    private static readonly (double Change, double Noise, double Unbuildable)[] Cases =
        [(0.05, 0.02, 0), (0.02, 0.02, 0), (0.05, 0.05, 0), (0.05, 0.02, 0.2)];

    public static IEnumerable<FigureRow> Rows(Run run) => Cases.SelectMany(one => Rows(run, one));

    private static IEnumerable<FigureRow> Rows(Run run, (double Change, double Noise, double Unbuildable) one)
    {
        var name = FormattableString.Invariant(
            $"128 commits, {100 * one.Change:0} % at noise {100 * one.Noise:0} %{(one.Unbuildable > 0 ? ", a fifth does not build" : "")}");
        var searches = run.Size.PowerComparisons;
        var sums = SeededRuns.Sum(run.Repeat($"B1 {name}", searches, tallies: 5), () => (random, counters) =>
        {
            var culprit = 1 + random.Next(Commits);
            var (right, wrong, launches) = Search(one, culprit, random);
            counters[0] += right ? 1 : 0;
            counters[1] += wrong ? 1 : 0;
            counters[2] += launches;
            var (plainRight, plainLaunches) = Plain(one, culprit, random);
            counters[3] += plainRight ? 1 : 0;
            counters[4] += plainLaunches;
        });
        var named = sums[0] + sums[1];
        var share = ClopperPearson.Interval((int)sums[0], (int)Math.Max(1, named));
        yield return new("B1", $"{name}: right, of those that named one", ">= 95 %", 100.0 * sums[0] / Math.Max(1, named), 100 * share.Low, share.High >= 0.95);
        yield return new("B1", $"{name}: named one", "none", 100.0 * named / searches, null, true);
        yield return new("B1", $"{name}: launches, mean", "none", (double)sums[2] / searches, null, true);
        if (one.Unbuildable == 0)
        {
            yield return new("B1", $"{name}: plain bisection right", "none", 100.0 * sums[3] / searches, null, true);
            yield return new("B1", $"{name}: plain bisection launches, mean", "none", (double)sums[4] / searches, null, true);
        }
    }

    private static (bool Right, bool Wrong, int Launches) Search(
        (double Change, double Noise, double Unbuildable) one, int culprit, SeededRandom random)
    {
        var builds = Enumerable.Range(0, Commits + 1).Select(commit => commit is 0 or Commits || random.NextDouble() >= one.Unbuildable).ToArray();
        var ends = Rounds(ProvingRounds, one.Change, one.Noise, random);
        var change = new SoughtChange(new WalshAverages(ends).Centre, Noise.Of(ends)!.Value);
        var evidence = Enumerable.Repeat(new CommitEvidence(), Commits + 1).ToArray();
        var steps = new List<StepEvidence>();
        for (var rounds = ProvingRounds; rounds < MostRounds;)
        {
            var search = new CommitSearch(change, evidence, steps);
            if (search.Found is { } found)
            {
                if (steps.Any(step => (step.Good, step.Bad) == found))
                {
                    return (false, false, 2 * rounds);
                }

                var isRight = culprit > found.Good && culprit <= found.Bad;
                var confirmation = Rounds(ProvingRounds, isRight ? one.Change : 0, one.Noise, random);
                var isConfirmed = SignedRank.Test(confirmation).TwoSided <= new Policy().FamilyError;
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
                    .. Rounds(change.RoundsOfAProbe, next >= culprit ? one.Change : 0, one.Noise, random)],
            };
            rounds += builds[next] ? change.RoundsOfAProbe : 0;
        }

        return (false, false, 2 * MostRounds);
    }

    private static (bool Right, int Launches) Plain((double Change, double Noise, double Unbuildable) one, int culprit, SeededRandom random)
    {
        var (good, bad, rounds) = (0, Commits, ProvingRounds);
        while (bad - good > 1)
        {
            var middle = (good + bad) / 2;
            var centre = new WalshAverages(Rounds(ProvingRounds, middle >= culprit ? one.Change : 0, one.Noise, random)).Centre;
            (good, bad) = centre > one.Change / 2 ? (good, middle) : (middle, bad);
            rounds += ProvingRounds;
        }

        return (bad == culprit, 2 * rounds);
    }

    private static double[] Rounds(int count, double level, double noise, SeededRandom random) =>
        [.. Enumerable.Range(0, count).Select(_ => level + (noise * random.NextNormal()))];
}
