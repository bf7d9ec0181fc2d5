using PerfLab.Core.Statistics.Stages;
using PerfLab.Runner.Commits;

namespace PerfLab.Runner.Tests.Commits;

/// <summary>What a search says of the rest, where the culprit's own change is not the same figure as the whole.</summary>
public sealed class BisectReportTests
{
    private const string Rest = "That is not all of it: at least one more commit changed it.";

    /// <summary>Of the good commit, the culprit and one after it.</summary>
    private static readonly string[] Ids = [new('a', 40), new('b', 40), new('c', 40)];

    [Theory]
    // As measured once with one culprit: the two figures differ by more than the margin, their intervals meet.
    [InlineData(0.111, 0.076, 0.155, 0.090, 0.079, 0.101)]
    [InlineData(0.090, 0.079, 0.101, 0.111, 0.076, 0.155)]
    [InlineData(-0.09, -0.10, -0.08, -0.12, -0.14, -0.095)]
    // Apart, and by less than anybody would look for.
    [InlineData(0.102, 0.101, 0.103, 0.099, 0.098, 0.100)]
    public void two_figures_that_may_be_the_same_change_are_taken_for_one(
        double whole, double wholeLow, double wholeHigh, double part, double low, double high) =>
        Report((whole, wholeLow, wholeHigh), (part, low, high)).ShouldNotContain(Rest);

    [Theory]
    [InlineData(0.111, 0.106, 0.115, 0.090, 0.079, 0.101)]
    // A part that is more than the whole: a commit after it gave some of it back.
    [InlineData(0.090, 0.079, 0.101, 0.111, 0.106, 0.115)]
    [InlineData(-0.12, -0.14, -0.11, -0.05, -0.06, -0.04)]
    public void where_the_intervals_do_not_meet_the_report_says_that_there_is_another(
        double whole, double wholeLow, double wholeHigh, double part, double low, double high) =>
        Report((whole, wholeLow, wholeHigh), (part, low, high))
            .ShouldContain($"{Rest} Search on with\n\n    ../lab/perf-lab bisect many-lines --executor process --good bbbbbbbbbbbb --bad cccccccccccc\n");

    [Fact]
    public void a_search_that_went_on_before_a_commit_in_the_middle_says_so_whatever_the_intervals() =>
        Report((0.10, 0.08, 0.12), (0.10, 0.08, 0.12), Ids[1]).ShouldContain(Rest);

    [Fact]
    public void a_pair_that_was_not_proven_to_differ_is_the_likeliest_and_no_more()
    {
        var text = Report((0.10, 0.08, 0.12), (0.04, -0.01, 0.09), outcome: BisectOutcome.NotConfirmed);

        text.ShouldStartWith("**bbbbbbbbbbbb is the likeliest, but beside the last good one the change was not proven**");
        text.ShouldContain($"Likeliest: `{Ids[1]}`");
        text.ShouldNotContain(Rest);
    }

    [Fact]
    public void commits_that_nothing_tells_apart_are_told_together() =>
        Report((0.10, 0.08, 0.12), null, outcome: BisectOutcome.NothingToAsk).ShouldStartWith(
            "**Not sure yet: with 95 % one of the 2 commits from bbbbbbbbbbbb to cccccccccccc, the likeliest bbbbbbbbbbbb with 50.0 %; "
            + "no measurement tells them apart**");

    [Theory]
    [InlineData(4.0, "(try --warm-up 4)")]
    [InlineData(null, "and never came to rest")]
    public void good_and_bad_that_were_still_warming_up_are_no_beginning_of_a_search(double? seconds, string advice)
    {
        var file = File(BisectOutcome.Unclear, [new(1, ProbeKind.Ends, 0, 2, 20)]);
        var text = BisectReport.Render(file, new Dictionary<int, ProbeResult> { [1] = Restless(seconds) }, 0.01, "../lab/perf-lab");

        text.ShouldStartWith("**Whether good and bad differ could not be told: "
            + $"their programs were still warming up when they were measured {advice}**");
        text.ShouldContain("2 commits after good: nothing is known, ");
    }

    [Fact]
    public void a_culprit_that_was_still_warming_up_beside_the_one_before_is_not_confirmed_and_the_report_says_why()
    {
        BisectProbe[] probes = [new(1, ProbeKind.Ends, 0, 2, 20), new(2, ProbeKind.Search, 0, 1, 20), new(3, ProbeKind.Confirmation, 0, 1, 20)];
        var results = new Dictionary<int, ProbeResult>
        {
            [1] = Measured((0.10, 0.08, 0.12)),
            [2] = Measured((0.10, 0.08, 0.12)),
            [3] = Restless(4),
        };
        BisectStep.Confirms(results[3].Row, new(0.1, 0.01)).ShouldBeFalse();
        var text = BisectReport.Render(File(BisectOutcome.NotConfirmed, probes), results, 0.01, "../lab/perf-lab");

        text.ShouldStartWith("**bbbbbbbbbbbb is the likeliest, but beside the last good one the change was not proven**");
        text.ShouldContain("Measured beside `aaaaaaaaaaaa`, the last good one: nothing is known, "
            + "their programs were still warming up when they were measured (try --warm-up 4).\n");
        text.ShouldNotContain("adjusted p");
    }

    [Fact]
    public void what_is_searched_on_with_has_the_warm_up_of_this_search()
    {
        var results = new Dictionary<int, ProbeResult>
        {
            [1] = Measured((0.111, 0.106, 0.115)),
            [2] = Measured((0.09, 0.079, 0.101)),
            [3] = Measured((0.09, 0.079, 0.101)),
        };
        BisectProbe[] probes = [new(1, ProbeKind.Ends, 0, 2, 20), new(2, ProbeKind.Search, 0, 1, 20), new(3, ProbeKind.Confirmation, 0, 1, 20)];
        BisectReport.Render(File(BisectOutcome.Found, probes) with { WarmUpSeconds = 2.5 }, results, 0.01, "../lab/perf-lab")
            .ShouldContain("bisect many-lines --warm-up 2.5 --executor process");
    }

    private static string Report(
        (double Change, double Low, double High) whole,
        (double Change, double Low, double High)? part,
        string? searchedUpTo = null,
        BisectOutcome outcome = BisectOutcome.Found)
    {
        var file = File(outcome,
        [
            new(1, ProbeKind.Ends, 0, 2, 20),
            .. part is null ? (BisectProbe[])[] : [new(2, ProbeKind.Search, 0, 1, 20), new(3, ProbeKind.Confirmation, 0, 1, 20)],
        ]) with
        {
            SearchedUpTo = searchedUpTo,
        };
        var results = file.Probes.ToDictionary(probe => probe.Number, probe => Measured(probe.Kind == ProbeKind.Confirmation ? part!.Value : whole));
        return BisectReport.Render(file, results, 0.01, "../lab/perf-lab");
    }

    private static BisectFile File(BisectOutcome outcome, IReadOnlyList<BisectProbe> probes) => new()
    {
        Target = "many-lines",
        Set = new Dictionary<string, IReadOnlyList<string>>(),
        Feeds = [],
        Filters = [],
        Seed = 1,
        Executor = "process",
        Outcome = outcome,
        Commits = [.. Ids.Select(id => new BisectCommit(id, "Subject"))],
        Probes = probes,
    };

    /// <summary>As a probe is read whose launches were not at rest: a row without a change, and no difference that counts.</summary>
    private static ProbeResult Restless(double? seconds) => new([], new()
    {
        Cell = "c001",
        Arm = "head",
        Reference = "base",
        Metric = "time",
        Primary = true,
        Unit = "s",
        Rounds = 20,
        Verdict = Verdict.NotSteady,
        WarmUpSeconds = seconds,
    });

    private static ProbeResult Measured((double Change, double Low, double High) row) => new(
        [.. Enumerable.Range(-10, 20).Select(step => Math.Log(1 + row.Change) + (step * 1e-4))],
        new()
        {
            Cell = "c001",
            Arm = "head",
            Reference = "base",
            Metric = "time",
            Primary = true,
            Unit = "s",
            Change = row.Change,
            Low = row.Low,
            High = row.High,
            AdjustedP = 0.00001,
            Rounds = 20,
            Verdict = row.Change > 0 ? Verdict.Regressed : Verdict.Improved,
        });
}
