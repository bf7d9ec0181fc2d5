using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics.Steady;

/// <summary>
/// Launches that say that their project wants them cold. Each becomes faster while it is measured, in 36 windows of 0.1 s; head is 10 %
/// slower in every round.
/// </summary>
public sealed class ColdLaunchTests
{
    private const string Cold = "\"cold\"";

    [Fact]
    public void a_row_that_is_to_be_cold_has_its_verdict_and_says_once_that_it_is()
    {
        var row = Primary(Rising(Cold), Rising(Cold));
        row.Verdict.ShouldBe(Verdict.Regressed);
        row.WarmUpSeconds.ShouldBeNull();
        row.Warnings.ShouldHaveSingleItem()
            .ShouldBe("the project measures this benchmark cold: its first calls, and what compiling them takes, are in the values");
    }

    [Fact]
    public void where_one_arm_alone_is_cold_it_is_named()
    {
        var row = Primary(Evidence("null", _ => 100), Rising(Cold));
        row.Verdict.ShouldBe(Verdict.Regressed);
        row.Warnings.ShouldHaveSingleItem().ShouldStartWith("the project measures this benchmark cold in arm head only: ");
    }

    [Fact]
    public void the_other_arm_is_judged_as_ever()
    {
        var row = Primary(Rising("null"), Rising(Cold));
        row.Verdict.ShouldBe(Verdict.NotSteady);
        row.Warnings.Count.ShouldBe(2);
        row.Warnings[0].ShouldStartWith("not-steady: arm base became faster while it was measured");
    }

    [Theory]
    [InlineData("null")] // a journal of before there was a mark
    [InlineData("\"warm\"")]
    [InlineData("7")]
    [InlineData("[\"cold\"]")]
    public void without_the_mark_it_is_not_steady(string age)
    {
        var row = Primary(Rising(age), Rising(age));
        row.Verdict.ShouldBe(Verdict.NotSteady);
        row.Warnings.ShouldHaveSingleItem().ShouldStartWith("not-steady: ");
    }

    [Fact]
    public void a_session_of_one_arm_says_it_too()
    {
        var session = new SampleSetBuilder().Cell("c001", "head");
        Enumerable.Range(0, 8).ToList().ForEach(round => session.Launched(Stage.Screen, round, "head", 100, Rising(Cold)(round)));
        var row = session.Compare().Cells.Single(row => row.Primary);
        row.Verdict.ShouldBeNull();
        row.Warnings.ShouldHaveSingleItem().ShouldStartWith("the project measures this benchmark cold: ");
    }

    private static ComparedMetric Primary(Func<int, JsonObject> @base, Func<int, JsonObject> head) =>
        new SampleSetBuilder().Cell("c001").Filled(Stage.Confirm, 20, @base, head, 0.1).Compare().Cells.Single(row => row.Primary);

    private static Func<int, JsonObject> Rising(string age) => Evidence(age, window => window < 18 ? 60 : 100);

    private static Func<int, JsonObject> Evidence(string age, Func<int, double> rate) => _ => new()
    {
        ["age"] = JsonNode.Parse(age),
        ["windows"] = new JsonObject
        {
            ["warmUpSeconds"] = 0,
            ["ends"] = new JsonArray([.. Enumerable.Range(1, 36).Select(window => (JsonNode)(window / 10.0))]),
            ["rates"] = new JsonArray([.. Enumerable.Range(0, 36).Select(window => (JsonNode)rate(window))]),
        },
    };
}
