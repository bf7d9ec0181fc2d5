namespace PerfLab.Building;

/// <summary>A build of kind none: the folder's files as they are, copied, so that what is measured can't change meanwhile.</summary>
internal static class FolderBuild
{
    private static readonly string[] Skipped = [".git", ".perf-lab"];

    public static BuildResult Copy(string folder, BuildStore store, CancellationToken cancellationToken)
    {
        using var unfinished = store.NewUnfinished();
        var target = Directory.CreateDirectory(unfinished.Sub("app"));
        return CopyInto(new DirectoryInfo(folder), target, cancellationToken) is { } problem
            ? new BuildResult(null, null, problem)
            : new BuildResult(store.KeepBits(target.FullName, needsShell: true), null, null);
    }

    private static string? CopyInto(DirectoryInfo from, DirectoryInfo to, CancellationToken cancellationToken)
    {
        foreach (var entry in from.EnumerateFileSystemInfos().Where(entry => !Skipped.Contains(entry.Name, StringComparer.Ordinal)))
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (entry.LinkTarget is not null)
            {
                // A link would lead out of the container, or to other bits on every machine.
                return $"{entry.FullName} is a link; a workload of kind none is copied, so put the file itself there.";
            }

            if (entry is FileInfo file)
            {
                file.CopyTo(Path.Combine(to.FullName, file.Name));
            }
            else if (CopyInto((DirectoryInfo)entry, to.CreateSubdirectory(entry.Name), cancellationToken) is { } problem)
            {
                return problem;
            }
        }

        return null;
    }
}
