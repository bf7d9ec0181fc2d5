using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Trends;
using PerfLab.Runner.Commits;

namespace PerfLab.Runner.Tests.Commits;

/// <summary>When the culprit beside the commit before it is proof that it is the one.</summary>
public sealed class BisectConfirmationTests
{
    [Theory]
    [InlineData(0.10, 0.10, Verdict.Regressed, true)]
    [InlineData(-0.10, -0.10, Verdict.Improved, true)]
    // Proven, and far too small to be what is searched for.
    [InlineData(0.10, 0.01, Verdict.Regressed, false)]
    [InlineData(-0.10, -0.01, Verdict.Improved, false)]
    // The other way round: a commit that gave some of it back.
    [InlineData(0.10, -0.10, Verdict.Improved, false)]
    [InlineData(-0.10, 0.10, Verdict.Regressed, false)]
    [InlineData(0.10, 0.10, Verdict.TooNoisy, false)]
    public void only_a_proven_change_of_that_direction_and_about_that_size_confirms(
        double searched, double measured, Verdict verdict, bool confirms) =>
        BisectStep.Confirms(Row(measured, verdict), new SoughtChange(Math.Log(1 + searched), 0.01)).ShouldBe(confirms);

    private static ComparedMetric Row(double change, Verdict verdict) => new()
    {
        Cell = "c001",
        Arm = "head",
        Reference = "base",
        Metric = "time",
        Primary = true,
        Unit = "s",
        Change = change,
        Rounds = 20,
        Verdict = verdict,
    };
}
