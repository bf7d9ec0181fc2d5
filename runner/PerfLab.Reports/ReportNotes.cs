using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>By which rules a session was judged, and how often this lab is wrong, each on one line.</summary>
internal static class ReportNotes
{
    public static string Budget(Comparison comparison)
    {
        var budget = PolicyRules.ShowDirectionOnly(comparison.Policy) ? "A quick look flags nothing: it has no false-flag budget."
            : $"False-flag budget of this report: {Percent.Constant(comparison.Policy.FamilyError)}.";
        var measured = comparison.FalseFlags is { Runs: > 0 } flags ? Rate(flags) : "not yet measured";
        var layout = comparison.LayoutFlags is { Runs: > 0 } builds ? $" The same source laid out otherwise: {Rate(builds)}." : "";
        return $"{budget} A/A: {measured}.{layout}";
    }

    private static string Rate(FalseFlags flags)
    {
        var flagged = flags.Flagged == 1 ? "1 false flag" : Invariant($"{flags.Flagged} false flags");
        var runs = flags.Runs == 1 ? "1 run" : Invariant($"{flags.Runs} runs");
        return $"{flagged} in {runs} (true rate between {Percent.Of(flags.Low)} and {Percent.Of(flags.High)}, with 95 % confidence)";
    }

    public static string Of(PolicyUsed policy)
    {
        var within = policy.Within > 0 ? Invariant($" or until decided, within {policy.Within:0.##} min") : "";
        var again = policy.Repeats > 0 ? $", what is flagged measured again {Counted.Of(policy.Repeats, "time")}" : "";
        var rounds = Invariant($"{policy.ScreenRounds}+{policy.ConfirmRounds} rounds{within}{again}");
        var keep = policy.KeepP.ToString(CultureInfo.InvariantCulture);
        return $"{rounds}, kept for the confirm stage at p <= {keep}, family error {Percent.Constant(policy.FamilyError)}, "
            + $"margin {Percent.Constant(policy.Margin)}, intervals {Percent.Constant(policy.Interval)}, "
            + $"too noisy above {Percent.Constant(policy.TooNoisy)} (from: {policy.Source})";
    }
}
