using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>
/// Where the noise of a row comes from. What varies inside a launch averages out over its windows, and what is left of it is part of how far
/// rounds lie apart; the rest is between launches: how memory lay, what the machine did, which mode a program fell into.
/// </summary>
/// <param name="Between">Noise that would be left if a launch lasted for ever, a fraction.</param>
/// <param name="Within">Noise that comes from inside the launches, a fraction; null where they kept too little to tell.</param>
/// <param name="Disturbed">Launches in which others used half of its cores or more.</param>
/// <param name="Watched">Launches of which that is known.</param>
public sealed record NoiseSources(
    [AtLeast(0)] double? Between, [AtLeast(0)] double? Within, [AtLeast(0)] int Disturbed, [AtLeast(0)] int Watched)
{
    /// <summary>Of a launch's cores, used by others.</summary>
    public const double MostTaken = 0.5;

    /// <summary>Windows next to each other are alike, parts of this number much less: only those average out.</summary>
    private const int Parts = 5;

    /// <summary>Null where nothing is known.</summary>
    internal static NoiseSources? Of(PairEvidence pair, double noise)
    {
        double[] variances = [.. pair.Deciding
            .Select(round => round.Arm.Turns is null ? OfMean(round.Reference) + OfMean(round.Arm)
                : SlicePairs.Variance(round.Reference.Turns, round.Arm.Turns)).OfType<double>()];
        double[] taken = [.. pair.Deciding.SelectMany(round => new[] { Taken(round.Reference), Taken(round.Arm) }).OfType<double>()];
        if (2 * variances.Length < pair.Deciding.Count)
        {
            return taken.Length == 0 ? null : new(null, null, taken.Count(share => share >= MostTaken), taken.Length);
        }

        // It can't be more than all: both are estimates.
        var within = Math.Min(noise, Math.Sqrt(Median.Of(variances)));
        return new(Math.Sqrt((noise * noise) - (within * within)), within, taken.Count(share => share >= MostTaken), taken.Length);
    }

    /// <summary>"noise 13.3 %: 12.9 % between launches, 3.1 % within them; others had half of the cores in 9 of 40 launches"; null when there is nothing to say.</summary>
    public string? InWords(double noise)
    {
        string[] said =
        [
            Between is { } between && Within is { } within
                ? Invariant($"noise {100 * noise:0.0} %: {100 * between:0.0} % between launches, {100 * within:0.0} % within them") : "",
            Disturbed > 0 ? Invariant($"others had half of the cores or more in {Disturbed} of {Watched} launches") : "",
        ];
        return string.Join("; ", said.Where(part => part.Length > 0)) is { Length: > 0 } line ? line : null;
    }

    /// <summary>Variance of the logarithm of a launch's mean, by what its windows or its iterations scatter; null where it kept neither.</summary>
    private static double? OfMean(Launch launch)
    {
        if (launch.Evidence["benchmarkDotNet"] is JsonObject words)
        {
            return Number(words["stdDev"]) is { } spread && Number(words["iterations"]) is > 1 and var count
                ? spread * spread / count : null;
        }

        if (WindowSeries.From(launch.Evidence) is not { } series)
        {
            return null;
        }

        double[] measured = [.. series.Rates.Skip(series.FirstMeasured)];
        var length = measured.Length / Parts;
        if (length < 1)
        {
            return null;
        }

        double[] parts = [.. Enumerable.Range(0, Parts).Select(part => measured[(part * length)..((part + 1) * length)].Average())];
        var mean = parts.Average();
        return mean > 0 ? parts.Sum(part => (part - mean) * (part - mean)) / (Parts - 1) / Parts / (mean * mean) : null;
    }

    private static double? Taken(Launch launch) => Number(launch.Hygiene["others"]);

    // A journal may come from anywhere.
    private static double? Number(JsonNode? node) => JsonNumber.Of(node) is >= 0 and < 1e9 and var number ? number : null;
}
