using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>A row whose sender was as busy as what it sent to says so.</summary>
public sealed class ClientBoundTests
{
    [Theory]
    [InlineData("client-share")]
    [InlineData("open-client-share")]
    public void a_sender_that_used_most_of_its_cores_is_told_in_the_primary_row(string metric)
    {
        var rows = Session(metric, reference: 0.5, arm: 0.83).Cells;
        rows.Single(row => row.Primary).Warnings.ShouldHaveSingleItem()
            .ShouldStartWith("client-bound: the busiest sender of arm head used 83 % of its cores (median of 20 launches): ");
        rows.Single(row => row.Metric == metric).Warnings.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("client-share", 0.7)]
    [InlineData("client-share", 0.2)]
    [InlineData("our-clientshare", 0.9)]
    [InlineData("client-share-of-others", 0.9)]
    public void up_to_that_and_other_metrics_say_nothing(string metric, double share) =>
        Session(metric, share, share).Cells.ShouldAllBe(row => row.Warnings.Count == 0);

    private static Comparison Session(string metric, double reference, double arm)
    {
        var builder = new SampleSetBuilder().Cell("c001", [SampleSetBuilder.Time, new(metric, "share", Better.Lower)]);
        for (var round = 0; round < SampleSetBuilder.Quiet.Length; round++)
        {
            builder.Launch(Stage.Confirm, round, "base", 0, launch => With(launch, metric, 100, reference))
                .Launch(Stage.Confirm, round, "head", 0, launch => With(launch, metric, 100 * Math.Exp(SampleSetBuilder.Quiet[round]), arm));
        }

        return builder.Compare();
    }

    private static Launch With(Launch launch, string metric, double time, double share) =>
        launch with { Metrics = new Dictionary<string, double>(StringComparer.Ordinal) { [SampleSetBuilder.Time.Name] = time, [metric] = share } };
}
