namespace PerfLab.Reports.Svg;

/// <summary>
/// From values to places between 0 and 1, with ticks at round numbers. Logarithmic where the values span decades; a linear axis begins at 0
/// unless that would squeeze everything that differs into its upper part.
/// </summary>
public sealed class Axis
{
    /// <summary>Largest to smallest: from here on a linear axis would hide the small ones.</summary>
    private const double LogFrom = 30;

    /// <summary>When the smallest value is above this share of the largest, the axis shows where they differ.</summary>
    private const double ZoomFrom = 0.6;

    private Axis(double low, double high, bool isLog, IReadOnlyList<double> ticks) => (Low, High, IsLog, Ticks) = (low, high, isLog, ticks);

    public double Low { get; }
    public double High { get; }
    public bool IsLog { get; }
    public IReadOnlyList<double> Ticks { get; }

    /// <summary>Worth a word to the reader.</summary>
    public bool HidesZero => !IsLog && Low > 0;

    public double Place(double value) => IsLog
        ? (Math.Log(value) - Math.Log(Low)) / (Math.Log(High) - Math.Log(Low))
        : (value - Low) / (High - Low);

    /// <summary>For measured values, none below 0.</summary>
    public static Axis Of(IReadOnlyCollection<double> values)
    {
        var (least, most) = values.Count == 0 ? (0, 1) : (values.Min(), values.Max());
        if (SpansDecades(values))
        {
            return Logarithmic(least, most);
        }

        if (most <= 0)
        {
            most = 1;
        }

        var from = least >= ZoomFrom * most ? least - (0.15 * Math.Max(most - least, most * 0.02)) : 0;
        return Linear(from, most + (0.01 * (most - from)));
    }

    public static bool SpansDecades(IReadOnlyCollection<double> values) => values.Count > 0 && values.Min() > 0 && values.Max() / values.Min() >= LogFrom;

    /// <summary>For the numbers along a sweep: the scale on which they lie more evenly, ticks at the numbers themselves where there is room.</summary>
    public static Axis Along(IReadOnlyCollection<double> numbers)
    {
        double[] sorted = [.. numbers.Distinct().Order()];
        var isLog = sorted[0] > 0 && sorted[^1] / sorted[0] >= 10 && Gap([.. sorted.Select(number => Math.Log(number))]) < Gap(sorted);
        var margin = 0.04;
        if (isLog)
        {
            var factor = Math.Pow(sorted[^1] / sorted[0], margin);
            var axis = new Axis(sorted[0] / factor, sorted[^1] * factor, true, []);
            return new(axis.Low, axis.High, true, WithRoom(sorted, axis));
        }

        var spread = sorted[^1] - sorted[0];
        var pad = margin * (spread > 0 ? spread : Math.Max(Math.Abs(sorted[0]), 1));
        var linear = new Axis(sorted[0] - pad, sorted[^1] + pad, false, []);
        return new(linear.Low, linear.High, false, WithRoom(sorted, linear));
    }

    /// <summary>Time from 0 on.</summary>
    public static Axis Time(double seconds) => new(0, seconds, false, Linear(0, seconds, parts: 8).Ticks.Where(tick => tick <= seconds * 1.0001).ToList());

    /// <summary>"0", "2.5", "1,000" would be read in two ways: no thousands marks.</summary>
    public static string Label(double tick) => tick.ToString(Math.Abs(tick) is >= 1e7 or (> 0 and < 1e-4) ? "0.##E+0" : "0.######", CultureInfo.InvariantCulture);

    private static Axis Linear(double from, double to, int parts = 5)
    {
        var step = Step((to - from) / parts);
        var (first, last) = (Math.Floor(from / step), Math.Ceiling(to / step));
        return new(first * step, last * step, false,
            [.. Enumerable.Range(0, (int)(last - first) + 1).Select(index => Math.Round((first + index) * step, 12))]);
    }

    private static Axis Logarithmic(double least, double most)
    {
        var (low, high) = ((int)Math.Floor(Math.Log10(least)), (int)Math.Ceiling(Math.Log10(most)));
        double[] mantissas = high - low <= 3 ? [1, 2, 5] : [1];
        double[] all = [.. Enumerable.Range(low, high - low + 1).SelectMany(decade => mantissas.Select(mantissa => mantissa * Math.Pow(10, decade)))];
        var (first, last) = (all.Last(tick => tick <= least * 1.0000001), all.First(tick => tick >= most * 0.9999999));
        return new(first, last, true, [.. all.Where(tick => tick >= first && tick <= last)]);
    }

    /// <summary>1, 2 or 5 times a power of ten, at least as large.</summary>
    private static double Step(double least)
    {
        var power = Math.Pow(10, Math.Floor(Math.Log10(least)));
        return new[] { 1, 2, 5, 10 }.Select(mantissa => mantissa * power).First(step => step >= least * 0.9999999);
    }

    /// <summary>The largest empty stretch, as a share of the whole.</summary>
    private static double Gap(double[] sorted) => sorted.Length < 2 ? 1
        : sorted.Zip(sorted.Skip(1), (one, next) => next - one).Max() / (sorted[^1] - sorted[0]);

    private static List<double> WithRoom(double[] numbers, Axis axis)
    {
        var shown = new List<double>();
        foreach (var number in numbers)
        {
            if (shown.Count == 0 || axis.Place(number) - axis.Place(shown[^1]) >= 0.055)
            {
                shown.Add(number);
            }
        }

        return shown;
    }
}
