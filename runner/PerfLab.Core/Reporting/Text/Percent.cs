namespace PerfLab.Core.Reporting.Text;

/// <summary>Fractions as percent, signed where + means slower or worse, and in words.</summary>
public static class Percent
{
    /// <summary>"0.9 %", "0.04 %" below a tenth of a percent, "120 %" above a hundred; "-" for null.</summary>
    public static string Of(double? fraction) =>
        fraction is { } value ? $"{Plain(value, Decimals(value))} %" : "-";

    /// <summary>A constant as people write it, every digit and no more: 0.01 is "1 %", 0.001 is "0.1 %".</summary>
    public static string Constant(double fraction) =>
        // 15 digits keep 0.07 * 100 from showing up as 7.000000000000001.
        (fraction * 100).ToString("G15", CultureInfo.InvariantCulture) + " %";

    /// <summary>"+3.1 % [+2.4, +3.8]", all three with the same decimals; "-" without a change, no brackets without an interval.</summary>
    public static string Change(double? change, double? low, double? high)
    {
        if (change is not { } centre)
        {
            return "-";
        }

        if (low is not { } from || high is not { } to)
        {
            return $"{Sign(centre, Decimals(centre))} %";
        }

        var decimals = Decimals(centre, from, to);
        return $"{Sign(centre, decimals)} % [{Sign(from, decimals)}, {Sign(to, decimals)}]";
    }

    /// <summary>
    /// "2.0x faster", "3.1 % slower"; "better" and "worse" for metrics that are neither a time nor a rate. The change of a rate is that
    /// of the time for one piece: "3.1 % slower" is 3.1 % more time, the throughput divided by 1.031.
    /// </summary>
    public static string InWords(double change, string unit)
    {
        var (worse, better) = IsSpeed(unit) ? ("slower", "faster") : ("worse", "better");
        var word = change > 0 ? worse : better;
        var ratio = change > 0 ? 1 + change : 1 / (1 + change);
        if (ratio >= 2)
        {
            // A reference of 0 gives no ratio that means anything.
            return double.IsFinite(ratio) ? $"{ratio.ToString(ratio >= 100 ? "F0" : "F1", CultureInfo.InvariantCulture)}x {word}" : $"100 % {word}";
        }

        return change == 0 ? "the same" : $"{Of(Math.Abs(change))} {word}";
    }

    private static bool IsSpeed(string unit) =>
        unit.EndsWith("/s", StringComparison.Ordinal) || unit is "s" or "ms" or "µs" or "us" or "ns"
        || unit.StartsWith("s/", StringComparison.Ordinal) || unit.StartsWith("ms/", StringComparison.Ordinal)
        || unit.StartsWith("ns/", StringComparison.Ordinal) || unit.StartsWith("us/", StringComparison.Ordinal);

    private static int Decimals(params ReadOnlySpan<double> fractions)
    {
        var largest = 0.0;
        foreach (var fraction in fractions)
        {
            largest = Math.Max(largest, Math.Abs(fraction));
        }

        return largest switch
        {
            0 => 1,
            < 0.001 => 2,
            >= 1 => 0,
            _ => 1,
        };
    }

    private static string Plain(double fraction, int decimals) =>
        (fraction * 100).ToString("F" + decimals.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);

    private static string Sign(double fraction, int decimals)
    {
        var digits = Plain(Math.Abs(fraction), decimals);
        var isZero = digits.AsSpan().IndexOfAnyExcept('0', '.') < 0;
        return isZero ? digits : (fraction < 0 ? "-" : "+") + digits;
    }
}
