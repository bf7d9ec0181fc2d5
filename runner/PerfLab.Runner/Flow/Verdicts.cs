using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Flow;

/// <summary>From verdicts to an exit code, where several could apply (docs/cli.md, "Exit codes").</summary>
public static class Verdicts
{
    public static int ExitCodeOf(Comparison comparison, SampleSet samples, FailOn failOn)
    {
        var measured = samples.Launches.Any(launch => launch.Outcome == Outcome.Measured);
        // In a session of one arm no row has a verdict: there a cell without a value is what failed.
        var failed = comparison.Summary.Failed > 0
            || comparison.Cells.Any(row => row is { Primary: true, Reference: null, ArmValue: null, Verdict: not Verdict.Unavailable });
        var nothing = !measured && comparison.Summary is { IdenticalBuild: 0, Untouched: 0 };
        return failed || nothing ? ExitCode.Failed
            : failOn.HasFlag(FailOn.Regression) && comparison.Cells.Any(row => row is { Verdict: Verdict.Regressed, Accepted: null })
                ? ExitCode.Regressed
            : failOn.HasFlag(FailOn.Allocations) && comparison.Cells.Any(row => Allocations.Moved(row) > 0) ? ExitCode.Regressed
            : failOn.HasFlag(FailOn.Budget) && comparison.Summary.OverBudget > 0 ? ExitCode.Regressed
            : failOn.HasFlag(FailOn.NoAnswer)
                && comparison.Summary is not { Undecided: 0, TooNoisy: 0, Unavailable: 0, DoesNotHold: 0, NotSteady: 0 } ? ExitCode.NoAnswer
            : ExitCode.Done;
    }
}
