using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Statistics;

public class LaunchCountsTests
{
    [Theory]
    [InlineData("""[]""", null)]
    [InlineData("""["TieredPGO"]""", "arm head: the evidence for TieredPGO is indirect: nothing in this runtime reports it")]
    [InlineData("""["runtime"]""", "arm head: the evidence for its runtime's version is indirect: neither the result nor an event of the runtime names it")]
    [InlineData("""["runtime","TieredPGO"]""", "arm head: the evidence for its runtime's version is indirect: neither the result nor an event of the runtime names it; the evidence for TieredPGO is indirect: nothing in this runtime reports it")]
    [InlineData("""["<b>",7,null]""", null)]
    public void what_only_indirect_evidence_speaks_for_is_named(string indirect, string? expected)
    {
        var launch = SampleReports.Failed("c001", 0, null) with
        {
            Outcome = Outcome.Measured,
            Evidence = new JsonObject { ["proof"] = new JsonObject { ["indirect"] = JsonNode.Parse(indirect) } },
        };
        new LaunchCounts("head", [launch, launch]).IndirectEvidence.ShouldBe(expected);
    }

    [Theory]
    [InlineData("0.25", "arm head: a quota of processor time stopped 2 of 3 launches, for 0.5 s in all")]
    [InlineData("0", null)]
    [InlineData("\"long\"", null)]
    [InlineData("null", null)]
    public void the_time_for_which_a_quota_stopped_launches_is_told(string seconds, string? expected)
    {
        var failed = SampleReports.Failed("c001", 0, null);
        var launch = failed with
        {
            Outcome = Outcome.Measured,
            Evidence = new JsonObject { ["outside"] = new JsonObject { ["throttledSeconds"] = JsonNode.Parse(seconds) } },
        };
        new LaunchCounts("head", [launch, launch, failed]).Throttled.ShouldBe(expected);
    }
}
