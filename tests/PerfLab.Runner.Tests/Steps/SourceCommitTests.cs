using System.Diagnostics;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Reporting;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>`source=COMMIT` on the command line, against a real repository.</summary>
public sealed class SourceCommitTests : IDisposable
{
    private readonly PullRequestLab _lab = new();
    private readonly string _base, _head;

    public SourceCommitTests()
    {
        Git("init", "--quiet", "--initial-branch=main");
        _base = Commit("echo old");
        _head = Commit("echo new");
        _lab.Write("repo/workloads/echo/run.sh", "#!/bin/sh\necho not committed\n");
    }

    [Fact]
    public async Task the_line_under_a_row_of_a_pull_request_can_be_pasted()
    {
        _lab.Request["base"] = _base;
        _lab.Request["head"] = _head;
        var asked = await _lab.PlanAsync();
        var lines = asked.Cells.Select(cell => ReproduceLine.For(cell.ToCell(_ => null, _ => null, null), "head", asked.Policy, new(asked.Seed)).ShouldNotBeNull()).ToList();
        lines[0].ShouldBe($"./perf-lab run echo --base source={_base[..12]} --head source={_head[..12]} --set size=1 --rounds 8+20 --seed 7");
        foreach (var (cell, line) in asked.Cells.Zip(lines))
        {
            var (exit, output, error) = await _lab.RunAsync([.. line.Split(' ')[1..], "--dry-run"]);
            exit.ShouldBe(0, error);
            output.ShouldContain("1 cell,");
            var pasted = await PlanAsync(line.Split(' ')[2..]);
            pasted.Policy.ShouldBe(asked.Policy);
            var again = pasted.Cells.ShouldHaveSingleItem();
            (again.Workload, Text(again.Parameters), Text(again.Arms[0].Dimensions), Text(again.Arms[1].Dimensions))
                .ShouldBe((cell.Workload, Text(cell.Parameters), Text(cell.Arms[0].Dimensions), Text(cell.Arms[1].Dimensions)));
        }
    }

    [Fact]
    public async Task each_arm_is_built_from_its_commit_and_the_checkout_of_the_person_stays_as_it_is()
    {
        var status = Git("status", "--porcelain");
        var plan = await PlanAsync("echo", "--base", "source=" + _base[..9], "--head", "source=" + _head);
        var (exit, _, error) = await _lab.RunAsync("build", "plan.json", "--executor", "process");
        exit.ShouldBe(0, error);
        error.ShouldContain($"build 1 of 2: echo source {_base[..12]}");
        plan.Cells[0].Arms.Select(arm => File.ReadAllText(Path.Combine(arm.Recipe.Folder, "run.sh"))).ShouldBe(["#!/bin/sh\necho old\n", "#!/bin/sh\necho new\n"]);
        (Git("status", "--porcelain"), Git("worktree", "list").Split('\n').Length).ShouldBe((status, 2));
    }

    [Theory]
    [InlineData("0123456789", "0123456789", "'0123456789' is neither a path nor a commit", "git fetch origin pull/NUMBER/head")]
    [InlineData("HEAD", "head~1", "'HEAD' does not exist", "a commit of this repository (7 to 40 digits)")]
    [InlineData("0123456789", "repo", "is a commit in one arm and not in the other", "in every arm")]
    public async Task a_source_that_is_neither_path_nor_commit_is_wrong_use(string reference, string head, string problem, string hint)
    {
        var (exit, _, error) = await _lab.RunAsync("run", "echo", "--base", "source=" + reference, "--head", "source=" + head, "--dry-run");
        exit.ShouldBe(ExitCode.WrongUse);
        error.ShouldContain(problem);
        error.ShouldContain(hint);
    }

    [Fact]
    public async Task a_lab_below_the_top_of_its_repository_is_found_in_the_commit()
    {
        _lab.Write("repo/inner/perf-lab.yaml", PullRequestLab.Configuration);
        Directory.Move(_lab.At("repo/workloads"), _lab.At("repo/inner/workloads"));
        var commit = Commit("echo inner", "inner/");
        var (exit, output, error) = await _lab.RunInAsync("repo/inner", "plan", "echo", "--base", "source=" + commit, "--head", "source=" + commit);
        exit.ShouldBe(0, error);
        PlanFile.File.Read(output).Value!.Plan.Cells[0].Arms[0].Recipe.Folder.ShouldBe(_lab.At($"repo/inner/.perf-lab/checkouts/{commit}/inner/workloads/echo"));
    }

    private async Task<RunPlan> PlanAsync(params string[] arguments)
    {
        var (exit, output, error) = await _lab.RunAsync(["plan", .. arguments]);
        exit.ShouldBe(0, error);
        _lab.Write("plan.json", output);
        return PlanFile.File.Read(output).Value.ShouldNotBeNull().Plan;
    }

    private static string Text(IReadOnlyDictionary<string, string> pairs) => string.Join(' ', pairs.Select(pair => $"{pair.Key}={pair.Value}"));

    private string Commit(string text, string below = "")
    {
        _lab.Write($"repo/{below}workloads/echo/run.sh", $"#!/bin/sh\n{text}\n");
        Git("add", "-A");
        Git("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", text);
        return Git("rev-parse", "HEAD").Trim();
    }

    private string Git(params string[] arguments)
    {
        var start = new ProcessStartInfo("git", ["-C", _lab.At("repo"), .. arguments]) { UseShellExecute = false, RedirectStandardOutput = true };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        process.ExitCode.ShouldBe(0);
        return output;
    }

    public void Dispose() => _lab.Dispose();
}
