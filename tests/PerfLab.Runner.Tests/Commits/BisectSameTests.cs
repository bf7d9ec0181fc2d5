using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Runner.Commits;

namespace PerfLab.Runner.Tests.Commits;

/// <summary>
/// Commits in which nothing differs that is run here, said by hand: what the search makes of them. That the real builds say so is tested
/// with the workloads.
/// </summary>
public sealed class BisectSameTests
{
    private static readonly string[] Ids = [new('a', 40), new('b', 40), new('c', 40), new('d', 40)];

    [Fact]
    public void a_commit_that_is_as_good_or_as_bad_needs_no_probe_and_the_ends_are_the_proof()
    {
        var file = File(("1", null), ("2", Ids[0]), ("3", Ids[3]), ("4", null));
        var search = State(file).Search;

        search.Found.ShouldBe((1, 2));
        search.Next(_ => 1).ShouldBeNull();
        BisectState.AreTheEnds(file, (1, 2)).ShouldBeTrue();
        var report = BisectReport.Render(file, Results(file), 0.01, "./perf-lab");
        report.ShouldStartWith("**cccccccccccc made it 10.0 % slower**");
        report.ShouldContain("`bbbbbbbbbbbb`, the last good one, is the same as good, and it is the same as bad; those were measured above: +10.0 %");
        report.ShouldContain("2 commits were built and not measured: nothing that it runs differs from a commit that was");
        report.ShouldContain("\n1 probe, 40 launches that counted.\n");
    }

    [Fact]
    public void a_commit_that_is_as_another_one_is_what_that_one_is()
    {
        var file = File(("1", null), ("2", Ids[0]), ("3", Ids[1]), ("4", null));

        State(file).Search.Found.ShouldBe((2, 3));
        BisectState.IsOfAnEnd(file, 2).ShouldBeTrue();
        BisectState.AreTheEnds(file, (2, 3)).ShouldBeTrue();
    }

    [Fact]
    public void commits_of_which_nothing_is_known_are_asked_and_measured_side_by_side()
    {
        var file = File(("1", null), (null, null), ("3", Ids[3]), ("4", null));

        State(file).Search.Next(_ => 1).ShouldBe(1);
        BisectState.AreTheEnds(file, (1, 2)).ShouldBeFalse(); // of the second commit nothing is known
        BisectState.AreTheEnds(file, (0, 2)).ShouldBeTrue();
        BisectState.AreTheEnds(File(("1", null), (null, null), (null, null), ("4", null)), (1, 2)).ShouldBeFalse();
    }

    [Fact]
    public void a_file_in_which_two_commits_name_each_other_is_read_to_the_end() =>
        BisectState.IsOfAnEnd(File(("1", null), ("2", Ids[2]), ("3", Ids[1]), ("4", null)), 1).ShouldBeFalse();

    private static BisectFile File(params (string? Build, string? Same)[] commits) => new()
    {
        Target = "bench",
        Set = new Dictionary<string, IReadOnlyList<string>>(),
        Feeds = [],
        Filters = [],
        Seed = 1,
        Executor = "process",
        Outcome = BisectOutcome.Found,
        Commits = [.. commits.Zip(Ids, (commit, id) => new BisectCommit(id, "Subject", commit.Build) { SameAs = commit.Same })],
        Probes = [new(1, ProbeKind.Ends, 0, commits.Length - 1, 20)],
    };

    private static BisectState State(BisectFile file) => BisectState.Of(file, Results(file), 0.01);

    private static Dictionary<int, ProbeResult> Results(BisectFile file) => file.Probes.ToDictionary(probe => probe.Number, _ => new ProbeResult(
        [.. Enumerable.Range(-10, 20).Select(step => Math.Log(1.1) + (step * 1e-4))],
        new ComparedMetric
        {
            Cell = "c001",
            Arm = "commit",
            Reference = "good",
            Metric = "time",
            Primary = true,
            Unit = "s",
            Change = 0.1,
            Low = 0.099,
            High = 0.101,
            AdjustedP = 0.00001,
            Rounds = 20,
            Verdict = Verdict.Regressed,
        }));
}
