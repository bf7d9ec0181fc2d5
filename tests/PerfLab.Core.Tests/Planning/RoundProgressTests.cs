using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Core.Tests.Planning;

public class RoundProgressTests
{
    private static readonly PlannedRound Round = new("c001", 0, ["base", "head"]);
    private readonly List<Launch> _launches = [];
    private readonly List<VoidedRound> _voids = [];

    private RoundProgress Progress => new(_launches, _voids);

    private int? Next => Progress.NextAttempt(Stage.Screen, Round, ["base", "head"]);

    private void Add(string arm, Outcome outcome, int attempt) => _launches.Add(new Launch
    {
        Cell = "c001",
        Stage = Stage.Screen,
        Round = 0,
        Attempt = attempt,
        Position = 0,
        Arm = arm,
        Started = default,
        WallSeconds = 1,
        Outcome = outcome,
    });

    [Fact]
    public void a_round_is_done_when_every_arm_was_measured_in_one_attempt()
    {
        Next.ShouldBe(0);
        Add("base", Outcome.Measured, 0);
        Add("head", Outcome.Measured, 0);
        Next.ShouldBeNull();
    }

    [Fact]
    public void a_failed_or_void_attempt_is_repeated_whole_at_most_three_times()
    {
        for (var attempt = 0; attempt <= 3; attempt++)
        {
            Next.ShouldBe(attempt);
            Add("base", Outcome.Measured, attempt);
            Add("head", attempt == 1 ? Outcome.Measured : Outcome.Failed, attempt);
            if (attempt == 1)
            {
                _voids.Add(new("c001", Stage.Screen, 0, 1, "clock step"));
            }
        }

        Next.ShouldBeNull();
    }

    [Fact]
    public void an_attempt_cut_in_the_middle_is_half_done_until_it_is_struck()
    {
        Add("base", Outcome.Measured, 0);
        Progress.HalfDone(Stage.Screen, Round, ["base", "head"]).ShouldBe(0);
        _voids.Add(new("c001", Stage.Screen, 0, 0, "interrupted"));
        Progress.HalfDone(Stage.Screen, Round, ["base", "head"]).ShouldBeNull();
        Next.ShouldBe(1);
    }

    [Fact]
    public void an_arm_is_given_up_after_four_failures_without_a_value_or_one_refusal()
    {
        for (var attempt = 0; attempt < 3; attempt++)
        {
            Add("head", Outcome.TimedOut, attempt);
        }

        Add("head", Outcome.KilledFromOutside, 3);
        Progress.IsGivenUp("head").ShouldBeFalse();
        Add("head", Outcome.Failed, 3);
        Progress.IsGivenUp("head").ShouldBeTrue();
        Add("base", Outcome.Refused, 0);
        Progress.IsGivenUp("base").ShouldBeTrue();
    }

    [Fact]
    public void an_arm_that_was_measured_once_is_never_given_up_for_failures()
    {
        Add("head", Outcome.Measured, 0);
        for (var attempt = 0; attempt < 10; attempt++)
        {
            Add("head", Outcome.Failed, attempt);
        }

        Progress.IsGivenUp("head").ShouldBeFalse();
    }
}
