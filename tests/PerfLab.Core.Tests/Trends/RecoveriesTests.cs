using System.Globalization;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Trends;

public sealed class RecoveriesTests
{
    private static readonly DateTimeOffset Start = new(2026, 1, 4, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void a_series_that_stays_slower_keeps_the_change_open_until_it_is_back_too()
    {
        Program a = new("a", session => session is >= 20 and < 35 ? 0.05 : 0), b = new("b", session => session is >= 20 and < 55 ? 0.08 : 0);
        var found = Look(30, null, a, b).Changes.ShouldHaveSingleItem();
        (found.Status, found.Members.Count).ShouldBe((ChangeStatus.Confirmed, 2));

        var half = Look(50, Look(30, null, a, b), a, b);
        half.Changes.Select(change => (change.Status, change.RecoveredBy)).ShouldBe([(ChangeStatus.Confirmed, null), (ChangeStatus.Confirmed, null)]);
        half.Changes[1].Members.ShouldHaveSingleItem().Workload.ShouldBe("a");

        var whole = Look(75, half, a, b);
        whole.Changes.Select(change => change.Status).ShouldBe([ChangeStatus.Recovered, ChangeStatus.Confirmed, ChangeStatus.Confirmed]);
        whole.Changes[0].RecoveredBy.ShouldBe(whole.Changes[2].Id);
    }

    [Fact]
    public void a_series_that_joined_after_the_experiment_keeps_the_change_open_too()
    {
        Program a = new("a", session => session is >= 20 and < 35 ? 0.05 : 0), b = new("b", session => session >= 21 ? 0.08 : 0);
        var alone = Look(30, null, a);
        var joined = Look(31, alone, a, b);
        joined.Changes.ShouldHaveSingleItem().Members.Select(member => member.Workload).ShouldBe(["a", "b"], ignoreOrder: true);
        joined.Changes[0].Experiment!.Series.ShouldBe(alone.Changes[0].Members[0].Series, "what was measured stays what was measured");
        Look(50, joined, a, b).Changes.Select(change => change.Status).ShouldBe([ChangeStatus.Confirmed, ChangeStatus.Confirmed]);
    }

    [Fact]
    public void a_series_that_was_back_and_is_slower_for_another_reason_does_not_keep_the_first_change_open()
    {
        Program a = new("a", session => session is (>= 20 and < 35) or >= 50 ? 0.05 : 0), b = new("b", session => session is >= 20 and < 65 ? 0.08 : 0);
        TrendState? state = null;
        foreach (var sessions in (int[])[30, 45, 60, 80])
        {
            state = Look(sessions, state, a, b);
        }

        // Slower; a mended; a slower again, by another commit; b mended.
        var changes = state!.Changes.Where(change => change.Status != ChangeStatus.NotConfirmed).ToList();
        changes.ConvertAll(change => change.Status).ShouldBe(
            [ChangeStatus.Recovered, ChangeStatus.Recovered, ChangeStatus.Confirmed, ChangeStatus.Confirmed]);
        changes[0].RecoveredBy.ShouldBe(changes[3].Id);
    }

    [Fact]
    public void a_series_that_only_seemed_slower_does_not_keep_the_change_open()
    {
        Program a = new("a", session => session is >= 20 and < 40 ? 0.05 : 0);
        // Ten bad sessions, that no commit made.
        Program b = new("b", session => session is >= 20 and < 30 ? 0.04 : 0) { Truth = _ => 0 };
        var found = Look(30, null, a, b);
        found.Changes.ShouldHaveSingleItem().Members.Count.ShouldBe(2);
        Look(60, found, a, b).Changes[0].Status.ShouldBe(ChangeStatus.Recovered);
    }

    [Fact]
    public void a_series_that_is_faster_now_than_before_the_change_is_back()
    {
        Program a = new("a", session => session < 20 ? 0 : session < 35 ? 0.05 : -0.04);
        Look(50, Look(30, null, a), a).Changes.Select(change => change.Status).ShouldBe([ChangeStatus.Recovered, ChangeStatus.Confirmed]);
    }

    [Fact]
    public void a_change_that_is_not_clear_joins_no_other_and_is_watched_by_itself()
    {
        Program a = new("a", session => session >= 20 ? 0.05 : 0);
        // Ten points: of four hundred series such an order comes up by chance in one or the other.
        Program b = new("b", session => session >= 20 ? 0.05 : 0) { First = 15 };
        var quiet = Enumerable.Range(0, 400).Select(number => new Program($"quiet-{number}", _ => 0));

        var changes = Look(25, null, [a, b, .. quiet]).Changes;

        changes.Single(change => change.Members.Any(member => member.Workload == "a")).Members.ShouldHaveSingleItem();
        changes.Single(change => change.Members.Any(member => member.Workload == "b")).Status.ShouldBe(ChangeStatus.Watched);
        Look(25, null, a, b).Changes.ShouldHaveSingleItem().Members.Count.ShouldBe(2, "of two series it is clear");
    }

    /// <param name="Name">Of its workload.</param>
    /// <param name="Level">What the sessions show, in log units.</param>
    private sealed record Program(string Name, Func<int, double> Level)
    {
        /// <summary>What an experiment measures.</summary>
        public Func<int, double> Truth { get; init; } = Level;

        /// <summary>Its first session.</summary>
        public int First { get; init; }
    }

    /// <summary>A look at so many sessions, with the experiments that it asks for.</summary>
    private static TrendState Look(int sessions, TrendState? before, params Program[] programs)
    {
        var series = programs.Select(program => (program.Truth, Series: Series(program, sessions))).ToList();
        return TrendLook.Look([.. series.Select(one => one.Series)], before, (hash, first, last) =>
        {
            var truth = series.Single(one => one.Series.Name.Hash == hash).Truth;
            var change = truth(SessionOf(last)) - truth(SessionOf(first));
            return new("experiment", Math.Exp(change) - 1, null, null, 0.001, 28,
                change > 0.01 ? Verdict.Regressed : change < -0.01 ? Verdict.Improved : Verdict.Unchanged);
        });
    }

    private static int SessionOf(string commit) => int.Parse(commit, NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    /// <summary>Points with 0.3 % of noise of their own.</summary>
    private static TrendSeries Series(Program program, int sessions)
    {
        var random = SeededRandom.For(7, program.Name);
        return new(
            new()
            {
                Workload = program.Name,
                Values = new Dictionary<string, string> { ["pgo"] = "on" },
                Against = new Dictionary<string, string>(),
                Metric = "time",
                Unit = "s",
                Better = Better.Lower,
                Machine = "machine",
                Cpu = "cpu",
                Executor = "process",
            },
            [.. Enumerable.Range(program.First, sessions - program.First).Select(session => new TrendPoint(
                $"s{session:000}", Start.AddDays(session), $"{session:x7}", "anchor", program.Level(session) + (0.003 * random.NextNormal()), null))]);
    }
}
