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
        // Begins that may still be best, in order; until which end; what each costs at the end that is looked at.
        var (open, until, costs, opened) = (new int[count], new int[count], new double[count], 0);
        best[0] = -price;
        for (var end = LeastPart; end <= count; end++)
        {
            if (end - LeastPart is var next && next is 0 or >= LeastPart)
            {
                (open[opened++], until[next]) = (next, int.MaxValue);
            }

            var (kept, least) = (0, double.PositiveInfinity);
            for (var at = 0; at < opened; at++)
            {
                var begin = open[at];
                if (until[begin] <= end)
                {
                    continue;
                }

                var sum = sums[end] - sums[begin];
                var cost = best[begin] + (squares[end] - squares[begin]) - (sum * sum / (end - begin));
                (open[kept], costs[kept++]) = (begin, cost);
                if (cost < least)
                {
                    (least, back[end]) = (cost, begin);
                }
            }

            (opened, best[end]) = (kept, least + price);
            // A cut at this end would be better, from when on a level may lie between.
            var beyond = best[end] + (Rounding * squares[count]);
            for (var at = 0; at < opened; at++)
            {
                if (costs[at] > beyond)
                {
                    until[open[at]] = Math.Min(until[open[at]], end + LeastPart);
                }
            }
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
}
