using PerfLab.Core.Planning.Plans;
using PerfLab.Reports;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>`source=COMMIT` on the command line, against a real repository.</summary>
public sealed class SourceCommitTests : IDisposable
{
    private readonly TwoCommits _lab = new();

    [Fact]
    public async Task the_line_under_a_row_of_a_pull_request_can_be_pasted()
    {
        _lab.PullRequest.Request["base"] = _lab.Base;
        _lab.PullRequest.Request["head"] = _lab.Head;
        var asked = await _lab.PullRequest.PlanAsync();
        var lines = asked.Cells.Select(cell => ReproduceLine.For(cell.ToCell(_ => null, _ => null, null), "head", asked.Policy, new(asked.Seed)).ShouldNotBeNull()).ToList();
        lines[0].ShouldBe($"./perf-lab run echo --base source={_lab.Base[..12]} --head source={_lab.Head[..12]} --set size=1 --rounds 8+20 --sessions 2 --seed 7");
        foreach (var (cell, line) in asked.Cells.Zip(lines))
        {
            var (exit, output, error) = await _lab.RunAsync([.. line.Split(' ')[1..], "--dry-run"]);
            exit.ShouldBe(0, error);
            output.ShouldContain("1 cell,");
            var pasted = await _lab.PlanAsync(line.Split(' ')[2..]);
            pasted.Policy.ShouldBe(asked.Policy);
            var again = pasted.Cells.ShouldHaveSingleItem();
            (again.Workload, Text(again.Parameters), Text(again.Arms[0].Dimensions), Text(again.Arms[1].Dimensions))
                .ShouldBe((cell.Workload, Text(cell.Parameters), Text(cell.Arms[0].Dimensions), Text(cell.Arms[1].Dimensions)));
        }
    }

    [Fact]
    public async Task each_arm_is_built_from_its_commit_and_the_checkout_of_the_person_stays_as_it_is()
    {
        var status = _lab.Git("status", "--porcelain");
        var plan = await _lab.PlanAsync("echo", "--base", "source=" + _lab.Base[..9], "--head", "source=" + _lab.Head);
        var (exit, _, error) = await _lab.RunAsync("build", "plan.json", "--executor", "process");
        exit.ShouldBe(0, error);
        error.ShouldContain($"build 1 of 2: echo source {_lab.Base[..12]}");
        plan.Cells[0].Arms.Select(arm => File.ReadAllText(Path.Combine(arm.Recipe.Folder, "run.sh"))).ShouldBe(["#!/bin/sh\necho old\n", "#!/bin/sh\necho new\n"]);
        // Whatever the lab's own folder says to MSBuild is not said to a checkout.
        File.ReadAllText(_lab.At("repo/.perf-lab/checkouts/Directory.Packages.props")).ShouldBe("<Project />\n");
        (_lab.Git("status", "--porcelain"), _lab.Git("worktree", "list").Split('\n').Length).ShouldBe((status, 2));
    }

    [Fact]
    public async Task a_lab_below_the_top_of_its_repository_is_found_in_the_commit()
    {
        _lab.Write("repo/inner/perf-lab.yaml", PullRequestLab.Configuration);
        Directory.Move(_lab.At("repo/workloads"), _lab.At("repo/inner/workloads"));
        var commit = _lab.Commit("echo inner", "inner/");
        var (exit, output, error) = await _lab.RunInAsync("repo/inner", "plan", "echo", "--base", "source=" + commit, "--head", "source=" + commit);
        exit.ShouldBe(0, error);
        PlanFile.File.Read(output).Value!.Plan.Cells[0].Arms[0].Recipe.Folder.ShouldBe(_lab.At($"repo/inner/.perf-lab/checkouts/{commit}/repo/inner/workloads/echo"));
    }

    private static string Text(IReadOnlyDictionary<string, string> pairs) => string.Join(' ', pairs.Select(pair => $"{pair.Key}={pair.Value}"));

    public void Dispose() => _lab.Dispose();
}
