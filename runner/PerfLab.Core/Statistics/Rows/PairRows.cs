using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>The rows of one (cell, arm) pair: one for each metric of the cell, in the cell's order.</summary>
internal static class PairRows
{
    public static IEnumerable<ComparedMetric> Of(PairEvidence pair, Family family, CellMargin? margin) =>
        [.. pair.Cell.Metrics.Select(metric => Row(pair, metric, family, margin))];

    private static ComparedMetric Row(PairEvidence pair, Metric metric, Family family, CellMargin? margin)
    {
        var blank = Blank(pair, metric);
        if (pair.NotMeasured is { } verdict)
        {
            return blank with
            {
                Verdict = metric.Primary ? verdict : null,
                Warnings = !metric.Primary ? [] : pair.Cell.Unavailable is { } missing ? [missing] : [.. PairWarnings.WorkingTrees(pair)],
            };
        }

        var ratios = LogRatios.Of(pair.Deciding, metric);
        var measured = blank with
        {
            ReferenceValue = ratios.Reference.Length > 0 ? Median.Of(ratios.Reference) : null,
            ArmValue = ratios.Arm.Length > 0 ? Median.Of(ratios.Arm) : null,
            Rounds = pair.Deciding.Count,
            Stage = pair.ArmLaunches.All > 0 ? pair.Stage : null,
            Warnings = [.. Warnings(pair, metric, family)],
        };
        if (metric.Kind == MetricKind.Exact)
        {
            return ExactRows.Of(measured, metric, ratios) with { Verdict = metric.Primary && measured.Rounds == 0 ? Verdict.Failed : null };
        }

        var compared = WithFigures(measured, ratios, pair.Coverage(family.Policy));
        return metric.Primary ? PrimaryRow.Judge(compared, pair, metric, new(family, margin)) : compared;
    }

    private static IEnumerable<string> Warnings(PairEvidence pair, Metric metric, Family family)
    {
        var (reference, arm) = (pair.Deciding.Select(round => round.Reference).ToList(), pair.Deciding.Select(round => round.Arm).ToList());
        if (metric.Primary)
        {
            return [.. PairWarnings.WorkingTrees(pair), .. PairWarnings.Of(pair, family.Policy), .. NotSteadyNote.Of(pair.Rest, pair.Cell),
                .. NotSteadyNote.OfCold([.. reference, .. arm]),
                .. ClientBound.OfPrimary(pair.Cell.Reference.Id, reference), .. ClientBound.OfPrimary(pair.Arm.Id, arm)];
        }

        return metric.Name == SteadyLaunches.Metric
            ? SteadyWarnings.OfTime(pair.Cell.Reference.Id, reference).Concat(SteadyWarnings.OfTime(pair.Arm.Id, arm))
            : [];
    }

    private static ComparedMetric Blank(PairEvidence pair, Metric metric) => new()
    {
        Cell = pair.Cell.Id,
        Arm = pair.Arm.Id,
        Reference = pair.Cell.Reference.Id,
        Metric = metric.Name,
        Primary = metric.Primary,
        Unit = metric.Unit,
        Rounds = 0,
        Touched = metric.Primary && pair.Touch is { } touch ? SelectionSummary.WordsOf(touch) : null,
        Pairing = pair.Cell.Pairing,
        Ended = metric.Primary ? pair.End?.Why : null,
    };

    private static ComparedMetric WithFigures(ComparedMetric row, LogRatios ratios, double coverage)
    {
        if (ratios.Problem is { } problem)
        {
            return row with { Warnings = [.. row.Warnings, problem] };
        }

        if (ratios.Differences.Length == 0)
        {
            return ratios.IsAllZero ? row with { Change = 0 } : row;
        }

        var walsh = new WalshAverages(ratios.Differences);
        var interval = walsh.Interval(coverage);
        return row with
        {
            Change = Fraction(walsh.Centre),
            Low = interval is { } low ? Fraction(low.Low) : null,
            High = interval is { } high ? Fraction(high.High) : null,
            Noise = Noise.Of(ratios.Differences),
        };
    }

    /// <summary>From log units to a fraction; a ratio beyond the largest double has none.</summary>
    private static double? Fraction(double log) => Math.Exp(log) - 1 is var fraction && double.IsFinite(fraction) ? fraction : null;
}

/// <summary>The family that a pair is tested in, and the policy it is judged by: the session's, with the wider margin when the cell has
/// one of its own.</summary>
internal sealed record Judgement(Family Family, CellMargin? OwnMargin)
{
    public Policy Policy { get; } = OwnMargin is { } own && own.Fraction > Family.Policy.Margin
        ? Family.Policy with { Margin = own.Fraction } : Family.Policy;

    /// <summary>Whether the cell's own margin is the wider one.</summary>
    public bool IsOwn => !ReferenceEquals(Policy, Family.Policy);

    /// <summary>What the row says about its margin, when it is the cell's own.</summary>
    public IEnumerable<string> Warnings => !IsOwn ? []
        : [Invariant($"judged by a margin of {100 * Policy.Margin:0.0} %, not {100 * Family.Policy.Margin:0.#} %: ")
            + Invariant($"so far apart came the same build in {OwnMargin!.Runs} A/A runs of this cell")];
}

/// <summary>Adds to the figures of a primary metric what only it has: p, smallest detectable change, verdict.</summary>
internal static class PrimaryRow
{
    public static ComparedMetric Judge(ComparedMetric row, PairEvidence pair, Metric metric, Judgement by)
    {
        var family = by.Family;
        var deciding = LogRatios.Of(pair.Deciding, metric);
        var tested = row with
        {
            PValue = family.Find(pair)?.P ?? (deciding.Differences.Length > 0 ? SignedRank.Test(deciding.Differences).TwoSided : null),
            // A pair that the screen did not keep is not tested in the family: nothing is claimed of it.
            AdjustedP = family.Find(pair)?.Adjusted ?? (deciding.Differences.Length > 0 ? 1 : null),
            SmallestDetectable = row.Noise is { } noise
                ? SmallestDetectable.Change(noise, family.MeasuredPairs, HasScreen(pair), AsMeasured(pair, by.Policy))
                : null,
            Margin = by.IsOwn ? by.Policy.Margin : null,
            Warnings = [.. row.Warnings, .. by.Warnings],
        };
        // What was asked for, or all that somebody else's results hold.
        var showDirection = deciding.Differences.Length > 0 && deciding.Differences.Length < pair.LeastRounds
            && (PolicyRules.ShowDirectionOnly(by.Policy) || pair.IsFromElsewhere);
        var failed = deciding.Problem is not null || (deciding.Differences.Length < pair.LeastRounds && !showDirection);
        // Never a verdict from rounds that a check of the machine has struck, and no blame on the arms either.
        var noisy = deciding.Problem is null && pair.LostToNoise;
        if (noisy || failed)
        {
            var isCut = deciding.Problem is null && pair.End is { Why: EndReason.OutOfMinutes };
            return tested with
            {
                Verdict = noisy ? Verdict.TooNoisy : pair.IsFromElsewhere || isCut ? Verdict.Undecided : Verdict.Failed,
                Warnings = [.. tested.Warnings, .. EndNote.Of(pair, by.Policy)],
            };
        }

        if (!pair.Rest.IsSteady)
        {
            return NotSteadyNote.Blank(tested) with { WarmUpSeconds = NotSteadyNote.WarmUp(pair.Rest) };
        }

        if (showDirection)
        {
            // The family's p is 1 of so few rounds, whatever they say; this one is of the rounds.
            return tested with { Verdict = Verdict.Undecided, SmallestDetectable = null, PValue = SignedRank.Test(deciding.Differences).TwoSided };
        }

        var finding = Finding(pair, metric, deciding, family);
        var verdict = VerdictRule.Of(finding, by.Policy);
        var sources = row.Noise is { } spread ? NoiseSources.Of(pair, spread) : null;
        var advice = verdict == Verdict.TooNoisy ? NoiseAdvice.Of(pair, (finding.Noise!.Value, sources), by.Policy) : [];
        var said = tested with
        {
            Verdict = verdict,
            NoiseSources = sources,
            Warnings = [.. tested.Warnings, .. advice, .. EndNote.Of(pair, by.Policy),
                .. verdict == Verdict.Undecided ? EndNote.OfScreen(pair, deciding, by.Policy) : []],
        };
        return verdict is Verdict.Regressed or Verdict.Improved ? HoldingRow.Judge(said, pair, metric, by.Policy) : said;
    }

    private static Finding Finding(PairEvidence pair, Metric metric, LogRatios deciding, Family family)
    {
        var walsh = new WalshAverages(deciding.Differences);
        var screen = LogRatios.Of(pair.Screen, metric);
        var direction = Family.ScreenDirection(pair, metric);
        return new()
        {
            Centre = walsh.Centre,
            Interval = walsh.Interval(pair.Coverage(family.Policy)),
            AdjustedP = family.Find(pair)?.Adjusted,
            Direction = direction != 0 ? direction : SignedRank.Test(deciding.Differences).Direction,
            Noise = Noise.Of(HasScreen(pair) && screen.Problem is null ? screen.Differences : deciding.Differences),
            FailsMoreOften = pair.FailsMoreOften <= VerdictRule.FailureLevel,
        };
    }

    /// <summary>A row that went on could see what its rounds could see.</summary>
    private static Policy AsMeasured(PairEvidence pair, Policy policy) =>
        pair.Kept && policy.Within > 0 && pair.Confirm.Count > policy.ConfirmRounds
        ? policy with { ConfirmRounds = pair.Confirm.Count } : policy;

    private static bool HasScreen(PairEvidence pair) => pair.Screen.Count > 0;
}
