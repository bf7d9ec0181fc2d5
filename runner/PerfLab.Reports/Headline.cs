using PerfLab.Core.Model;
using PerfLab.Reports.Text;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Reports;

/// <summary>
/// The sentence that many read alone: "Json.Parse is 12.3 % slower (of 12 benchmarks)", "3 regressed, worst Json.Parse: 12.3 % slower; 1
/// improved (of 60 benchmarks)", "no change found in 196 (would have seen 1.3 % in most)". It never says that nothing changed where
/// nothing was measured. Bytes come first: they are certain. It is plain text, and means nothing else to Markdown, HTML or a terminal.
/// </summary>
public static class Headline
{
    /// <param name="comparison">What is put into words.</param>
    /// <param name="cells">Who the rows are about; without them they are counted and not named.</param>
    public static string Of(Comparison comparison, IReadOnlyList<Cell> cells)
    {
        var rows = comparison.Cells.Where(row => row.Primary).ToList();
        return rows.Count == 0 ? "Nothing was compared: there are no cells"
            : IsOneArm(rows) ? OneArm(rows)
            : string.Join("; ", [.. AllocationWords.Of(comparison.Cells, cells),
                .. Compared(rows, cells, comparison.Cells.Any(row => Allocations.Moved(row) != 0))]);
    }

    /// <summary>Whether nothing was compared by intention.</summary>
    internal static bool IsOneArm(IReadOnlyList<ComparedMetric> primary) =>
        primary.Count > 0 && primary.All(row => row.Reference is null);

    private static IEnumerable<string> Compared(IReadOnlyList<ComparedMetric> rows, IReadOnlyList<Cell> cells, bool haveBytesMoved)
    {
        int Count(Verdict verdict) => rows.Count(row => row.Verdict == verdict);
        var moved = MovedWords.Of(rows, cells);
        var parts = new List<string>();
        void Say(int count, string words)
        {
            if (count > 0)
            {
                parts.Add($"{Number(count)} {words}");
            }
        }

        Say(moved.OthersImproved, "improved");
        if (DirectionWords.Of(rows, cells) is { } direction)
        {
            parts.Add(direction);
        }

        var quiet = Quiet(rows);
        if (quiet is not null && moved.Words is null)
        {
            parts.Add(quiet);
        }

        Say(rows.Count(row => row.Equal == false), "with exact values that differ");
        Say(rows.Count(row => row.Equal == true), "with equal exact values");
        var answered = moved.Words is not null || parts.Count > 0 || haveBytesMoved;
        Say(Count(Verdict.DoesNotHold), "did not hold when measured again");
        Say(Count(Verdict.NotSteady), $"not steady{WhatToType(rows)}");
        Say(Count(Verdict.TooNoisy), "too noisy to say");
        Say(Count(Verdict.Failed), "failed");
        Say(Count(Verdict.Unavailable), "unavailable here");
        Say(Count(Verdict.IdenticalBuild), Count(Verdict.IdenticalBuild) == 1 ? "not measured (identical build)" : "not measured (identical builds)");
        if (Count(Verdict.Untouched) is > 0 and var untouched)
        {
            parts.Add($"{Number(untouched)} of {Number(rows.Count)} not measured: nothing that they run changed");
        }

        Say(rows.Count(row => row is { Verdict: null, Equal: null, Reference: null }), "with nothing to compare with");
        Say(rows.Count(row => row is { Verdict: null, Equal: null, Reference: not null }), "without a verdict");
        var rest = string.Join(", ", parts);
        if (moved.Words is { } words)
        {
            var of = rows.Count == 1 || Count(Verdict.Untouched) > 0 ? "" : $" (of {Number(rows.Count)} {RowWord.Of(cells)}s)";
            return [$"{words}{(rest.Length == 0 ? "" : moved.HasWorst ? "; " : ", ")}{rest}{of}"];
        }

        // That nothing changed is an answer.
        return parts.Count == 0 ? []
            : Count(Verdict.Unavailable) == rows.Count ? [$"Nothing could be compared: {parts[0]}"]
            : [$"{(answered || Count(Verdict.Untouched) == rows.Count ? "" : "No answer: ")}{rest}"];
    }

    /// <summary>"no change found in 196 (would have seen 1.3 % in most)"; null where there are no such rows.</summary>
    internal static string? Quiet(IEnumerable<ComparedMetric> rows)
    {
        var quiet = rows.Where(IsQuiet).ToList();
        return quiet.Count == 0 ? null : $"no change found in {Number(quiet.Count)}{WouldHaveSeen(quiet)}";
    }

    /// <summary>Whether <see cref="Quiet"/> counts it. Few rounds that say which way a row went are no "no change found".</summary>
    internal static bool IsQuiet(ComparedMetric row) => row.Verdict is Verdict.Unchanged or Verdict.Undecided && !DirectionWords.IsOf(row);

    /// <summary>" (try --warm-up 6)": what would do for all of them.</summary>
    private static string WhatToType(IReadOnlyList<ComparedMetric> rows)
    {
        var restless = rows.Where(row => row.Verdict == Verdict.NotSteady).ToList();
        var known = restless.Select(row => row.WarmUpSeconds).OfType<double>().ToList();
        var others = known.Count < restless.Count ? $", {Number(restless.Count - known.Count)} never came to rest" : "";
        return known.Count == 0 ? " (never came to rest)" : Invariant($" (try --warm-up {known.Max():0}{others})");
    }

    private static string OneArm(IReadOnlyList<ComparedMetric> rows)
    {
        var measured = rows.Count(row => row.ArmValue is not null);
        var cells = rows.Count == 1 ? "cell" : "cells";
        var of = measured == rows.Count ? "" : $"{Number(measured)} of ";
        var restless = rows.Count(row => row.Verdict == Verdict.NotSteady);
        return measured == 0
            ? $"Nothing could be measured: {Number(rows.Count)} {cells} failed or unavailable here"
            : restless > 0 ? $"Measured {of}{Number(rows.Count)} {cells} of one arm, {Number(restless)} not steady{WhatToType(rows)}"
            : $"Measured {of}{Number(rows.Count)} {cells} of one arm: values and noise, nothing to compare with";
    }

    /// <summary>The least change that more than half of the rows would have shown.</summary>
    private static string WouldHaveSeen(List<ComparedMetric> rows)
    {
        var detectable = rows.Select(row => row.SmallestDetectable).OfType<double>().Order().ToList();
        if (detectable.Count == 0)
        {
            return "";
        }

        // "In most" is only true of all rows when rows without a figure count as the worst.
        var place = rows.Count / 2;
        if (place >= detectable.Count)
        {
            return "";
        }

        return $" (would have seen {Percent.Of(detectable[place])}{(rows.Count > 2 ? " in most" : "")})";
    }

    private static string Number(int count) => count.ToString(CultureInfo.InvariantCulture);
}
