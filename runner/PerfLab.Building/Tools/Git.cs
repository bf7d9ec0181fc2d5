using System.Diagnostics;

namespace PerfLab.Building.Tools;

/// <summary>The git program in one folder, for `source=COMMIT`. It only reads the repository: commits are checked out elsewhere.</summary>
public sealed class Git(string folder)
{
    /// <summary>The full id of a commit that this repository has, or null: unknown, ambiguous, no commit, no repository, no git.</summary>
    public string? Commit(string name) => Run("rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}") is (0, { Length: 41 } id) ? id.TrimEnd() : null;

    /// <summary>The folder's place in its repository, "" at the top, "a/b/" below.</summary>
    public string Prefix() => Run("rev-parse", "--show-prefix").Output.TrimEnd();

    /// <summary>Checks a commit out into a folder that does not exist. A clone of its own that shares the objects: the person's branches, index and worktrees stay as they are.</summary>
    /// <returns>What git said when it failed, otherwise null.</returns>
    public string? CheckOut(string commit, string target)
    {
        var (code, output) = Run("clone", "--quiet", "--shared", "--no-checkout", "--", Run("rev-parse", "--show-toplevel").Output.TrimEnd(), target);
        if (code == 0)
        {
            (code, output) = new Git(target).Run("checkout", "--quiet", "--detach", commit);
        }

        return code == 0 ? null : output.Trim();
    }

    private (int Code, string Output) Run(params string[] arguments)
    {
        var start = new ProcessStartInfo("git", arguments) { WorkingDirectory = folder, UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("GIT_", StringComparison.Ordinal)).ToList())
        {
            start.Environment.Remove(name);    // inside a hook they would name another repository
        }

        start.Environment["LC_ALL"] = "C";
        try
        {
            using var process = Process.Start(start)!;
            process.StandardInput.Close();
            var error = process.StandardError.ReadToEndAsync();
            var output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            return (process.ExitCode, process.ExitCode == 0 ? output : error.GetAwaiter().GetResult());
        }
        catch (System.ComponentModel.Win32Exception missing)
        {
            return (127, missing.Message);
        }
    }
}
