namespace PerfLab.Launching.Docker.Cleaning;

/// <summary>The docker executor's own files in the store: base images and scratch.</summary>
internal static class StoreFiles
{
    private static readonly string[] Folders = ["bases", "tmp"];

    /// <summary>Gives the bytes that were freed.</summary>
    public static long Remove(string storeFolder)
    {
        var bytes = 0L;
        foreach (var folder in Folders.Select(name => Path.Combine(storeFolder, name)).Where(Directory.Exists))
        {
            bytes += new DirectoryInfo(folder).EnumerateFiles("*", SearchOption.AllDirectories).Sum(file => file.Length);
            Directory.Delete(folder, recursive: true);
        }

        return bytes;
    }
}
