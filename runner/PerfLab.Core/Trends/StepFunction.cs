using System.Numerics;

namespace PerfLab.Core.Trends;

/// <summary>
/// The step function that lies closest to a series: its squared distances plus a price for each cut are least. Exact: optimal
/// partitioning (Jackson and others, "An algorithm for optimal partitioning of data on an interval", 2005), with the begins that can't be
/// best any more left out (PELT: Killick, Fearnhead and Eckley, "Optimal detection of changepoints with a linear computational cost", 2012).
/// </summary>
public static class StepFunction
{
    /// <summary>A level has at least so many points.</summary>
    public const int LeastPart = 4;

    /// <summary>Costs closer than this share of all squares are one, and both begins stay.</summary>
    private const double Rounding = 1e-9;

    /// <summary>The first point of every level but the first, rising.</summary>
    public static List<int> Cuts(ReadOnlySpan<double> values, double price)
    {
        var count = values.Length;
        if (count < 2 * LeastPart)
        {
            return [];
        }

        var (sums, squares) = Sums(values);
        // Of the best function up to each end, and the begin of its last level.
        var (best, back) = (new double[count + 1], new int[count + 1]);
        best[0] = -price;
        var open = new Begins(count);
        for (var end = LeastPart; end <= count; end++)
        {
            if (end - LeastPart is var begin && begin is 0 or >= LeastPart)
            {
                open.Add(begin, best[begin], sums[begin], squares[begin]);
            }

            (best[end], back[end]) = open.Least(end, sums[end], squares[end]);
            best[end] += price;
            open.Leave(end, best[end] + (Rounding * squares[count]));
        }

        List<int> cuts = [];
        for (var begin = back[count]; begin > 0; begin = back[begin])
        {
            cuts.Add(begin);
        }

        cuts.Reverse();
        return cuts;
    }

    /// <summary>Of the values and their squares before each place, less the mean.</summary>
    private static (double[] Values, double[] Squares) Sums(ReadOnlySpan<double> values)
    {
        var mean = 0.0;
        foreach (var value in values)
        {
            mean += value / values.Length;
        }

        var (sums, squares) = (new double[values.Length + 1], new double[values.Length + 1]);
        for (var at = 0; at < values.Length; at++)
        {
            var value = values[at] - mean;
            (sums[at + 1], squares[at + 1]) = (sums[at] + value, squares[at] + (value * value));
        }

        return (sums, squares);
    }

    /// <summary>
    /// Begins of the last level that may still be best, rising. Several at once go through the processor; behind the last one stand begins
    /// that cost more than any.
    /// </summary>
    private sealed class Begins
    {
        private readonly double[] _places, _best, _sums, _squares, _costs;
        private readonly int[] _until;
        private int _count, _firstLeaves = int.MaxValue;

        public Begins(int most)
        {
            var room = most + Vector<double>.Count;
            (_places, _best, _sums, _squares, _costs, _until) =
                (new double[room], new double[room], new double[room], new double[room], new double[room], new int[room]);
            Array.Fill(_best, double.PositiveInfinity);
        }

        public void Add(int place, double best, double sum, double square) => Put(_count++, place, best, sum, square, int.MaxValue);

        /// <summary>The least cost of a function whose last level ends here, and the first begin that has it.</summary>
        public (double Cost, int Begin) Least(int end, double sum, double square)
        {
            var (here, sumHere, squareHere) = (new Vector<double>(end), new Vector<double>(sum), new Vector<double>(square));
            var least = new Vector<double>(double.PositiveInfinity);
            for (var at = 0; at < _count; at += Vector<double>.Count)
            {
                var apart = sumHere - new Vector<double>(_sums, at);
                var cost = new Vector<double>(_best, at) + (squareHere - new Vector<double>(_squares, at))
                    - (apart * apart / (here - new Vector<double>(_places, at)));
                cost.CopyTo(_costs, at);
                least = Vector.Min(least, cost);
            }

            var lowest = least[0];
            for (var lane = 1; lane < Vector<double>.Count; lane++)
            {
                lowest = Math.Min(lowest, least[lane]);
            }

            return (lowest, (int)_places[Array.IndexOf(_costs, lowest, 0, _count)]);
        }

        /// <summary>
        /// A begin that costs more than a cut at this end would is never best again, from where on a level can lie between.
        /// </summary>
        public void Leave(int end, double beyond)
        {
            var limit = new Vector<double>(beyond);
            for (var block = 0; block < _count; block += Vector<double>.Count)
            {
                var last = Vector.GreaterThanAny(new Vector<double>(_costs, block), limit) ? Math.Min(_count, block + Vector<double>.Count) : 0;
                for (var at = block; at < last; at++)
                {
                    if (_costs[at] > beyond && _until[at] == int.MaxValue)
                    {
                        (_until[at], _firstLeaves) = (end + LeastPart, Math.Min(_firstLeaves, end + LeastPart));
                    }
                }
            }

            if (end + 1 < _firstLeaves)
            {
                return;
            }

            var (stay, all) = (0, _count);
            _firstLeaves = int.MaxValue;
            for (var at = 0; at < all; at++)
            {
                if (_until[at] > end + 1)
                {
                    _firstLeaves = Math.Min(_firstLeaves, _until[at]);
                    Put(stay++, _places[at], _best[at], _sums[at], _squares[at], _until[at]);
                }
            }

            Array.Fill(_best, double.PositiveInfinity, stay, all - stay);
            _count = stay;
        }

        private void Put(int at, double place, double best, double sum, double square, int until) =>
            (_places[at], _best[at], _sums[at], _squares[at], _until[at]) = (place, best, sum, square, until);
    }
}
