namespace PerfLab.Reports.Text;

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

    /// <summary>
    /// "+3.1 % [+2.4, +3.8]", all three with the same decimals; "-" without a change, no brackets without an interval. From twice on in words,
    /// "2.03x faster [2.00, 2.05]": nobody reads "+20960 %" as 210 times slower, or a throughput that fell to a half as "+100 %".
    /// </summary>
    public static string Change(double? change, double? low, double? high, string unit)
    {
        if (change is not { } centre)
        {
            return "-";
        }

        if (Times(centre, low, high, unit) is { } times)
        {
            return times;
        }

        if (low is not { } from || high is not { } to)
        {
            return $"{Sign(centre, Decimals(centre))} %";
        }

        var decimals = Decimals(centre, from, to);
        return $"{Sign(centre, decimals)} % [{Sign(from, decimals)}, {Sign(to, decimals)}]";
    }

    /// <summary>What + means: "slower", or "worse" for metrics that are neither a time nor a rate.</summary>
    public static string Worse(string unit) => IsSpeed(unit) ? "slower" : "worse";

    // Null below twice, and where a ratio would be infinite.
    private static string? Times(double change, double? low, double? high, string unit)
    {
        var isWorse = change > 0;
        double Ratio(double fraction) => isWorse ? 1 + fraction : 1 / (1 + fraction);
        if (!(Ratio(change) >= 2) || !double.IsFinite(Ratio(change)))
        {
            return null;
        }

        var word = isWorse ? Worse(unit) : IsSpeed(unit) ? "faster" : "better";
        var (from, to) = isWorse ? (low, high) : (high, low);
        var interval = from is { } least && to is { } most && double.IsFinite(Ratio(least)) && double.IsFinite(Ratio(most))
            ? $" [{Factor(Ratio(least))}, {Factor(Ratio(most))}]"
            : "";
        return $"{Factor(Ratio(change))}x {word}{interval}";
    }

    /// <summary>
    /// Two ends as they belong to a change in words: "11.0 to 13.1 %" of "12.3 % slower", "5.4 to 5.7 %" of "5.6 % faster", "109 to 210x"
    /// of "152x slower". Signed, + is slower or worse, where they don't lie on one side: "-0.6 to +2.1 %".
    /// </summary>
    /// <param name="change">The change between them; null: their signs say which way they go.</param>
    /// <param name="low">The better end, as a fraction above -1.</param>
    /// <param name="high">The worse end, as a fraction above -1.</param>
    public static string Range(double? change, double low, double high)
    {
        if (change is { } centre && centre != 0)
        {
            var isWorse = centre > 0;
            double Ratio(double fraction) => isWorse ? 1 + fraction : 1 / (1 + fraction);
            var (least, most) = isWorse ? (low, high) : (high, low);
            if (Ratio(centre) >= 2 && double.IsFinite(Ratio(least)) && double.IsFinite(Ratio(most)))
            {
                return $"{Factor(Ratio(least))} to {Factor(Ratio(most))}x";
            }

            if (isWorse ? low >= 0 : high <= 0)
            {
                var places = Decimals(low, high);
                return $"{Plain(Math.Abs(least), places)} to {Plain(Math.Abs(most), places)} %";
            }
        }

        var decimals = Decimals(low, high);
        return $"{Sign(low, decimals)} to {Sign(high, decimals)} %";
    }

    private static string Factor(double ratio) =>
        ratio.ToString(ratio switch { >= 100 => "F0", >= 10 => "F1", _ => "F2" }, CultureInfo.InvariantCulture);

    /// <summary>
    /// "2.0x faster", "3.1 % slower"; "better" and "worse" for metrics that are neither a time nor a rate. The change of a rate is that
    /// of the time for one piece: "3.1 % slower" is 3.1 % more time, the throughput divided by 1.031.
    /// </summary>
    public static string InWords(double change, string unit)
    {
        var word = Way(change, unit);
        var ratio = change > 0 ? 1 + change : 1 / (1 + change);
        if (ratio >= 2)
        {
            // A reference of 0 gives no ratio that means anything.
            return double.IsFinite(ratio) ? $"{ratio.ToString(ratio >= 100 ? "F0" : "F1", CultureInfo.InvariantCulture)}x {word}" : $"100 % {word}";
        }

        return change == 0 ? "the same" : $"{Of(Math.Abs(change))} {word}";
    }

    /// <summary>"slower", "faster"; "worse" and "better" for metrics that are neither a time nor a rate.</summary>
    public static string Way(double change, string unit) =>
        (IsSpeed(unit), change > 0) switch { (true, true) => "slower", (true, _) => "faster", (_, true) => "worse", _ => "better" };

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
