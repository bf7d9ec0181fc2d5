using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>Paired differences as text that every reader, mail and phone can show: digits where the rounds lie, a bar where nothing changed; below it its two ends.</summary>
public static class PairStrip
{
    public const string Legend = "One strip a row. A digit says how many rounds lie there (+ is ten or more); the bar is no change, to its right is slower or worse.";

    // With the bar 37 characters: more would be cut off on a phone, where a fence is about 40 wide.
    private const int Columns = 36;

    /// <summary>"1·|···2531··" above "-0.4 %  +9.1 %": from the best round, or no change, to the worst.</summary>
    /// <param name="pairs">Log ratios, + is worse. At least one.</param>
    public static string Of(IReadOnlyList<double> pairs)
    {
        var (low, high) = (Math.Min(0, pairs.Min()), Math.Max(0, pairs.Max()));
        var width = high - low;
        var left = width > 0 ? (int)Math.Round(-low / width * Columns) : 0;
        // Each side needs a column where it has a round.
        left = Math.Clamp(left, low < 0 ? 1 : 0, pairs.Any(pair => pair >= 0) ? Columns - 1 : Columns);
        var counts = new int[Columns];
        foreach (var pair in pairs)
        {
            counts[Column(pair, low, high, left)]++;
        }

        var strip = string.Concat(counts.Select(Sign));
        var (best, worst) = (Ends(low), Ends(high));
        return $"{strip[..left]}|{strip[left..]}\n{best}{worst.PadLeft(Math.Max(Columns + 1 - best.Length, worst.Length + 2))}";
    }

    private static int Column(double pair, double low, double high, int left)
    {
        if (pair < 0)
        {
            return Math.Clamp((int)((pair - low) / -low * left), 0, left - 1);
        }

        var right = Columns - left;
        return left + Math.Clamp(high > 0 ? (int)(pair / high * right) : 0, 0, right - 1);
    }

    private static char Sign(int rounds) => rounds switch { 0 => '\u00B7', < 10 => (char)('0' + rounds), _ => '+' };

    private static string Ends(double logRatio) => Percent.Change(Math.Exp(logRatio) - 1, null, null, "s");
}
