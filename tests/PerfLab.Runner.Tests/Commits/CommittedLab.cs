using System.Diagnostics;
using PerfLab.Runner.Commits;
using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Runner.Tests.Commits;

/// <summary>A small lab in a repository of its own, whose commits say how slow they are. The first one is tagged `begin` and takes 100.</summary>
internal sealed class CommittedLab : IDisposable
{
    private readonly LabFixture _lab = new();

    public CommittedLab()
    {
        File.WriteAllText(At(".gitignore"), ".perf-lab/\nsearch/\nmachine.lock*\n");
        Git("init", "--quiet", "--initial-branch=main");
        Commit("Begin", 100);
        Git("tag", "begin");
    }

    public void Dispose() => _lab.Dispose();

    public Task<(int Code, string Out, string Error)> RunAsync(string arguments, CancellationToken cancellationToken = default) =>
        _lab.RunAsync(arguments, cancellationToken);

    /// <summary>Is told each line on stderr as it comes.</summary>
    public Action<string?> Hears
    {
        set => _lab.Hears = value;
    }

    public void Commit(string subject, double time) => Commit(subject, FormattableString.Invariant($"{time}"));

    /// <param name="subject">First line of its message.</param>
    /// <param name="time">A number, or a word of the shell that becomes one.</param>
    /// <param name="evidence">Of its results, JSON.</param>
    public void Commit(string subject, string time, string evidence = "{}")
    {
        Directory.CreateDirectory(At("workloads/behaving"));
        File.WriteAllText(At("workloads/behaving/run.sh"), FormattableString.Invariant($$$"""
            #!/bin/sh
            # {{{subject}}}
            printf '{"schema":"perf-lab/result/1","nonce":"%s","measuredSeconds":0.001,"metrics":{"time":{"value":%s,"unit":"s"}},"evidence":%s}' \
              "$PERF_LAB_NONCE" {{{time}}} '{{{evidence}}}' >"$PERF_LAB_RESULT"
            """));
        Git("add", "--all");
        Git("commit", "--quiet", "--message", subject);
    }

    /// <summary>A commit without the workload; the manifest stays where the person stands.</summary>
    public void Lose(string subject)
    {
        Git("rm", "--quiet", "-r", "--cached", "--ignore-unmatch", "workloads/behaving");
        File.WriteAllText(At("lost.txt"), subject);
        Git("add", "lost.txt");
        Git("commit", "--quiet", "--message", subject);
    }

    /// <summary>What a search in the folder `search` knows.</summary>
    public BisectFile Searched() => BisectFile.File.Read(File.ReadAllText(At("search/bisect.json"))).Value!;

    /// <summary>The full id of a commit.</summary>
    public string Id(string name) => Git("rev-parse", name).Trim();

    public string At(string path) => Path.Combine(_lab.Root, path);

    public string Git(params string[] arguments)
    {
        string[] all = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com", "-c", "commit.gpgsign=false", .. arguments];
        var start = new ProcessStartInfo("git", all)
        {
            WorkingDirectory = _lab.Root,
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEnd();
        var error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        process.ExitCode.ShouldBe(0, $"git {string.Join(' ', arguments)}: {error}");
        return output;
    }
}
