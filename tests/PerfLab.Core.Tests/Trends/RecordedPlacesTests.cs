using PerfLab.Core.Model;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Trends;

/// <summary>tests/fixtures/steps: where an independent implementation in numpy finds steps in 10,000 made-up series.</summary>
public sealed class RecordedPlacesTests
{
    private const int Block = 100;

    // Twenty seconds for all of them.
    private static readonly int Series = Nightly.IsAsked ? 10_000 : 1_500;

    [Fact]
    public void series_have_the_places_that_an_independent_implementation_found()
    {
        List<int>[] found = [.. Enumerable.Range(0, Series).AsParallel().AsOrdered().Select(number => Places(number).ToList())];
        var (hash, lines, blocks) = (14695981039346656037UL, new List<string>(), new List<string>());
        foreach (var (number, places) in found.Index())
        {
            lines.Add(string.Join(' ', [number, .. places]));
            // FNV-1a of whole numbers.
            foreach (var value in (int[])[places.Count, .. places])
            {
                hash = (hash ^ (ulong)value) * 1099511628211UL;
            }

            if (number % Block == Block - 1)
            {
                blocks.Add(FormattableString.Invariant($"to {number}: {hash:x16}"));
            }
        }

        var recorded = Repository.Read("tests/fixtures/steps/places.txt").Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .ToLookup(line => line.StartsWith("to ", StringComparison.Ordinal));
        lines.Take(recorded[false].Count()).ShouldBe(recorded[false]);
        blocks.ShouldBe(recorded[true].Take(Series / Block), "the first block that differs holds the series");
        found.Count(places => places.Count > 0).ShouldBeGreaterThan(Series / 4, "a series without a step says little");
    }

    private static IEnumerable<int> Places(int number)
    {
        var (isRaw, values) = Made(number);
        return (isRaw ? ChangePoints.OfRaw(values) : ChangePoints.Of(values)).Select(change => change.Index);
    }

    /// <summary>As places.py makes it: whole numbers, noise the sum of four draws of 20 bits.</summary>
    private static (bool IsRaw, double[] Values) Made(int number)
    {
        var random = new SeededRandom((ulong)number);
        int Few(int count) => (int)(random.NextUInt64() % (ulong)count);
        long Noise() => Enumerable.Range(0, 4).Sum(_ => (long)(random.NextUInt64() >> 44)) - (1 << 21);
        var (isRaw, shape) = (number / 6 % 2 == 1, number % 6);
        var level = new long[isRaw ? 60 + Few(240) : 13 + Few(200)];
        for (var steps = Few(4); steps > 0; steps--)
        {
            var (place, size) = (Few(level.Length), 3 * Noise());
            for (var at = place; at < level.Length; at++)
            {
                level[at] += size;
            }
        }

        var (values, last) = (new double[level.Length], 0L);
        for (var at = 0; at < values.Length; at++)
        {
            var one = Noise();
            switch (shape)
            {
                case 1 when Few(16) == 0:
                    one *= 8;
                    break;
                case 3 when Few(4) == 0:
                    one += 3 << 20;
                    break;
                case 4:
                    one = last = one + ((5 * last) >> 3);
                    break;
                case 5:
                    last += Noise() >> 3;
                    one += last;
                    break;
            }

            values[at] = (one + level[at]) >> (shape == 2 ? 19 : 0);
        }

        return (isRaw, values);
    }
}
