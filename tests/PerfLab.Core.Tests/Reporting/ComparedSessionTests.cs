using PerfLab.Core.Model;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting;

/// <summary>From samples through the comparer and the file to the report: nothing is lost and nothing invented on the way.</summary>
public sealed class ComparedSessionTests
{
    [Fact]
    public void a_head_that_is_a_tenth_slower_is_reported_so()
    {
        var samples = Session(slower: 1.1);
        var comparison = Comparer.Compare(samples, new PolicyUsed(new Policy(), "defaults"));

        var reading = Comparison.File.Read(Comparison.File.Write(comparison));
        reading.Problems.ShouldBeEmpty();
        var report = Report.From(reading.Value!, ReportContext.From(samples));

        report.Headline.ShouldBe("json is 10.0 % slower");
        var row = report.Rows.Single();
        row.Verdict.ShouldMatch(@"^regressed: (9\.[5-9]|10\.[0-5]) % slower$");
        row.Cell.ShouldBe("json / net10.0.14 / pgo on");
        row.Reproduce.ShouldBe("./perf-lab run json --base framework=newtonsoft@12.0.3 --head framework=newtonsoft@13.0.3 --set runtime=net10.0.14 --set documents=1000 --rounds 8+20 --pairing launches --seed 7 --executor process");
        report.Base.ShouldBe("framework=newtonsoft@12.0.3");
    }

    [Fact]
    public void a_session_in_which_nothing_could_be_measured_is_no_answer()
    {
        var samples = Session(slower: 1);
        var nothing = new Dictionary<string, double>(StringComparer.Ordinal);
        var failed = samples with { Launches = [.. samples.Launches.Select(launch => launch with { Outcome = Outcome.Failed, ExitCode = 1, Metrics = nothing })] };
        var comparison = Comparer.Compare(failed, new PolicyUsed(new Policy(), "defaults"));

        Report.From(Comparison.File.Read(Comparison.File.Write(comparison)).Value!).Headline.ShouldBe("No answer: 1 failed");
    }

    private static SampleSet Session(double slower)
    {
        var random = new SeededRandom(7);
        var launches =
            from round in Enumerable.Range(0, 28)
            from arm in new[] { "base", "head" }
            let stage = round < 8 ? Stage.Screen : Stage.Confirm
            select new Launch
            {
                Cell = "c001",
                Stage = stage,
                Round = stage == Stage.Screen ? round : round - 8,
                Position = arm == "base" ? 0 : 1,
                Arm = arm,
                Started = DateTimeOffset.UnixEpoch,
                WallSeconds = 1,
                Outcome = Outcome.Measured,
                Metrics = new Dictionary<string, double>(StringComparer.Ordinal) { ["time"] = 0.012 * (arm == "head" ? slower : 1) * Math.Exp(0.005 * random.NextNormal()) },
            };
        return new SampleSet
        {
            Header = new SessionHeader
            {
                Session = "s",
                Plan = "sha256:0",
                Seed = 7,
                Started = DateTimeOffset.UnixEpoch,
                Executor = "process",
                Cells = [Sourced(SampleReports.Cell("c001", "json", "net10.0.14", "on"))],
            },
            Launches = [.. launches],
            Voids = [],
            Complete = true,
        };
    }

    private static Cell Sourced(Cell cell) => cell with { Arms = [.. cell.Arms.Select(arm => arm with { Build = "sha256:" + arm.Id })] };
}
