using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.Flow;

namespace PerfLab.Runner.Tests.Commands;

public sealed class FailOnTests : IDisposable
{
    private const FailOn Both = FailOn.Regression | FailOn.NoAnswer;
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Theory]
    [InlineData("regressed", FailOn.NoAnswer, 0)]
    [InlineData("regressed", Both, 3)]
    [InlineData("improved", Both, 0)]
    [InlineData("unchanged", Both, 0)]
    [InlineData("identical-build", Both, 0)]
    [InlineData("untouched", Both, 0)]
    [InlineData("undecided", FailOn.NoAnswer, 4)]
    [InlineData("undecided", FailOn.Regression, 0)]
    [InlineData("too-noisy", FailOn.NoAnswer, 4)]
    [InlineData("not-steady", FailOn.NoAnswer, 4)]
    [InlineData("not-steady", FailOn.Regression, 0)]
    [InlineData("unavailable", FailOn.NoAnswer, 4)]
    [InlineData("unavailable", FailOn.None, 0)]
    [InlineData("failed", FailOn.None, 1)]
    [InlineData("regressed undecided", Both, 3)]
    [InlineData("failed regressed undecided", Both, 1)]
    public void each_verdict_has_its_exit_code(string verdicts, FailOn failOn, int expected)
    {
        int Count(string verdict) => verdicts.Split(' ').Count(one => one == verdict);
        var counts = new VerdictCounts(
            Count("regressed"), Count("improved"), Count("unchanged"), Count("undecided"), Count("too-noisy"), Count("identical-build"), Count("failed"), Count("unavailable"))
        {
            NotSteady = Count("not-steady"),
            Untouched = Count("untouched"),
        };
        Verdicts.ExitCodeOf(SampleReports.Of(Regressed(counts.Regressed), counts), SampleSweeps.Clients(), failOn).ShouldBe(expected);
    }

    [Fact]
    public void a_regression_that_was_accepted_fails_nobody_and_one_beside_it_does()
    {
        var counts = new VerdictCounts(1, 0, 0, 0, 0, 0, 0, 0);
        var accepted = Regressed(1).Select(row => row with { Accepted = "known" }).ToList();
        Verdicts.ExitCodeOf(SampleReports.Of(accepted, counts), SampleSweeps.Clients(), Both).ShouldBe(0);
        Verdicts.ExitCodeOf(SampleReports.Of([.. accepted, .. Regressed(1)], counts), SampleSweeps.Clients(), Both).ShouldBe(3);
    }

    [Theory]
    [InlineData(88, FailOn.Allocations, 3)]
    [InlineData(88, Both, 0)]
    [InlineData(64, FailOn.Allocations, 0)]
    [InlineData(40, FailOn.Allocations, 0)]
    public void more_bytes_have_the_code_of_a_regression_where_they_were_asked_for(double bytes, FailOn failOn, int expected)
    {
        var row = SampleReports.Figures("c001") with
        {
            Metric = "allocated",
            Primary = false,
            ReferenceValue = 64,
            ArmValue = bytes,
            Equal = bytes.Equals(64.0),
        };
        var comparison = SampleReports.Of([SampleReports.Figures("c001") with { Verdict = Verdict.Unchanged }, row], new(0, 0, 1, 0, 0, 0, 0, 0));
        Verdicts.ExitCodeOf(comparison, SampleSweeps.Clients(), failOn).ShouldBe(expected);
    }

    private static IReadOnlyList<ComparedMetric> Regressed(int count) =>
        [.. Enumerable.Range(1, count).Select(cell => SampleReports.Figures(FormattableString.Invariant($"c{cell:000}")) with { Verdict = Verdict.Regressed })];

    [Theory]
    [InlineData("--fail-on no-answer", 4)]
    [InlineData("--fail-on regression", 0)]
    [InlineData("--fail-on regression,no-answer", 4)]
    [InlineData("--fail-on no-answer --fail-on regression", 4)]
    public async Task both_can_be_asked_for(string options, int expected)
    {
        var samples = SampleSweeps.Session([.. SampleSweeps.Clients().Header.Cells.Take(1)], _ => 1);
        var seq = 1L;
        byte[] launches = [.. samples.Launches.SelectMany(launch => JournalLine.Of(seq++, launch))];
        await File.WriteAllBytesAsync(
            Path.Combine(_lab.Root, "samples.ndjson"), [.. JournalLine.Of(0, samples.Header), .. launches, .. JournalLine.Of(seq, new SessionEnd("complete"))]);
        var (code, output, error) = await _lab.RunAsync("compare samples.ndjson " + options);
        output.ShouldContain("No answer: ", customMessage: error);
        code.ShouldBe(expected, output);
    }
}
