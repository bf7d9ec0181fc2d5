using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Programs;

/// <summary>Finds the folder of perf-lab.yaml.</summary>
public static class LabRoot
{
    /// <summary>
    /// The nearest folder upwards with a perf-lab.yaml. Without one, and for the demo, the lab that an installed tool brings along; else
    /// <paramref name="folder"/> itself.
    /// </summary>
    public static string FindFrom(string folder, IReadOnlyList<string> arguments)
    {
        if (arguments is ["demo", ..] && InstalledLab.Folder is { } own)
        {
            return own;
        }

        for (var at = new DirectoryInfo(folder); at is not null; at = at.Parent)
        {
            if (File.Exists(Path.Combine(at.FullName, LabConfig.FileName)))
            {
                return at.FullName;
            }
        }

        return InstalledLab.Folder ?? folder;
    }

    /// <summary>A folder that somebody named and that is not there is a mistake, not an empty lab.</summary>
    public static void MustExist(string root)
    {
        if (!Directory.Exists(root))
        {
            throw new WrongUseException([new Problem("PERF_LAB_ROOT", $"names {root}, which is no folder.", "It is the folder of a repository's perf-lab.yaml.")]);
        }
    }
}
