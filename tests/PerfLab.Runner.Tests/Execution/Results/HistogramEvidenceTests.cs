using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Reports.Curves;
using PerfLab.Launching.Results;

namespace PerfLab.Runner.Tests.Execution.Results;

public sealed class HistogramEvidenceTests
{
    [Fact]
    public void a_histogram_is_kept_with_few_buckets_and_every_count()
    {
        List<Bucket> counts = [.. Enumerable.Range(0, 9000).Select(index => new Bucket((long)(1000 * Math.Pow(1.002, index)), 3))];
        var thinned = HistogramEvidence.Thinned(counts);
        thinned.Count.ShouldBeInRange(20, HistogramEvidence.Most);
        thinned.Sum(bucket => bucket.Count).ShouldBe(27_000);
        thinned.Zip(thinned.Skip(1)).ShouldAllBe(pair => pair.First.Place < pair.Second.Place);
        thinned[0].Place.ShouldBe(1000);
        // A narrow one keeps its form: twenty buckets a decade.
        HistogramEvidence.Thinned([.. counts.Where(bucket => bucket.Place < 100_000)]).Count.ShouldBe(40);
    }

    [Fact]
    public void counts_beyond_any_number_and_a_bucket_of_nothing_do_no_harm()
    {
        var most = 1L << 53;
        HistogramEvidence.Thinned([new(0, most), new(1, most), new(2, 1)])[0].ShouldBe((0, most));
    }

    [Fact]
    public void the_page_reads_what_the_lab_kept_and_not_what_a_program_calls_so()
    {
        var result = new WorkloadResult
        {
            Nonce = "n1",
            MeasuredSeconds = 2,
            Metrics = new Dictionary<string, MeasuredValue>(),
            Histograms = new Dictionary<string, Histogram> { ["latency"] = new("s", 3, [new(1_000_000, 5), new(2_000_000, 4), new(90_000_000, 1)]) },
            Evidence = new JsonObject { ["histograms"] = "mine" },
        };
        HistogramEvidence.Add(result);
        var kept = JsonNode.Parse(result.Evidence.ToJsonString())!.AsObject();
        var arm = new Arm { Id = "head", Dimensions = new Dictionary<string, string>() };
        var cell = new Cell
        {
            Id = "c001",
            Workload = "w",
            Dimensions = new Dictionary<string, string>(),
            Parameters = new Dictionary<string, string>(),
            Arms = [arm],
            Metrics = [new("time", "s", Better.Lower, Primary: true)],
        };
        var launch = Core.Tests.Reporting.Support.SampleReports.Failed("c001", 0, null) with { Outcome = Outcome.Measured, Evidence = kept };
        var line = Latency.Of(cell, [launch, launch]).Single().Lines.Single();
        (line.Launches, line.Total).ShouldBe((2, 20));
        line.Percentile(0.5).ShouldBe(0.001, 1e-12);
        line.Percentile(0.99).ShouldBe(0.09, 1e-12);
        HistogramEvidence.Add(result with { Histograms = new Dictionary<string, Histogram>() });
        result.Evidence.ContainsKey("histograms").ShouldBeFalse();
    }
}
