using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>What differs between the builds of a session, and what of it was run.</summary>
/// <param name="Methods">Methods that are changed, added or removed.</param>
/// <param name="Everything">Why all rows were measured, a sentence each; empty where the rows say it.</param>
/// <param name="NotRun">Changed methods that no row runs, some by name. Hostile text until rendered.</param>
/// <param name="MoreNotRun">How many more there are.</param>
public sealed record SelectionSummary(
    [AtLeast(0)] int Methods, IReadOnlyList<string> Everything, IReadOnlyList<string> NotRun, [AtLeast(0)] int MoreNotRun)
{
    private const int MostNamed = 8;

    /// <summary>Null where nobody looked.</summary>
    public static SelectionSummary? Of(SampleSet samples)
    {
        if (samples.Differences.Count == 0)
        {
            return null;
        }

        var run = samples.Touches.SelectMany(touch => touch.Runs ?? []).ToHashSet(StringComparer.Ordinal);
        // Where a row has no list nobody knows what it runs.
        var notRun = samples.Touches.Any(touch => touch.Lists is null) ? []
            : samples.Differences.Where(difference => difference.Everything.Count == 0).SelectMany(difference => difference.Names)
            .Distinct(StringComparer.Ordinal).Where(name => !run.Contains(name)).ToList();
        return new(samples.Differences.Max(difference => difference.Methods),
            [.. samples.Differences.SelectMany(difference => difference.Everything).Distinct(StringComparer.Ordinal)],
            [.. notRun.Take(MostNamed)], Math.Max(0, notRun.Count - MostNamed));
    }

    /// <summary>"runs 2 of the 3 changed methods: Parser.Next, Lexer.Peek".</summary>
    public static string WordsOf(TouchedPair touch) => touch.Runs is not { Count: > 0 } runs ? touch.Reason
        : $"{touch.Reason}: {string.Join(", ", runs.Take(MostNamed))}{(runs.Count > MostNamed ? Invariant($" and {runs.Count - MostNamed} more") : "")}";
}
