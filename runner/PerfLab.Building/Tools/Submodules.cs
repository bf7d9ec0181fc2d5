namespace PerfLab.Building.Tools;

/// <summary>Repositories inside of a repository, each at the commit that the outer one recorded.</summary>
public static class Submodules
{
    private const string SubmoduleMode = "160000 ";

    /// <summary>
    /// Fills the submodules of a checkout that are still empty from what the person's own clone has of them. What that has not stays
    /// empty: nobody knows whether a build needs it, and nothing is fetched.
    /// </summary>
    /// <param name="source">The repository that the checkout is of: a working tree, or a repository in one's .git/modules.</param>
    /// <param name="checkout">Absolute path.</param>
    public static void Fill(string source, string checkout)
    {
        foreach (var (path, commit) in In(checkout).Where(one => IsEmpty(checkout, one.Path)))
        {
            var folder = Path.Combine(checkout, path);
            if (HomeOf(path, source, checkout) is { } home && Git.Clone(home, commit, folder) is not null)
            {
                // It lacks that commit; what is left of the attempt would look like a submodule.
                Directory.Delete(folder, recursive: true);
                Directory.CreateDirectory(folder);
            }
        }
    }

    /// <summary>What to do about submodules of the folder's repository that are empty; null where there are none.</summary>
    public static string? Advice(string folder)
    {
        if (!Directory.Exists(folder) || new Git(folder).Top().Folder is not { } top)
        {
            return null;
        }

        var empty = In(top).Select(one => one.Path).Where(path => IsEmpty(top, path)).ToList();
        return empty.Count == 0 ? null
            : $"{(empty.Count == 1 ? "A submodule is" : "Submodules are")} not here: {string.Join(", ", empty)}. "
                + "In your clone `git submodule update --init --recursive` brings them, or for another commit "
                + "`git fetch --recurse-submodules`; then run this again.";
    }

    // What the index says: a checkout of a commit holds that commit, a working tree what its next commit would.
    private static IEnumerable<(string Path, string Commit)> In(string top) => !File.Exists(Path.Combine(top, ".gitmodules")) ? []
        : from entry in new Git(top).Read("ls-files", "--stage", "-z").Split('\0')
          where entry.StartsWith(SubmoduleMode, StringComparison.Ordinal) && entry.Contains('\t')
          select (entry[(entry.IndexOf('\t') + 1)..], entry.Split(' ')[1]);

    private static bool IsEmpty(string top, string path) =>
        Path.Combine(top, path) is var folder && (!Directory.Exists(folder) || !Directory.EnumerateFileSystemEntries(folder).Any());

    /// <summary>The repository of a submodule that is checked out in the source, or was once; null when it never was.</summary>
    private static string? HomeOf(string path, string source, string checkout)
    {
        var git = new Git(source);
        if (git.Top().Folder is { } top && Path.Exists(Path.Combine(top, path, ".git"))
            && new Git(Path.Combine(top, path)).Read("rev-parse", "--absolute-git-dir").TrimEnd('\n') is { Length: > 0 } own)
        {
            return own;
        }

        // Named by hand in .gitmodules; as a rule the name is the path.
        var key = new Git(checkout).Read("config", "--file", ".gitmodules", "--get-regexp", @"\.path$").Split('\n')
            .Select(line => line.Split(' ', 2)).FirstOrDefault(pair => pair.Length == 2 && pair[1] == path)?[0];
        var name = key?["submodule.".Length..^".path".Length] ?? path;
        var homes = git.Read("rev-parse", "--git-common-dir").TrimEnd('\n') is { Length: > 0 } common
            ? Path.GetFullPath(Path.Combine(source, common, "modules")) : null;
        var home = homes is null ? null : Path.GetFullPath(Path.Combine(homes, name));
        // The name is the commit's own: it must not lead elsewhere.
        return home is not null && home.StartsWith(homes + "/", StringComparison.Ordinal) && Directory.Exists(home) ? home : null;
    }
}
