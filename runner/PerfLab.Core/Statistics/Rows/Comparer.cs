using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>From the samples of a session to its verdicts. Pure: the same samples and policy give the same comparison.</summary>
public static class Comparer
{
    private const int MostVariables = 10;

    /// <param name="measured">The session.</param>
    /// <param name="policy">As used.</param>
    /// <param name="margins">Margins that cells have of their own, by cell; one that is smaller than the policy's changes nothing.</param>
    public static Comparison Compare(SampleSet measured, PolicyUsed policy, IReadOnlyDictionary<string, CellMargin>? margins = null)
    {
        var samples = ProcessorTime.Added(SteadyLaunches.Judged(measured));
        var byCell = CellLaunches.ByCell(samples);
        var pairs = samples.Header.Cells
            .SelectMany(cell => cell.Arms.Skip(1).Select(arm => new PairEvidence(cell, arm, byCell[cell.Id])))
            .ToArray();
        var family = Family.Of(pairs, policy);
        var pairRows = pairs.ToLookup(pair => pair.Cell.Id, pair => PairRows.Of(pair, family, margins?.GetValueOrDefault(pair.Cell.Id)),
            StringComparer.Ordinal);
        var rows = samples.Header.Cells
            .SelectMany(cell => cell.Arms.Count == 1 ? SingleArmRows.Of(cell, byCell[cell.Id]) : pairRows[cell.Id].SelectMany(row => row))
            .Select(row => Placed(row, samples))
            .ToArray();
        return new()
        {
            Session = samples.Header.Session,
            Plan = samples.Header.Plan,
            Policy = policy,
            Summary = Count(rows),
            Selection = SelectionSummary.Of(samples),
            Cells = ProcessorNote.Added(rows, policy),
            Warnings = [.. Warnings(samples)],
        };
    }

    /// <summary>With the shard that measured it, or why none did.</summary>
    private static ComparedMetric Placed(ComparedMetric row, SampleSet samples) =>
        samples.Missing.TryGetValue(row.Cell, out var missing) ? row with { Warnings = row.Primary ? [missing] : [] }
        : samples.Shards.FirstOrDefault(shard => shard.Header.Cells.Any(cell => cell.Id == row.Cell)) is { } shard
            ? row with { Shard = shard.Header.Shard }
        : row;

    private static VerdictCounts Count(ComparedMetric[] rows)
    {
        return new(
            Of(Verdict.Regressed), Of(Verdict.Improved), Of(Verdict.Unchanged), Of(Verdict.Undecided),
            Of(Verdict.TooNoisy), Of(Verdict.IdenticalBuild), Of(Verdict.Failed), Of(Verdict.Unavailable))
        {
            DoesNotHold = Of(Verdict.DoesNotHold),
            NotSteady = Of(Verdict.NotSteady),
            AllocatesMore = rows.Count(row => Allocations.Moved(row) > 0),
            AllocatesLess = rows.Count(row => Allocations.Moved(row) < 0),
            Untouched = Of(Verdict.Untouched),
        };

        int Of(Verdict verdict) => rows.Count(row => row.Verdict == verdict);
    }

    private static IEnumerable<string> Warnings(SampleSet samples)
    {
        foreach (var warning in samples.Warnings)
        {
            yield return warning;
        }

        if (samples.Header.Shard is { } own)
        {
            yield return Invariant($"this is shard {own} of its plan alone: its verdicts share no error rate with the other shards; ")
                + "`compare` with --plan and every shard's journal judges all as one family";
        }

        // Once each: all rows of a project share what it says.
        foreach (var overruled in samples.Header.Cells.SelectMany(cell => cell.Arms.SelectMany(arm => arm.Overruled ?? [])
            .Select(sentence => $"{cell.Workload}: {sentence}")).Distinct(StringComparer.Ordinal))
        {
            yield return overruled;
        }

        foreach (var variable in samples.Header.Cells
            .SelectMany(cell => cell.Dimensions.Keys.Concat(cell.Arms.SelectMany(arm => arm.Dimensions.Keys)))
            .Where(name => EnvironmentName.Is(name) && EnvironmentName.Setting(name[EnvironmentName.Prefix.Length..]) is null)
            .Distinct(StringComparer.Ordinal).Take(MostVariables))
        {
            yield return $"{variable} is not proven: launches had the variable, and nothing tells whether the program read it";
        }

        foreach (var session in samples.Sessions.Where(session => !session.Complete))
        {
            var name = ReferenceEquals(session, samples) ? "the session" : Invariant($"shard {session.Header.Shard}");
            yield return $"{name} has no end record: it was cut, and what it measured until then is compared";
        }

        var late = samples.Launches.Count(launch => launch.Attempt > CountedRounds.LastAttempt);
        if (late > 0)
        {
            yield return Invariant($"{late} launches are of a fourth or later repeat of their round; ")
                + Invariant($"a round is repeated at most {CountedRounds.LastAttempt} times, so they are not used");
        }
    }
}
