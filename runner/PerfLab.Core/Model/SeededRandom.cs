namespace PerfLab.Core.Model;

/// <summary>
/// A seeded generator whose sequence is the same on every platform and version, so that a plan or a simulation can be repeated
/// from its recorded seed. SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
/// </summary>
public sealed class SeededRandom(ulong seed)
{
    private ulong _state = seed;

    /// <summary>A generator of its own for one named purpose, independent of how often this one was asked before.</summary>
    public static SeededRandom For(ulong seed, string purpose)
    {
        // FNV-1a, 64 bit: mixes the purpose into the seed; SplitMix64 then scrambles it.
        var hash = 14695981039346656037UL;
        foreach (var character in purpose)
        {
            hash = (hash ^ character) * 1099511628211UL;
        }

        return new SeededRandom(new SeededRandom(seed ^ hash).NextUInt64());
    }

    public ulong NextUInt64()
    {
        var z = _state += 0x9E3779B97F4A7C15UL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
        return z ^ (z >> 31);
    }

    /// <summary>Uniform in [0, 1) with 53 bits.</summary>
    public double NextDouble() => (NextUInt64() >> 11) * (1.0 / (1UL << 53));

    /// <summary>Uniform in 0 … <paramref name="count"/> - 1, without modulo bias.</summary>
    public int Next(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        var limit = ulong.MaxValue - (ulong.MaxValue % (ulong)count);
        ulong draw;
        do
        {
            draw = NextUInt64();
        }
        while (draw >= limit);
        return (int)(draw % (ulong)count);
    }

    /// <summary>A random order of <paramref name="items"/>, every order equally likely (Fisher-Yates).</summary>
    public IReadOnlyList<T> Shuffle<T>(IEnumerable<T> items)
    {
        var order = items.ToArray();
        for (var last = order.Length - 1; last > 0; last--)
        {
            var other = Next(last + 1);
            (order[last], order[other]) = (order[other], order[last]);
        }

        return order;
    }

    /// <summary>A standard normal variate (Box-Muller, one of the pair).</summary>
    public double NextNormal() =>
        Math.Sqrt(-2 * Math.Log(1 - NextDouble())) * Math.Cos(2 * Math.PI * NextDouble());
}
