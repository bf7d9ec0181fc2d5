using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Tests.Statistics;

namespace PerfLab.Core.Tests.Journal;

/// <summary>A journal that says that a cell could not take turns: what was measured of it in turns is gone, and nothing else.</summary>
public sealed class WithoutTurnsTests
{
    private static readonly TurnPlan WhereItCan = new(5, 0.05) { OrLaunches = true };

    private static readonly WithoutTurns Found = new("c001", "head said more slices than it was asked for");

    [Fact]
    public void what_came_before_does_not_count_and_what_comes_after_has_no_slices()
    {
        var samples = Read(Header(WhereItCan), Launched("base", inTurns: true), Launched("head", inTurns: true),
            new VoidedRound("c001", Stage.Confirm, 0, 0, "a clock step"), new PairEnd("c001", "head", 8, EndReason.Unchanged),
            Found, Launched("head", inTurns: false), Launched("base", inTurns: false)).Samples!;

        samples.Launches.Select(launch => (launch.Arm, launch.Turns)).ShouldBe([("head", null), ("base", null)]);
        samples.Voids.ShouldBeEmpty();
        samples.Ends.ShouldBeEmpty();
        (samples.Header.Cells[0].Turns, samples.Header.Cells[0].NoTurns).ShouldBe((null, Found.Why));
    }

    [Fact]
    public void other_cells_and_an_arm_that_can_not_be_launched_stay_as_they_were()
    {
        var samples = Read(Header(WhereItCan), Launched("base", inTurns: true) with { Cell = "c002" },
            Launched("head", inTurns: true) with { Outcome = Outcome.Refused, Metrics = new Dictionary<string, double>(), Turns = null, Reason = "not built" },
            Found).Samples!;

        samples.Launches.Select(launch => launch.Cell).ShouldBe(["c002", "c001"]);
        samples.Header.Cells[1].Turns.ShouldBe(WhereItCan);
    }

    [Fact]
    public void slices_after_it_are_damage()
    {
        var contents = Read(Header(WhereItCan), Found, Launched("base", inTurns: true));
        contents.Damage!.ShouldContain("has slices of a launch that took no turns");
    }

    [Fact]
    public void a_cell_that_takes_turns_or_nothing_can_not_lose_them_and_none_can_twice()
    {
        Read(Header(WhereItCan with { OrLaunches = false }), Found).Damage!.ShouldContain("a cell that was not to be launched otherwise");
        Read(Header(WhereItCan), Found, Found).Damage!.ShouldContain("a cell that was not to be launched otherwise");
        Read(Header(WhereItCan), Found with { Cell = "c007" }).Damage!.ShouldContain("a cell that the session record does not list");
    }

    private static JournalContents Read(params JournalRecord[] records) =>
        JournalReader.Read(records.Index().SelectMany(one => JournalLine.Of(one.Index, one.Item)).ToArray());

    private static SessionHeader Header(TurnPlan turns)
    {
        var samples = new SampleSetBuilder().Cell("c001").With(cell => cell with { Turns = turns }).Cell("c002").With(cell => cell with { Turns = turns });
        return samples.Build().Header;
    }

    private static Launch Launched(string arm, bool inTurns)
    {
        var samples = new SampleSetBuilder().Cell("c001").Measured(Stage.Confirm, 0, arm, 100).Build();
        return samples.Launches[0] with
        {
            Turns = inTurns ? new() { Work = [1, 1, 1, 1, 1], Seconds = [0.05, 0.05, 0.05, 0.05, 0.05], FrozenSeconds = 0 } : null,
        };
    }
}
