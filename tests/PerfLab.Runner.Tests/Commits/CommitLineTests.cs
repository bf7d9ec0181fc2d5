using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Runner.Commits;

namespace PerfLab.Runner.Tests.Commits;

/// <summary>Which commits are searched where branches were merged.</summary>
public sealed class CommitLineTests : IDisposable
{
    private readonly CommittedLab _lab = new();
    private readonly List<Problem> _problems = [];

    public CommitLineTests()
    {
        _lab.Git("checkout", "--quiet", "-b", "side");
        _lab.Commit("One on the side", 105);
        _lab.Commit("Two on the side", 105);
        _lab.Git("checkout", "--quiet", "main");
        _lab.Commit("On main", 100);
        _lab.Git("merge", "--quiet", "--no-ff", "--strategy-option=theirs", "--message", "Merge it", "side");
        _lab.Commit("After it", 105);
    }

    public void Dispose() => _lab.Dispose();

    [Fact]
    public void a_branch_that_was_merged_is_one_commit()
    {
        var line = CommitLine.Between(new Git(_lab.At("")), "begin", "main", _problems);

        _problems.ShouldBeEmpty();
        line.Select(commit => commit.Subject).ShouldBe(["", "On main", "Merge it", "After it"]);
        line[0].Id.ShouldBe(_lab.Id("begin"));
    }

    [Theory]
    [InlineData("side")]
    [InlineData("side~1")]
    public void a_good_commit_that_came_in_by_a_merge_is_not_on_the_line(string good)
    {
        // Those of main before the merge do not hold it: beside it they would look like what made it slower.
        CommitLine.Between(new Git(_lab.At("")), good, "main", _problems).ShouldBeEmpty();

        var problem = _problems.ShouldHaveSingleItem();
        problem.What.ShouldContain("by a merge, so it is not on the line that is searched");
        problem.Try.ShouldNotBeNull().ShouldContain($"--good {_lab.Id("begin")[..12]}");
    }
}
