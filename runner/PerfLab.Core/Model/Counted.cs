namespace PerfLab.Core.Model;

/// <summary>A count with its noun: "1 round", "13 rounds", "2 launches".</summary>
public static class Counted
{
    /// <param name="count">At least 0.</param>
    /// <param name="noun">In the singular; "launch" becomes "launches", every other takes an s.</param>
    public static string Of(long count, string noun)
    {
        var plural = noun.EndsWith("ch", StringComparison.Ordinal) ? noun + "es" : noun + "s";
        return Invariant($"{count} {(count == 1 ? noun : plural)}");
    }
}
