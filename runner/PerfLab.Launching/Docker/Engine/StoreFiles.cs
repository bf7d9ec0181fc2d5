namespace PerfLab.Launching.Docker.Engine;

/// <summary>What launches in containers keep in the store, beside the engine.</summary>
public static class StoreFiles
{
    /// <summary>Folders of results, of living sessions too.</summary>
    public static IReadOnlyList<string> Results(string storeFolder) =>
        Directory.Exists(ResultsOf(storeFolder)) ? Directory.GetDirectories(ResultsOf(storeFolder)) : [];

    /// <summary>Holds the results of all launchers.</summary>
    internal static string ResultsOf(string storeFolder) => Path.Combine(storeFolder, "out");

    /// <summary>Holds the root file systems on which workloads are launched.</summary>
    internal static string BasesOf(string storeFolder) => Path.Combine(storeFolder, "bases");

    /// <summary>Removes base images and scratch files; gives the bytes that were freed.</summary>
    internal static long RemoveBasesAndScratch(string storeFolder)
    {
        var bytes = 0L;
        foreach (var folder in new[] { BasesOf(storeFolder), Path.Combine(storeFolder, "tmp") }.Where(Directory.Exists))
        {
            bytes += new DirectoryInfo(folder).EnumerateFiles("*", SearchOption.AllDirectories).Sum(file => file.Length);
            Directory.Delete(folder, recursive: true);
        }

        return bytes;
    }
}
