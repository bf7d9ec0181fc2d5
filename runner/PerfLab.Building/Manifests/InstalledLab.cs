namespace PerfLab.Building.Manifests;

/// <summary>
/// What an installed tool brings along, beside its assembly: the kit, the program that runs benchmarks of BenchmarkDotNet, and the lab's own
/// workloads with their perf-lab.yaml. Nothing is ever written there.
/// </summary>
public static class InstalledLab
{
    private const string Hidden = ".perf-lab";

    /// <summary>The folder of that perf-lab.yaml; null in a checkout, and for a runner that was published for a machine of the lab.</summary>
    public static string? Folder { get; } =
        Path.Combine(AppContext.BaseDirectory, "lab") is var folder && File.Exists(Path.Combine(folder, LabConfig.FileName)) ? folder : null;

    /// <summary>The kit that came with the tool, or null.</summary>
    public static string? KitProject => Folder is null ? null : KitBelow(Folder);

    /// <summary>The project file of the kit in a lab of its own.</summary>
    public static string KitBelow(string lab) => Path.Combine(lab, "workloads", "kit", "PerfLab.WorkloadKit.csproj");

    /// <summary>
    /// Where builds, sessions and the history of a lab are kept: <c>.perf-lab</c> in its own folder, or with the user's data for the tool's
    /// lab.
    /// </summary>
    public static string StoreOf(string lab) => lab != Folder ? Path.Combine(lab, Hidden) : Path.Combine(
        Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData, Environment.SpecialFolderOption.DoNotVerify), "perf-lab");

    /// <summary>Until November 2026 what the tool's lab kept lay one folder deeper, as in a repository. It is brought up once.</summary>
    /// <param name="store">Of the user's data.</param>
    /// <returns>Whether something was there.</returns>
    public static bool BringUp(string store)
    {
        var old = Path.Combine(store, Hidden);
        if (!Directory.Exists(old))
        {
            return false;
        }

        foreach (var entry in Directory.EnumerateFileSystemEntries(old).ToList())
        {
            BringUp(entry, Path.Combine(store, Path.GetFileName(entry)));
        }

        RemoveEmpty(old);
        return true;
    }

    private static void BringUp(string entry, string place)
    {
        if (!Path.Exists(place))
        {
            Directory.Move(entry, place); // a file, too
        }
        else if (Directory.Exists(entry) && Directory.Exists(place))
        {
            foreach (var inside in Directory.EnumerateFileSystemEntries(entry).ToList())
            {
                BringUp(inside, Path.Combine(place, Path.GetFileName(inside)));
            }

            RemoveEmpty(entry);
        }
    }

    // What is in both places stays in both.
    private static void RemoveEmpty(string folder)
    {
        if (!Directory.EnumerateFileSystemEntries(folder).Any())
        {
            Directory.Delete(folder);
        }
    }
}
