using PerfLab.Building.Manifests;

namespace PerfLab.Runner.Commands;

/// <summary>Finds the folder of perf-lab.yaml.</summary>
internal static class LabRoot
{
    /// <summary>The nearest folder upwards with a perf-lab.yaml, or <paramref name="folder"/> itself.</summary>
    public static string FindFrom(string folder)
    {
        for (var at = new DirectoryInfo(folder); at is not null; at = at.Parent)
        {
            if (File.Exists(Path.Combine(at.FullName, LabConfig.FileName)))
            {
                return at.FullName;
            }
        }

        return folder;
    }
}
