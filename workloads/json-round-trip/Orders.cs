using System.Globalization;

namespace PerfLab.Workloads.JsonRoundTrip;

/// <summary>The same documents in every launch on every runtime: the generator is spelled out here, because System.Random may change.</summary>
internal sealed class Orders
{
    private static readonly string[] Words = ["bolt", "washer", "Schraube", "nut", "plate", "tuyau", "hinge", "клапан", "gasket", "spring", "ネジ", "bearing", "\"O\" ring", "rod & cap"];
    private static readonly string[] Cities = ["Malmö", "Łódź", "Porto", "Zürich", "Oslo", "São Paulo", "Kyoto", "Delft"];

    private ulong _state = 0x9E3779B97F4A7C15;

    public static Order[] Generate(int count)
    {
        var orders = new Orders();
        return [.. Enumerable.Range(0, count).Select(_ => orders.Next())];
    }

    private Order Next()
    {
        var lines = Enumerable.Range(0, 1 + Below(12)).Select(_ => NextLine()).ToList();
        return new Order
        {
            Id = new Guid(Below(int.MaxValue), (short)Below(short.MaxValue), (short)Below(short.MaxValue), 1, 2, 3, 4, 5, 6, 7, 8),
            Placed = new DateTimeOffset(2024, 1, 1, 0, 0, 0, TimeSpan.FromHours(Below(5))).AddMilliseconds(Below(int.MaxValue)),
            Customer = new Customer { Number = Below(int.MaxValue) * 7L, Name = Text(2), Email = $"{Words[0]}{Below(10_000).ToString(CultureInfo.InvariantCulture)}@example.org", City = Pick(Cities) },
            Lines = lines,
            Labels = Enumerable.Range(0, Below(5)).ToDictionary(number => "label" + number.ToString(CultureInfo.InvariantCulture), _ => Pick(Words), StringComparer.Ordinal),
            Total = lines.Sum(line => line.Price * line.Quantity),
            Express = Below(4) == 0,
            Note = Below(3) == 0 ? null : Text(6 + Below(20)),
        };
    }

    private Line NextLine() => new()
    {
        Article = "A-" + Below(100_000).ToString("D5", CultureInfo.InvariantCulture),
        Description = Text(2 + Below(6)),
        Quantity = 1 + Below(20),
        Price = Below(100_000) / 100m,
        Weight = Below(10_000) / 64.0,
    };

    private string Text(int words) => string.Join(' ', Enumerable.Range(0, words).Select(_ => Pick(Words)));

    private string Pick(string[] from) => from[Below(from.Length)];

    // xorshift64*, Vigna 2014; the upper half, and the small bias of the remainder does not matter here.
    private int Below(int limit)
    {
        _state ^= _state >> 12;
        _state ^= _state << 25;
        _state ^= _state >> 27;
        return (int)(((_state * 2685821657736338717) >> 32) % (ulong)limit);
    }
}
