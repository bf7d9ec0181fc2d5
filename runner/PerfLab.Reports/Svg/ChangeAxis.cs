using PerfLab.Reports.Text;

namespace PerfLab.Reports.Svg;

/// <summary>
/// From changes to places between 0 and 1: even in log units, so that twice as fast is as far from no change as twice as slow. Ticks are
/// round
/// percents, and factors where the changes go beyond.
/// </summary>
public sealed class ChangeAxis
{
    private const double Room = 0.06;

    /// <summary>ln 4: from a quarter less to three times more, percents still read well.</summary>
    private const double PercentUpTo = 1.386;
    private const int MostTicks = 7;

    /// <summary>Changes beyond a factor of e^600 have no double to be written with.</summary>
    private const double Farthest = 600;

    private readonly double _low, _high;

    private ChangeAxis(double low, double high, IReadOnlyList<(double Place, string Label)> ticks) => (_low, _high, Ticks) =
        (low, high, ticks);

    /// <summary>Place and label: "-10 %", "0", "4x slower".</summary>
    public IReadOnlyList<(double Place, string Label)> Ticks { get; }

    public double Place(double logRatio) => (Math.Clamp(logRatio, -Farthest, Farthest) - _low) / (_high - _low);

    /// <param name="logRatios">What is to be shown; no change is shown always.</param>
    /// <param name="unit">Of the metric: says what worse means.</param>
    public static ChangeAxis Of(IEnumerable<double> logRatios, string unit)
    {
        var (low, high) = logRatios.Where(double.IsFinite).Select(one => Math.Clamp(one, -Farthest, Farthest))
            .Aggregate((Low: 0.0, High: 0.0), (range, one) => (Math.Min(range.Low, one), Math.Max(range.High, one)));
        var room = Math.Max(Room * (high - low), 0.0005);
        (low, high) = (low - room, high + room);
        var axis = new ChangeAxis(low, high, []);
        return new(low, high, [.. (high - low <= PercentUpTo ? Percents(low, high) : Factors(low, high, unit))
            .Select(tick => (axis.Place(tick.Log), tick.Label))]);
    }

    private static IEnumerable<(double Log, string Label)> Percents(double low, double high)
    {
        var (from, to) = (Math.Exp(low) - 1, Math.Exp(high) - 1);
        var step = Step((to - from) / MostTicks);
        for (var index = (int)Math.Ceiling(from / step); index * step <= to; index++)
        {
            yield return (Math.Log(1 + (index * step)), index == 0 ? "0" : Signed(index * step, step));
        }
    }

    private static string Signed(double fraction, double step)
    {
        var decimals = Math.Clamp((int)Math.Ceiling(-Math.Log10(step * 100) - 1e-9), 0, 6);
        return (fraction > 0 ? "+" : "") + (100 * fraction).ToString("F" + decimals.ToString(CultureInfo.InvariantCulture),
            CultureInfo.InvariantCulture) + " %";
    }

    private static IEnumerable<(double Log, string Label)> Factors(double low, double high, string unit)
    {
        var isSpeed = Percent.Worse(unit) == "slower";
        var powers = Math.Max(1, (int)Math.Ceiling((high - low) / Math.Log(2) / MostTicks));
        for (var index = (int)Math.Ceiling(low / (powers * Math.Log(2))); index * powers * Math.Log(2) <= high; index++)
        {
            var factor = Math.Pow(2, Math.Abs(index) * powers);
            var shown = factor.ToString(factor < 1e6 ? "0" : "0.#E+0", CultureInfo.InvariantCulture);
            yield return (index * powers * Math.Log(2), index == 0 ? "0"
                : $"{shown}x {(index > 0 ? Percent.Worse(unit) : isSpeed ? "faster" : "better")}");
        }
    }

    /// <summary>1, 2 or 5 times a power of ten, at least as large.</summary>
    private static double Step(double least)
    {
        var power = Math.Pow(10, Math.Floor(Math.Log10(least)));
        return new[] { 1, 2, 5, 10 }.Select(mantissa => mantissa * power).First(step => step >= least * 0.9999999);
    }
}
