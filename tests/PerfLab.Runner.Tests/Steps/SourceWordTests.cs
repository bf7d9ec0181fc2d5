using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Reports;
using PerfLab.Launching.Docker;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>Branches, tags, short commits and working trees as arms, against real repositories.</summary>
public sealed class SourceWordTests : IDisposable
{
    private readonly TwoCommits _lab = new();

    [Theory]
    [InlineData("0123456789", "'0123456789' is no branch, tag or commit of", "git fetch origin pull/NUMBER/head")]
    [InlineData("mian", "'mian' is no branch, tag or commit of",
        "Did you mean main? An arm is dimension=value, or what git knows, or . for the working tree.")]
    [InlineData("feature/1", "'feature/1' is no branch", "Did you mean upstream/feature/1?")]
    [NightlyData("HEAD~99", "'HEAD~99': HEAD has no such commit before it.", "See `git log`.")]
    [InlineData("runtime", "'runtime' is no branch", "An arm is dimension=value")]
    [NightlyData("main^{tree}", "'main^{tree}' is no branch", "Valid: ")]
    [NightlyData("HEAD:workloads", "'HEAD:workloads' is no branch", "Valid: ")]
    [InlineData("main..main", "'main..main' is no branch", "Valid: ")]
    [NightlyData("--all", "'--all' is no branch", "Valid: ")]
    [InlineData("./nowhere", "'./nowhere' does not exist", "a branch, a tag, a commit")]
    [InlineData("--upload-pack=touch evil", "'--upload-pack=touch evil' is no branch", "Valid: ")]
    public async Task a_source_that_nobody_knows_is_wrong_use_with_the_nearest_names(string head, string problem, string hint)
    {
        _lab.Git("update-ref", "refs/remotes/upstream/feature/1", _lab.Base);
        var (exit, _, error) = await _lab.RunAsync("run", "echo", "--base", "source=main", "--head", "source=" + head, "--dry-run");
        exit.ShouldBe(ExitCode.WrongUse, error);
        error.ShouldContain(problem);
        error.ShouldContain(hint);
        Directory.EnumerateFiles(_lab.Folder, "evil", SearchOption.AllDirectories).ShouldBeEmpty();
    }

    [Fact]
    public async Task a_source_in_one_arm_only_says_what_to_write()
    {
        var (exit, _, error) = await _lab.RunAsync("run", "echo", "--head", "main", "--dry-run");
        exit.ShouldBe(ExitCode.WrongUse);
        error.ShouldContain("is given in one arm and not in the other");
        error.ShouldContain("--base HEAD --head .");
    }

    [Theory]
    [InlineData("main", false)]
    [InlineData("refs/heads/main", false)]
    [InlineData("v2", false)]
    [InlineData("HEAD", false)]
    [InlineData("HEAD~1", true)]
    [InlineData("v2~1", true)]
    [InlineData("--upload-pack=evil", true)]
    public async Task whatever_git_knows_becomes_a_commit_at_planning(string word, bool isBase)
    {
        _lab.Git("-c", "user.name=a", "-c", "user.email=a@example.org", "tag", "-a", "-m", "two", "v2", _lab.Head);
        _lab.Git("update-ref", "refs/heads/--upload-pack=evil", _lab.Base);
        var arms = (await _lab.PlanAsync("echo", "--base", _lab.Base, "--head", "source=" + word)).Cells[0].Arms;
        var commit = isBase ? _lab.Base : _lab.Head;
        arms[1].Dimensions["source"].ShouldBe(commit[..12]);
        arms[1].Recipe.Folder.ShouldBe(_lab.At($"repo/.perf-lab/checkouts/{commit}/repo/workloads/echo"));
    }

    [Fact]
    public async Task a_working_tree_is_measured_as_it_is_and_its_row_says_what_is_not_committed()
    {
        _lab.Write("repo/notes.txt", "nobody added this");
        var (index, plan) = (File.ReadAllBytes(_lab.At("repo/.git/index")), await _lab.PlanAsync("echo", "--base", "main", "--head", "."));
        File.ReadAllBytes(_lab.At("repo/.git/index")).ShouldBe(index);
        var arm = plan.Cells[0].Arms[1];
        (arm.Dimensions["source"], arm.Recipe.Folder, arm.WorkingTree).ShouldBe(
            (".", _lab.At("repo/workloads/echo"),
                $"{_lab.Head[..12]} with 1 changed and 1 untracked files (workloads/echo/run.sh, notes.txt)"));
        plan.Cells[0].Arms[0].WorkingTree.ShouldBeNull();
        plan.Cells[0].ToCell(_ => null, _ => null, null).Arms[1].WorkingTree.ShouldBe(arm.WorkingTree);
        ReproduceLine.For(plan.Cells[0].ToCell(_ => null, _ => null, null), "head", plan.Policy, new(7)).ShouldNotBeNull()
            .ShouldContain($"--base source={_lab.Head[..12]} --head source=. ");
    }

    [Fact]
    public async Task a_working_tree_without_changes_is_its_commit()
    {
        _lab.Git("checkout", "--quiet", "--", ".");
        var arm = (await _lab.PlanAsync("echo", "--base", "HEAD~1", "--head", ".")).Cells[0].Arms[1];
        (arm.Dimensions["source"], arm.WorkingTree).ShouldBe((_lab.Head[..12], null));
    }

    [Fact]
    public async Task another_working_tree_can_be_an_arm()
    {
        _lab.Git("worktree", "add", "--quiet", "--detach", _lab.At("other"), _lab.Base);
        _lab.Write("other/notes.txt", "new");
        var arms = (await _lab.PlanAsync("echo", "--base", "./other", "--head", "./repo")).Cells[0].Arms;
        arms.Select(arm => arm.Recipe.Folder).ShouldBe([_lab.At("other/workloads/echo"), _lab.At("repo/workloads/echo")]);
        arms[0].WorkingTree.ShouldBe($"{_lab.Base[..12]} with 1 untracked file (notes.txt)");
    }

    [Fact]
    public async Task a_folder_of_another_repository_is_looked_up_and_checked_out_there()
    {
        Directory.Move(_lab.At("repo"), _lab.At("theirs"));
        _lab.Write("repo/perf-lab.yaml", PullRequestLab.Configuration);
        var plan = await _lab.PlanAsync("./theirs/workloads/echo", "--base", "HEAD~1", "--head", ".");
        plan.Cells[0].Arms[1].Recipe.Folder.ShouldBe(_lab.At("theirs/workloads/echo"));
        var (exit, _, error) = await _lab.RunAsync("build", "plan.json", "--executor", "process");
        exit.ShouldBe(0, error);
        File.ReadAllText(_lab.At($"repo/.perf-lab/checkouts/{_lab.Base}/theirs/workloads/echo/run.sh")).ShouldBe("#!/bin/sh\necho old\n");
    }

    [Fact]
    public async Task a_folder_in_no_repository_has_no_commits()
    {
        _lab.Write("loose/workload.yaml", PullRequestLab.Manifest);
        var (exit, _, error) = await _lab.RunAsync("run", "./loose", "--base", "main", "--head", ".", "--dry-run");
        exit.ShouldBe(ExitCode.WrongUse);
        error.ShouldContain("lies in no git repository: fatal: not a git repository");
    }

    [Fact]
    public async Task a_word_that_is_a_folder_and_a_branch_is_not_guessed()
    {
        _lab.Write("repo/main/readme", "");
        var (exit, _, error) = await _lab.RunInAsync("repo", "run", "echo", "--base", "main", "--head", ".", "--dry-run");
        exit.ShouldBe(ExitCode.Done, error); // the person stands beside the repository
        _lab.Write("main/readme", "");
        _lab.Git("init", "--quiet", "--initial-branch=other", _lab.Folder);
        _lab.Git("-C", _lab.Folder, "fetch", "--quiet", _lab.At("repo"), "main:main");
        (exit, _, error) = await _lab.RunAsync("run", "echo", "--base", "main", "--head", ".", "--dry-run");
        exit.ShouldBe(ExitCode.WrongUse);
        error.ShouldContain("Write ./main for the folder, or refs/heads/main for the branch.");
    }

    [Fact]
    public async Task equal_files_of_two_commits_are_one_build_and_need_no_launch()
    {
        _lab.Git("checkout", "--quiet", "--", ".");
        _lab.Write("repo/README.md", "documents only");
        var documents = _lab.Commit("echo new");
        await _lab.PlanAsync("echo", "--base", _lab.Head, "--head", documents);
        var (exit, _, error) = await _lab.RunAsync("build", "plan.json", "--executor", "process");
        exit.ShouldBe(0, error);
        JsonNode.Parse(File.ReadAllText(_lab.At("builds.json")))!["arms"]!.AsArray()
            .Select(build => build!["build"]!["identity"]!.GetValue<string>()).Distinct().ShouldHaveSingleItem();
    }

    [Fact]
    public async Task a_script_whose_interpreter_is_in_no_container_is_refused_before_it_is_built()
    {
        _lab.Write("py/workload.yaml", PullRequestLab.Manifest.Replace("[\"./run.sh\"]", "[\"python3\", \"run.py\"]",
            StringComparison.Ordinal));
        _lab.Write("py/run.py", "print(1)");
        await _lab.PlanAsync("./py");
        var plan = PlanFile.File.Read(File.ReadAllText(_lab.At("plan.json"))).Value!.Plan;
        await using var docker = new DockerLauncher(new() { StoreFolder = _lab.At("store") });
        docker.Problems(plan).ShouldHaveSingleItem().ToString().ShouldContain("starts python3");
        _lab.Write("py/workload.yaml", PullRequestLab.Manifest);
        (string First, string Starts)[] scripts =
            [("#!/usr/bin/env python3", "python3"), ("#!/usr/bin/perl -w", "perl"), ("#!/bin/sh", ""), ("\u007fELF", "")];
        foreach (var (first, starts) in scripts)
        {
            _lab.Write("py/run.sh", first + "\n");
            docker.Problems(await _lab.PlanAsync("./py")).Select(problem => problem.What.Split(',')[0])
                .ShouldBe(starts.Length == 0 ? [] : ["starts " + starts]);
        }
    }

    [Fact]
    public async Task a_folder_outside_any_repository_is_no_working_tree()
    {
        Directory.CreateDirectory(_lab.At("plain"));
        var (exit, _, error) = await _lab.RunAsync("run", "echo", "--base", "./repo", "--head", "./plain", "--dry-run");
        exit.ShouldBe(ExitCode.WrongUse);
        error.ShouldContain("is in no working tree: fatal: not a git repository");
    }

    public void Dispose() => _lab.Dispose();
}
