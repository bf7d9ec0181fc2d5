namespace PerfLab.Launching.Turns;

/// <summary>What a program says at the end of its warm-up ("warm") and of each slice ("slice 51200 50113021 49870001").</summary>
/// <param name="Work">Units of work in the slice.</param>
/// <param name="Seconds">How long it took.</param>
/// <param name="ProcessorSeconds">Of all threads; null where the program can't tell.</param>
internal sealed record TurnSlice(double Work, double Seconds, double? ProcessorSeconds)
{
    public const string Warm = "warm";

    private const double Nanoseconds = 1e9;

    /// <summary>From "slice WORK NANOSECONDS" and, where it is known, NANOSECONDS of processor time; null for anything else.</summary>
    public static TurnSlice? Parse(string line)
    {
        var words = line.Split(' ');
        return words is ["slice", var work, var took, ..] && words.Length <= 4
            && Count(work) is > 0 and var units && Count(took) is > 0 and var time
            ? words.Length == 3 ? new(units, time / Nanoseconds, null)
                : Count(words[3]) is { } processor ? new(units, time / Nanoseconds, processor / Nanoseconds) : null
            : null;
    }

    private static double? Count(string digits) =>
        digits.Length <= 18 && long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;
}
