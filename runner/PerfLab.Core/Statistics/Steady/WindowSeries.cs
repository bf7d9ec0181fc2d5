using PerfLab.Core.Files;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>
/// The windows of one launch in order, warm-up first: what the kit writes as evidence.windows of a result, and the journal keeps.
/// </summary>
public sealed record WindowSeries
{
    /// <summary>More windows than any kit writes are not looked at: a journal may come from anywhere, and the slope takes n squared.</summary>
    public const int Most = 400;

    /// <summary>When each window ended, in seconds from the start of the first; rising.</summary>
    public required IReadOnlyList<double> Ends { get; init; }

    /// <summary>Units of work per second in each window; finite, from 0 on. The unit of work is the workload's own.</summary>
    public required IReadOnlyList<double> Rates { get; init; }

    /// <summary>Methods compiled in each window, all tiers; empty where the runtime can't tell (before .NET 6).</summary>
    public IReadOnlyList<int> Compiled { get; init; } = [];

    /// <summary>Where measuring began, in seconds from the start of the first window.</summary>
    public required double WarmUpSeconds { get; init; }

    public double Seconds => Ends[^1];

    /// <summary>When the window began.</summary>
    public double Start(int window) => window == 0 ? 0 : Ends[window - 1];

    /// <summary>The first window that lies in the measured time.</summary>
    public int FirstMeasured => Ends.TakeWhile(end => end <= WarmUpSeconds + Rounding).Count();

    /// <summary>The windows of the warm-up.</summary>
    public WindowSeries UntilMeasured()
    {
        var count = FirstMeasured;
        return this with { Ends = [.. Ends.Take(count)], Rates = [.. Rates.Take(count)], Compiled = [.. Compiled.Take(count)] };
    }

    // Both are rounded on their own.
    private const double Rounding = 1e-3;

    /// <summary>The series in a launch's evidence, or null when there is none that could be true: it is a workload's word, and judged as such.</summary>
    public static WindowSeries? From(JsonObject evidence)
    {
        if (evidence["windows"] is not JsonObject windows
            || Numbers(windows["ends"]) is not { Length: > 0 and <= Most } ends
            || Numbers(windows["rates"]) is not { } rates || rates.Length != ends.Length
            || JsonNumber.Of(windows["warmUpSeconds"]) is not { } warmUp)
        {
            return null;
        }

        var compiled = windows["compiled"] is null ? [] : Numbers(windows["compiled"]);
        var isSound = ends[0] > 0 && ends.Zip(ends.Skip(1)).All(pair => pair.Second > pair.First) && ends[^1] < 1e6
            && Array.TrueForAll(rates, rate => rate is >= 0 and < 1e30) && warmUp >= 0 && warmUp <= ends[^1]
            && compiled is not null && (compiled.Length == 0 || compiled.Length == ends.Length)
            && Array.TrueForAll(compiled, methods => methods is >= 0 and < 1e9);
        return isSound
            ? new() { Ends = ends, Rates = rates, WarmUpSeconds = warmUp, Compiled = [.. compiled!.Select(methods => (int)methods)] }
            : null;
    }

    private static double[]? Numbers(JsonNode? node)
    {
        if (node is not JsonArray { Count: <= Most } items)
        {
            return null;
        }

        var numbers = items.Select(JsonNumber.Of).ToArray();
        return Array.TrueForAll(numbers, number => number is not null) ? [.. numbers.Select(number => number!.Value)] : null;
    }
}
