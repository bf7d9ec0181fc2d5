using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Trends;

public sealed class TrendLookTests
{
    private static readonly DateTimeOffset Start = new(2026, 1, 4, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void a_step_is_seen_at_its_place_with_its_size_and_the_command_that_confirms_it()
    {
        var change = Look([Series("a", 30, step: 20, size: 0.05)]).Changes.ShouldHaveSingleItem();
        (change.Status, change.Before.Session, change.After.Session).ShouldBe((ChangeStatus.Due, "s018", "s021"));
        change.Members.ShouldHaveSingleItem().Change.ShouldBe(0.05, 0.003);
        change.Confirm.ShouldBe("./perf-lab run a --base source=0000012 --head source=0000015 --set pgo=on --rounds 0+28");
    }

    [Fact]
    public void a_series_without_a_change_has_none() => Look([Series("a", 60)]).Changes.ShouldBeEmpty();

    [Fact]
    public void series_that_change_between_the_same_sessions_are_one_change()
    {
        var state = Look([Series("a", 30, step: 20, size: 0.05), Series("b", 30, step: 20, size: 0.08), Series("c", 30, step: 21, size: 0.02), Series("d", 30)]);
        state.Changes.ShouldHaveSingleItem().Members.Select(member => member.Workload).ShouldBe(["a", "b", "c"], ignoreOrder: true);
    }

    [Fact]
    public void opposite_directions_and_other_machines_are_other_changes() => Look(
    [
        Series("a", 30, step: 20, size: 0.05), Series("b", 30, step: 20, size: -0.05), Series("c", 30, step: 20, size: 0.05, machine: "other"),
    ]).Changes.Count.ShouldBe(3);

    [Fact]
    public void an_unclear_change_waits_for_a_second_look_and_a_repeated_look_is_no_second_one()
    {
        // Among 150 series, four points are not clear at once.
        List<TrendSeries> Lab(int sessions) => [Series("a", sessions, step: 20, size: 0.05), .. Enumerable.Range(0, 150).Select(number => Series($"quiet-{number}", sessions))];
        var first = Look(Lab(24));
        OfA(first).Status.ShouldBe(ChangeStatus.Watched);
        var repeated = TrendLook.Look(Lab(24), first, Nothing);
        TrendState.File.Write(repeated).ShouldBe(TrendState.File.Write(first));
        var second = OfA(TrendLook.Look(Lab(25), repeated, Nothing));
        (second.Status, second.Id, second.Looks).ShouldBe((ChangeStatus.Due, OfA(first).Id, 2));
        OfA(Look([Series("a", 24, step: 20, size: 0.05)])).Status.ShouldBe(ChangeStatus.Due, "alone it is clear");

        static TrendChange OfA(TrendState state) => state.Changes.Single(change => change.Members.Any(member => member.Workload == "a"));
    }

    [Fact]
    public void a_change_that_is_not_seen_any_more_is_gone_and_a_confirmed_one_stays()
    {
        var due = Look([Series("a", 30, step: 20, size: 0.05)]);
        TrendLook.Look([Series("a", 31)], due, Nothing).Changes.ShouldBeEmpty();
        var confirmed = TrendLook.Look([Series("a", 30, step: 20, size: 0.05)], due, Found(0.05));
        confirmed.Changes.ShouldHaveSingleItem().Status.ShouldBe(ChangeStatus.Confirmed);
        TrendLook.Look([Series("a", 31)], confirmed, Nothing).Changes.ShouldHaveSingleItem().Status.ShouldBe(ChangeStatus.Confirmed);
    }

    [Theory]
    [InlineData(0.05, Verdict.Regressed, ChangeStatus.Confirmed)]
    [InlineData(-0.05, Verdict.Improved, ChangeStatus.NotConfirmed)]
    [InlineData(0.001, Verdict.Unchanged, ChangeStatus.NotConfirmed)]
    [InlineData(0.02, Verdict.Undecided, ChangeStatus.NotConfirmed)]
    public void the_experiment_decides(double change, Verdict verdict, ChangeStatus expected)
    {
        var decided = Look([Series("a", 30, step: 20, size: 0.05)], (_, _, _) => new("e", change, null, null, 0.5, 28, verdict)).Changes.ShouldHaveSingleItem();
        (decided.Status, decided.Experiment!.Session, decided.Confirm).ShouldBe((expected, "e", null));
    }

    [Fact]
    public void the_experiment_is_asked_for_by_the_commits_of_the_change()
    {
        var asked = new List<(string, string)>();
        Look([Series("a", 30, step: 20, size: 0.05)], (_, before, after) =>
        {
            asked.Add((before, after));
            return null;
        });
        asked.ShouldBe([("0000012", "0000015")]);
    }

    [Fact]
    public void a_step_of_all_anchors_is_the_machines_and_a_change_there_that_no_experiment_finds_too()
    {
        var series = Enumerable.Range(0, 4).Select(number => Series($"w{number}", 30, step: number == 0 ? 20 : null, size: 0.03, anchorStep: 20)).ToList();
        var state = Look(series, Found(0.001, Verdict.Unchanged));
        var step = state.Environment.ShouldHaveSingleItem();
        (step.Before.Session, step.After.Session, step.Share).ShouldBe(("s019", "s020", 1.0));
        step.Change.ShouldBe(Math.Exp(0.1) - 1, 0.005);
        state.Changes.ShouldHaveSingleItem().Status.ShouldBe(ChangeStatus.Environment);
    }

    [Fact]
    public void a_step_of_few_anchors_is_not_the_machines() => Look(
        [Series("a", 30, anchorStep: 20), Series("b", 30), Series("c", 30)]).Environment.ShouldBeEmpty();

    [Fact]
    public void the_same_commit_before_and_after_is_the_machine_without_an_experiment() =>
        Look([Series("a", 30, step: 20, size: 0.05, oneCommit: true)]).Changes.ShouldHaveSingleItem().Status.ShouldBe(ChangeStatus.Environment);

    [Fact]
    public void a_fix_that_is_confirmed_closes_what_it_takes_back_and_a_smaller_one_does_not()
    {
        TrendSeries Fixed(double left, int sessions) => Series("a", sessions) is var quiet
            ? quiet with { Points = [.. quiet.Points.Select((point, at) => point with { Change = point.Change + (at < 20 ? 0 : at < 35 ? 0.05 : left) })] }
            : quiet;
        Experiment? Both(string series, string before, string after) => new(before, string.CompareOrdinal(before, "0000018") < 0 ? 0.05 : -0.05, null, null, 0.001, 28,
            string.CompareOrdinal(before, "0000018") < 0 ? Verdict.Regressed : Verdict.Improved);
        var found = Look([Fixed(0, 30)], Both);
        found.Changes.ShouldHaveSingleItem().Status.ShouldBe(ChangeStatus.Confirmed);
        var state = TrendLook.Look([Fixed(0, 50)], found, Both);
        state.Changes.Select(change => change.Status).ShouldBe([ChangeStatus.Recovered, ChangeStatus.Confirmed]);
        state.Changes[0].RecoveredBy.ShouldBe(state.Changes[1].Id);
        TrendLook.Look([Fixed(0.02, 50)], found, Both).Changes.Select(change => change.Status).ShouldBe([ChangeStatus.Confirmed, ChangeStatus.Confirmed]);
    }

    [Fact]
    public void what_is_accepted_is_shown_and_called_no_more_and_a_new_series_in_it_is_called_again()
    {
        List<TrendSeries> one = [Series("a", 30, step: 20, size: 0.05)];
        var found = Look(one);
        var change = found.Changes.ShouldHaveSingleItem();
        change.Status.ShouldBe(ChangeStatus.Due);
        var accepted = new AcceptedChanges { Changes = [Accepted(change)] };

        var known = TrendLook.Look(one, found, Nothing, accepted).Changes.ShouldHaveSingleItem();
        (known.Status, known.Accepted, known.Confirm).ShouldBe((ChangeStatus.Watched, "it \u202echecks more", null));
        TrendText.Of(TrendLook.Look(one, found, Nothing, accepted)).ShouldSatisfyAllConditions(
            text => text.ShouldContain("accepted (1):"), text => text.ShouldNotContain("to be confirmed"), text => text.ShouldNotContain("\u202e"));
        TrendLook.Look([Series("a", 45, step: 20, size: 0.05)], found, Nothing, accepted).Changes.ShouldHaveSingleItem().Accepted.ShouldNotBeNull();

        var wider = TrendLook.Look([.. one, Series("b", 30, step: 20, size: 0.05)], found, Nothing, accepted).Changes.ShouldHaveSingleItem();
        (wider.Members.Count, wider.Accepted, wider.Status).ShouldBe((2, null, ChangeStatus.Due));
        TrendLook.Look(one, found, Nothing, AcceptedChanges.None).Changes.ShouldHaveSingleItem().Status.ShouldBe(ChangeStatus.Due, "taken back");
    }

    [Fact]
    public void another_place_and_the_other_direction_are_not_what_was_accepted()
    {
        var accepted = new AcceptedChanges { Changes = [Accepted(Look([Series("a", 30, step: 20, size: 0.05)]).Changes[0])] };
        TrendLook.Look([Series("a", 30, step: 12, size: 0.05)], null, Nothing, accepted).Changes.ShouldHaveSingleItem().Accepted.ShouldBeNull();
        TrendLook.Look([Series("a", 30, step: 20, size: -0.05)], null, Nothing, accepted).Changes.ShouldHaveSingleItem().Accepted.ShouldBeNull();
    }

    private static AcceptedChange Accepted(TrendChange change) => new()
    {
        Id = change.Id,
        Series = change.Members[0].Series,
        Before = change.Before.Commit,
        After = change.After,
        Change = change.Members[0].Change,
        Because = "it \u202echecks more",
        On = Start,
    };

    [Fact]
    public void a_series_without_a_value_in_three_sessions_of_its_machine_has_stopped()
    {
        var (all, two, other) = (Series("a", 30), Series("b", 28), Series("d", 10, machine: "other"));
        var stopped = Look([all, two, Series("c", 27), other]).Stopped.ShouldHaveSingleItem();
        (stopped.Workload, stopped.Missed, stopped.Last.Session).ShouldBe(("c", 3, "s026"));
    }

    [Fact]
    public void the_state_survives_being_written_and_read()
    {
        List<TrendSeries> lab = [Series("a", 30, step: 20, size: 0.05, anchorStep: 10), Series("b", 26, step: 12, size: -0.05)];
        var state = TrendLook.Look(lab, Look(lab), Found(0.05));
        var text = TrendState.File.Write(state);
        var read = TrendState.File.Read(text);
        read.Problems.ShouldBeEmpty();
        TrendState.File.Write(read.Value!).ShouldBe(text);
        TrendState.File.Write(TrendLook.Look(lab, read.Value, Nothing)).ShouldBe(text);
    }

    [Theory]
    [InlineData("a; rm -rf /")]
    [InlineData("--out")]
    [InlineData("$(id)")]
    public void a_name_that_a_shell_would_read_gives_no_command(string workload)
    {
        var change = Look([Series(workload, 30, step: 20, size: 0.05)]).Changes.ShouldHaveSingleItem();
        change.Confirm.ShouldBeNull();
    }

    [Fact]
    public void hostile_names_are_shown_as_text()
    {
        var text = TrendText.Of(Look([Series("a\u001b[31m\u202e<!-- x", 30, step: 20, size: 0.05)]));
        text.ShouldNotContain("\u001b");
        text.ShouldNotContain("\u202e");
        text.ShouldNotContain("<!--");
        text.ShouldContain("confirm by hand");
    }

    private static Experiment? Nothing(string series, string before, string after) => null;

    private static FindExperiment Found(double change, Verdict verdict = Verdict.Regressed) => (_, _, _) => new("experiment", change, change - 0.01, change + 0.01, 0.0001, 28, verdict);

    private static TrendState Look(IReadOnlyList<TrendSeries> series, FindExperiment? experiments = null) => TrendLook.Look(series, null, experiments ?? Nothing);

    /// <summary>Points with 0.3 % of noise of their own.</summary>
    private static TrendSeries Series(
        string workload, int sessions, int? step = null, double size = 0, int? anchorStep = null, string machine = "machine", bool oneCommit = false)
    {
        var random = SeededRandom.For(7, workload);
        return new(
            new()
            {
                Workload = workload,
                Values = new Dictionary<string, string> { ["pgo"] = "on" },
                Against = new Dictionary<string, string>(),
                Metric = "time",
                Unit = "s",
                Better = Better.Lower,
                Machine = machine,
                Cpu = "cpu",
                Executor = "process",
            },
            [.. Enumerable.Range(0, sessions).Select(session => new TrendPoint(
                $"s{session:000}", Start.AddDays(session), oneCommit ? "1234567" : $"{session:x7}", "anchor",
                (0.003 * random.NextNormal()) + (session >= step ? Math.Log(1 + size) : 0), (0.003 * random.NextNormal()) + (session >= anchorStep ? 0.1 : 0)))]);
    }
}
