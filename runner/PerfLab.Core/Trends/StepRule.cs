namespace PerfLab.Core.Trends;

/// <summary>What a series' values are, and so what a step in it has to prove (docs/internals/statistics-method.md, "Trend details").</summary>
/// <param name="Least">z of a step in a series of one point.</param>
/// <param name="PerLog">More of it for each unit of ln(points): a longer series has more places for chance.</param>
/// <param name="Reach">Points on each side that prove a step.</param>
/// <param name="MeasuresLikeness">Whether neighbours may be alike; otherwise they are independent by design.</param>
/// <param name="LeastPoints">Fewer points are not searched.</param>
public sealed record StepRule(double Least, double PerLog, int Reach, bool MeasuresLikeness, int LeastPoints)
{
    /// <summary>
    /// Ratios against an anchor: independent by design. z is what one in a hundred series without a step exceeds, on independent noise of
    /// nine shapes and 12 to 800 points (PerfLab.Calibration --steps simulates five). Of fewer than 13 points hardly an order is so rare.
    /// </summary>
    public static StepRule Ratios { get; } = new(2.8, 0.14, int.MaxValue, MeasuresLikeness: false, LeastPoints: 13);

    /// <summary>
    /// Raw values, one commit after another: the machine's weather is in them, neighbours are alike, and levels wander. z as above, to
    /// 1,600 points. Within a reach of 20 four points of a side can prove a step, three can't; chosen on one half of the published series
    /// (results/public-series.md). Below 60 points the search finds too little to be worth an answer.
    /// </summary>
    public static StepRule Raw { get; } = new(2.5, 0.15, 20, MeasuresLikeness: true, LeastPoints: 60);

    /// <summary>
    /// How the chance falls above the bound: so much more of the squared z makes it smaller by a factor of e. From where one in a hundred
    /// and one in a thousand simulated ratios lie, 1.0 to 2.3 by shape and points: no p of one in a thousand is more than a third too small.
    /// </summary>
    public const double Fall = 1.9;

    /// <summary>z that one in a hundred series without a step exceeds.</summary>
    public double Bound(int points) => Least + (PerLog * Math.Log(points));

    /// <summary>Chance that a series without a step has one that is proven so well.</summary>
    public double PValue(double strength, int points)
    {
        var bound = Bound(points);
        return 0.01 * Math.Exp(-((strength * strength) - (bound * bound)) / Fall);
    }
}
