using System.Diagnostics;

namespace PerfLab.Building.Tools;

/// <summary>The git program in one folder, for `source=`. It only reads the repository: commits are checked out elsewhere.</summary>
/// <remarks>
/// A person's word always follows `--end-of-options`, so that a branch called `--upload-pack=…` is a branch and no option.
/// </remarks>
public sealed class Git(string folder)
{
    /// <summary>ENOENT; the folder is there.</summary>
    private const int NoSuchFile = 2;

    /// <summary>
    /// The full id of the commit that a branch, a tag, a short id or `HEAD~1` names, or null: unknown, ambiguous, no commit, no repository,
    /// no git.
    /// </summary>
    public string? Commit(string name) => Run("rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}") is (0, { Length: 41 } id) ? id.TrimEnd() : null;

    /// <summary>The folder's place in its repository, "" at the top, "a/b/" below.</summary>
    public string Prefix() => Run("rev-parse", "--show-prefix").Output.TrimEnd();

    /// <summary>The top of the working tree that the folder lies in, or null and what git said.</summary>
    public (string? Folder, string Says) Top() =>
        Run("rev-parse", "--show-toplevel") is (0, var top) ? (top.TrimEnd('\n'), "")
            : (null, Run("rev-parse", "--show-toplevel").Output.Trim());

    /// <summary>Every branch, tag and remote branch, as a person writes them.</summary>
    public IReadOnlyList<string> Names() =>
        Run("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes") is (0, var names)
        ? names.Split('\n', StringSplitOptions.RemoveEmptyEntries) : [];

    /// <summary>The branch that is checked out; null where none is.</summary>
    public string? Branch() => Run("symbolic-ref", "--quiet", "--short", "HEAD") is (0, var name) ? name.Trim() : null;

    /// <summary>The address of a remote; null when there is none of that name.</summary>
    public string? Address(string remote) => Run("remote", "get-url", "--end-of-options", remote) is (0, var address) ? address.Trim() : null;

    /// <summary>Whether any remote branch that was fetched holds the commit.</summary>
    public bool IsOnRemote(string commit) => Run("for-each-ref", "--count=1", "--contains", commit, "refs/remotes") is (0, { Length: > 0 });

    /// <summary>Files that git knows or would add, below the folder, by the ends of their names; slashes, from the folder on.</summary>
    public IReadOnlyList<string> Files(params string[] ends) =>
        Run(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", .. ends.Select(end => "*" + end)]) is (0, var files)
        ? [.. files.Split('\0', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal)] : [];

    /// <summary>Whether the file is in the index, so in the next commit if in none yet.</summary>
    public bool Knows(string file) => Run("ls-files", "--error-unmatch", "--", ":(literal)" + file).Code == 0;

    /// <summary>Whether the one commit is the other, or one of those before it.</summary>
    public bool IsBefore(string commit, string other) => Run("merge-base", "--is-ancestor", commit, other).Code == 0;

    /// <summary>The newest commit that both have; null when they have none.</summary>
    public string? Fork(string commit, string other) => Run("merge-base", commit, other) is (0, var id) ? id.TrimEnd() : null;

    /// <summary>
    /// Full ids and subjects of the commits after the one and up to the other, oldest first:
    /// of merges the first parents only, so that neighbours
    /// are a state of the branch and the next. Null and what git said when it failed.
    /// </summary>
    public (IReadOnlyList<(string Id, string Subject)>? Commits, string Says) Line(string after, string through)
    {
        var (code, output) = Run("log", "--first-parent", "--reverse", "-z", "--format=%H %s", $"{after}..{through}");
        return code != 0 ? (null, output.Trim())
            : ([.. output.Split('\0', StringSplitOptions.RemoveEmptyEntries)
                .Select(line => (line[..40], line.Length > 41 ? line[41..] : ""))], "");
    }

    /// <summary>When the commits of that line were made, those two among them; without what git can't say.</summary>
    public IReadOnlyDictionary<string, DateTimeOffset> Dates(string first, string last) =>
        Run("log", "--first-parent", "--format=%H %ct", last, "--not", first + "^@") is (0, var lines)
        ? lines.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' '))
            .Where(parts => parts.Length == 2 && long.TryParse(parts[1], CultureInfo.InvariantCulture, out var seconds)
                && seconds is >= 0 and < 253402300800)
            .ToDictionary(parts => parts[0], parts =>
                DateTimeOffset.FromUnixTimeSeconds(long.Parse(parts[1], CultureInfo.InvariantCulture)), StringComparer.Ordinal)
        : new Dictionary<string, DateTimeOffset>(StringComparer.Ordinal);

    /// <summary>Tags of commits that hold the given one, with the commit of each.</summary>
    public IReadOnlyList<(string Name, string Commit)> Tags(string after) =>
        Run("for-each-ref", "--contains=" + Commit(after), "--format=%(objectname) %(*objectname) %(refname:short)", "refs/tags")
            is (0, var tags) ? [.. tags.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ', 3))
            .Where(parts => parts.Length == 3).Select(parts => (parts[2], parts[1].Length > 0 ? parts[1] : parts[0]))] : [];

    /// <summary>Whether commits are missing that the repository elsewhere has.</summary>
    public bool IsShallow() => Run("rev-parse", "--is-shallow-repository") is (0, "true\n");

    /// <summary>What differs from the last commit, untracked files last (ignored ones do not count), or null and what git said.</summary>
    public (TreeChanges? Changes, string Says) Changes()
    {
        // Without the optional lock git would rewrite the person's index.
        var (code, output) = Run("--no-optional-locks", "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all");
        if (code != 0)
        {
            return (null, output.Trim());
        }

        var lines = output.Split('\0', StringSplitOptions.RemoveEmptyEntries)
            .ToLookup(line => line.StartsWith("??", StringComparison.Ordinal), line => line[3..]);
        return (new([.. lines[false]], [.. lines[true]]), "");
    }

    /// <summary>
    /// Checks a commit out into a folder that does not exist. A clone of its own that shares the objects: the person's branches, index and
    /// worktrees stay as they are.
    /// </summary>
    /// <returns>What git said when it failed, otherwise null.</returns>
    public string? CheckOut(string commit, string target) => Clone(Run("rev-parse", "--show-toplevel").Output.TrimEnd(), commit, target);

    /// <summary>The same from a repository's own folder. Submodules are filled, as far as that repository has them.</summary>
    internal static string? Clone(string source, string commit, string target)
    {
        var (code, output) = new Git(source).Run("clone", "--quiet", "--shared", "--no-checkout", "--", source, target);
        if (code == 0)
        {
            (code, output) = new Git(target).Run("checkout", "--quiet", "--detach", commit);
        }

        if (code != 0)
        {
            return output.Trim();
        }

        Submodules.Fill(source, target);
        return null;
    }

    /// <summary>What git says to a question; empty when it can't answer.</summary>
    internal string Read(params string[] question) => Run(question) is (0, var answer) ? answer : "";

    private (int Code, string Output) Run(params string[] arguments)
    {
        if (!Directory.Exists(folder))
        {
            return (127, $"there is no folder {folder}");
        }

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
            return (127, missing.NativeErrorCode == NoSuchFile ? "there is no program git on PATH" : missing.Message);
        }
    }
}

/// <summary>How a working tree differs from its commit: paths from the top of the repository.</summary>
public sealed record TreeChanges(IReadOnlyList<string> Changed, IReadOnlyList<string> Untracked)
{
    private const int MostNamed = 5;

    public bool Any => Changed.Count + Untracked.Count > 0;

    /// <summary>"1 changed and 2 untracked files (run.sh, notes.txt, b.txt)".</summary>
    public override string ToString()
    {
        var counts = new[] { (Changed.Count, "changed"), (Untracked.Count, "untracked") }.Where(pair => pair.Count > 0)
            .Select(pair => Invariant($"{pair.Count} {pair.Item2}"));
        var names = Changed.Concat(Untracked).Take(MostNamed).Concat(Changed.Count + Untracked.Count > MostNamed ? ["…"] : []);
        return $"{string.Join(" and ", counts)} {(Changed.Count + Untracked.Count == 1 ? "file" : "files")} ({string.Join(", ", names)})";
    }
}
