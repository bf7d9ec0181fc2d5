using PerfLab.Core.Planning.Plans;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>`plan … --checkouts DIR`: a plan where no git repository is.</summary>
public sealed class CheckoutsPlanTests : IDisposable
{
    private const string Anchor = $"source={PullRequestLab.Base}", Head = $"source={PullRequestLab.Head}";

    private readonly PullRequestLab _lab = new();

    [Fact]
    public async Task each_arm_is_the_commit_in_the_folder_of_its_name()
    {
        var (exit, output, error) = await _lab.RunAsync("plan", "pr", "--anchor", Anchor, "--head", Head, "--checkouts", ".");
        exit.ShouldBe(0, error);
        var plan = PlanFile.File.Read(output).Value.ShouldNotBeNull().Plan;
        plan.Cells.Count.ShouldBe(2);
        foreach (var cell in plan.Cells)
        {
            cell.Arms.Select(arm => arm.Id).ShouldBe(["anchor", "head"]);
            cell.Arms.Select(arm => arm.Dimensions["source"]).ShouldBe([PullRequestLab.Base[..12], PullRequestLab.Head[..12]]);
            cell.Arms.Select(arm => arm.Recipe.Folder).ShouldBe([_lab.At("anchor/workloads/echo"), _lab.At("head/workloads/echo")]);
        }

        plan.Request!.Arms.Select(arm => arm.Values["source"]).ShouldBe([PullRequestLab.Base, PullRequestLab.Head]);
    }

    [Theory]
    [InlineData("source=main")]
    [InlineData("source=a1b2c3d4e5f6")]
    [InlineData("size=2")]
    [InlineData("source=../base")]
    public async Task an_arm_without_a_full_commit_is_refused(string arm)
    {
        var (exit, output, error) = await _lab.RunAsync("plan", "pr", "--base", arm, "--head", Head, "--checkouts", ".");
        (exit, output).ShouldBe((2, ""));
        error.ShouldContain("base, source: with --checkouts each arm names a full commit");
    }

    public void Dispose() => _lab.Dispose();
}
