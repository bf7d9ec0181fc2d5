using System.Diagnostics;

namespace PerfLab.Launching;

/// <summary>
/// Removes a folder of ours that a workload may have written into: folders that their owner can't look into, nested deeper than a path is
/// long, or a link in its place.
/// </summary>
public static class StubbornFolder
{
    /// <summary>False when something is still there: it belongs to somebody else, and we are not root.</summary>
    public static bool Remove(string path)
    {
        try
        {
            var link = new FileInfo(path).LinkTarget is not null;
            if (Directory.Exists(path) && !link)
            {
                Directory.Delete(path, recursive: true);
            }
            else if (link || Path.Exists(path))
            {
                File.Delete(path);
            }

            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // An ArgumentException is what .NET makes of a path that is longer than a path may be. These two walk without building paths, and neither follows a link.
            return Run("chmod", "-R", "u+rwX", "--", path) && Run("rm", "-rf", "--", path);
        }
    }

    /// <summary>Removes folders that old sessions left, and says how much that was and which are still there.</summary>
    public static (int Removed, long Bytes, IReadOnlyList<string> Kept) RemoveAll(IEnumerable<string> folders)
    {
        var (removed, bytes, kept) = (0, 0L, new List<string>());
        foreach (var folder in folders)
        {
            var size = new DirectoryInfo(folder).EnumerateFiles("*", new EnumerationOptions
            {
                RecurseSubdirectories = true,
                IgnoreInaccessible = true,
                AttributesToSkip = FileAttributes.ReparsePoint,
            }).Sum(file => file.Length);
            if (Remove(folder))
            {
                (removed, bytes) = (removed + 1, bytes + size);
            }
            else
            {
                kept.Add(folder);
            }
        }

        return (removed, bytes, kept);
    }

    private static bool Run(string program, params string[] arguments)
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(program, arguments)
            {
                UseShellExecute = false,
                RedirectStandardError = true,
                RedirectStandardOutput = true,
            })!;
            var errors = process.StandardError.ReadToEndAsync();
            process.StandardOutput.ReadToEnd();
            errors.GetAwaiter().GetResult();
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
