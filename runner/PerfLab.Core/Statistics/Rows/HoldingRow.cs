using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>A row that the first session flagged, and what its repeats make of it.</summary>
internal static class HoldingRow
{
    public static ComparedMetric Judge(ComparedMetric flagged, PairEvidence pair, Metric metric, Policy policy)
    {
        if (policy.Repeats == 0)
        {
            return flagged;
        }

        if (RepeatedPair.Of(pair, metric, flagged.Verdict == Verdict.Regressed ? 1 : -1, policy) is not { } holding)
        {
            return flagged with { Warnings = [.. flagged.Warnings, "flagged once: it was to be measured again, and was not"] };
        }

        var verdict = holding.Holds ? flagged.Verdict : Verdict.DoesNotHold;
        var measured = holding.Sessions.Count - 1;
        var row = flagged with
        {
            Verdict = verdict,
            Sessions = holding.Sessions,
            SessionSpread = RepeatedPair.Fraction(holding.Pooled?.Spread),
            // Whoever did not hold once is not measured on; what does hold is.
            Warnings = holding.Holds && measured < policy.Repeats
                ? [.. flagged.Warnings, Invariant($"measured again {measured} of {policy.Repeats} times: the session was cut")]
                : flagged.Warnings,
        };
        return holding.Pooled is { } pooled
            ? row with
            {
                Change = RepeatedPair.Fraction(pooled.Centre),
                Low = RepeatedPair.Fraction(pooled.Low),
                High = RepeatedPair.Fraction(pooled.High),
            }
            : row;
    }
}
