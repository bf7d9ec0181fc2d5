using System.Diagnostics;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>A lab in a real repository: two commits on main, and a change of the workload that nobody committed.</summary>
internal sealed class TwoCommits : IDisposable
{
    private readonly PullRequestLab _lab = new();

    public TwoCommits()
    {
        Git("init", "--quiet", "--initial-branch=main");
        Base = Commit("echo old");
        Head = Commit("echo new");
        Write("repo/workloads/echo/run.sh", "#!/bin/sh\necho not committed\n");
    }

    public string Base { get; }

    public string Head { get; }

    public PullRequestLab PullRequest => _lab;

    public string Folder => _lab.Folder;

    public string At(string name) => _lab.At(name);

    public void Write(string name, string text) => _lab.Write(name, text);

    public Task<(int Exit, string Out, string Error)> RunAsync(params string[] arguments) => _lab.RunAsync(arguments);

    public Task<(int Exit, string Out, string Error)> RunInAsync(string root, params string[] arguments) =>
        _lab.RunInAsync(root, arguments);

    /// <summary>What `plan` with these arguments prints, also in plan.json.</summary>
    public async Task<RunPlan> PlanAsync(params string[] arguments)
    {
        var (exit, output, error) = await RunAsync(["plan", .. arguments]);
        exit.ShouldBe(0, error);
        Write("plan.json", output);
        return PlanFile.File.Read(output).Value.ShouldNotBeNull().Plan;
    }

    /// <summary>Commits everything, with this text as the workload's script.</summary>
    public string Commit(string text, string below = "")
    {
        Write($"repo/{below}workloads/echo/run.sh", $"#!/bin/sh\n{text}\n");
        Git("add", "-A");
        Git("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", text);
        return Git("rev-parse", "HEAD").Trim();
    }

    public string Git(params string[] arguments)
    {
        var start = new ProcessStartInfo("git", ["-C", At("repo"), .. arguments])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        process.ExitCode.ShouldBe(0);
        return output;
    }

    public void Dispose() => _lab.Dispose();
}
