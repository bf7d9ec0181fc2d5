using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Looks;

namespace PerfLab.Calibration;

/// <summary>Simulates the tables of <see cref="LookTables"/>: random orders and signs, looked at several times while they grow.</summary>
public static class LookSimulation
{
    /// <summary>Paths of one generator.</summary>
    private const int Portion = 10_000;

    /// <summary>Fewer say too little of a place.</summary>
    private const int LeastSeen = 400;

    private const int Places = 100;

    /// <summary>P(any look's z >= z of the place), as long as enough paths were seen there; rounded up to four digits.</summary>
    public static IReadOnlyList<double> Tail(IReadOnlyList<int> looks, int paths, Run run)
    {
        var name = FormattableString.Invariant($"looks {string.Join(' ', looks)}");
        var seen = SeededRuns.Sum(run.Repeat(name, paths / Portion, Places), () =>
        {
            var path = new LookPath(looks);
            return (random, counters) =>
            {
                for (var i = 0; i < Portion; i++)
                {
                    var largest = path.Largest(random);
                    for (var place = 0; place < Places && LookTables.At(place) <= largest; place++)
                    {
                        counters[place]++;
                    }
                }
            };
        });
        return [.. seen.TakeWhile(count => count >= LeastSeen).Select(count => RoundUp((double)count / paths))];
    }

    private static double RoundUp(double share)
    {
        var unit = Math.Pow(10, Math.Floor(Math.Log10(share)) - 3);
        return Math.Round(Math.Ceiling(share / unit) * unit, 8);
    }
}

/// <summary>One run without a change, as the looks see it. Keeps its buffers, so it belongs to one thread.</summary>
public sealed class LookPath(IReadOnlyList<int> looks)
{
    private readonly ulong[] _sizes = new ulong[looks[^1]];
    private readonly double[] _deviations = [.. looks.Select(LookPlan.Deviation)];

    /// <summary>The largest z of all looks.</summary>
    public double Largest(SeededRandom random)
    {
        var (largest, look) = (double.NegativeInfinity, 0);
        for (var count = 0; count < _sizes.Length; count++)
        {
            // Sorted by size; the lowest bit is the sign.
            var next = random.NextUInt64();
            var place = count;
            for (; place > 0 && _sizes[place - 1] > next; place--)
            {
                _sizes[place] = _sizes[place - 1];
            }

            _sizes[place] = next;
            if (count + 1 == looks[look])
            {
                var sum = 0;
                for (var rank = 0; rank <= count; rank++)
                {
                    sum += (_sizes[rank] & 1) == 1 ? rank + 1 : -rank - 1;
                }

                largest = Math.Max(largest, sum / _deviations[look]);
                look++;
            }
        }

        return largest;
    }
}
