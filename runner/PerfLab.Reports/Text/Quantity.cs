using System.Text.RegularExpressions;

namespace PerfLab.Reports.Text;

/// <summary>Values with units for people: "12.41 ms", "412.0 k/s", four significant digits, one prefix for the values of a row.</summary>
public static partial class Quantity
{
    private const int SignificantDigits = 4;

    /// <summary>Outside of these a number written out is a row of zeros.</summary>
    private const double LeastPlain = 1e-6, MostPlain = 1e15;

    private static readonly (double Factor, string Symbol)[] Prefixes =
        [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")];

    /// <summary>
    /// Formats the values of one row with one prefix, chosen by the smaller, so that neither loses digits. Only units that take SI
    /// prefixes get them ("s", "B/doc"); counts and rates get k, M, G ("51.20 k doc/s"); what has a prefix already stays ("ms").
    /// </summary>
    public static IReadOnlyList<string> Format(string unit, params IReadOnlyList<double?> values)
    {
        var smallest = values.Where(value => value is { } number && number != 0).Select(value => Math.Abs(value!.Value)).DefaultIfEmpty(1).Min();
        var (factor, symbol) = PrefixFor(unit, smallest);
        if (values.Any(value => !double.IsFinite((value ?? 0) / factor)))
        {
            (factor, symbol) = (1, "");
        }

        return [.. values.Select(value => value is { } number && double.IsFinite(number) ? $"{Digits(number / factor)}{Suffix(unit, symbol)}" : "-")];
    }

    /// <summary>The unit of an axis that shows numbers as large as this, "M msg/s", and what to divide them by.</summary>
    public static (double Factor, string Unit) Scale(string unit, double magnitude)
    {
        var (factor, symbol) = PrefixFor(unit, magnitude);
        return (factor, Suffix(unit, symbol).Trim());
    }

    /// <summary>All digits and no prefix: exact metrics may differ in the last one.</summary>
    public static string Exact(string unit, double? value) =>
        value is { } number ? number.ToString("R", CultureInfo.InvariantCulture) + Suffix(unit, "") : "-";

    private static (double Factor, string Symbol) PrefixFor(string unit, double magnitude)
    {
        if (unit is "%" or "ratio" || Prefixed().IsMatch(unit))
        {
            return (1, "");
        }

        var rounded = RoundToSignificant(magnitude);
        var least = IsSi(unit) && !unit.StartsWith('B') ? 1e-9 : 1; // no milli-bytes
        foreach (var prefix in Prefixes)
        {
            if (prefix.Factor >= least && rounded >= prefix.Factor)
            {
                return prefix;
            }
        }

        return least < 1 ? (1e-9, "n") : (1, "");
    }

    private static string Suffix(string unit, string symbol) => unit switch
    {
        "" => symbol.Length == 0 ? "" : $" {symbol}",
        "1/s" or "/s" => $" {symbol}/s",
        _ => IsSi(unit) || symbol.Length == 0 ? $" {symbol}{unit}" : $" {symbol} {unit}",
    };

    private static string Digits(double value)
    {
        var rounded = RoundToSignificant(value);
        if (rounded != 0 && Math.Abs(rounded) is < LeastPlain or >= MostPlain)
        {
            return rounded.ToString("0.###E+0", CultureInfo.InvariantCulture);
        }

        var decimals = rounded == 0 ? 0 : Math.Clamp(SignificantDigits - 1 - (int)Math.Floor(Math.Log10(Math.Abs(rounded))), 0, 9);
        return rounded.ToString("F" + decimals.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
    }

    // Through the decimal text: 999.96 must become 1000 before the decimals are chosen, and log10 alone is off at powers of ten.
    private static double RoundToSignificant(double value) =>
        double.Parse(value.ToString("E3", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture) is var rounded && double.IsFinite(rounded) ? rounded : value;

    private static bool IsSi(string unit) => Si().IsMatch(unit);

    [GeneratedRegex("^(s|B|Hz|J|W|bit)(/.*)?$", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Si();

    [GeneratedRegex("^([numkMGTµ]s|[kMGTK]i?B|[kMGT]Hz|[numkMµ][JW]|[kMGT]bit)(/.*)?$", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Prefixed();
}
