namespace PerfLab.Building.Manifests;

/// <summary>
/// What an installed tool brings along, beside its assembly: the kit, the program that runs benchmarks of BenchmarkDotNet, and the lab's own
/// workloads with their perf-lab.yaml. Nothing is ever written there.
/// </summary>
public static class InstalledLab
{
    /// <summary>The folder of that perf-lab.yaml; null in a checkout, and for a runner that was published for a machine of the lab.</summary>
    public static string? Folder { get; } =
        Path.Combine(AppContext.BaseDirectory, "lab") is var folder && File.Exists(Path.Combine(folder, LabConfig.FileName)) ? folder : null;

    /// <summary>The kit that came with the tool, or null.</summary>
    public static string? KitProject => Folder is null ? null : KitBelow(Folder);

    /// <summary>The project file of the kit in a lab of its own.</summary>
    public static string KitBelow(string lab) => Path.Combine(lab, "workloads", "kit", "PerfLab.WorkloadKit.csproj");

    /// <summary>Where builds, sessions and the history of a lab are kept: in its own folder, or with the user's data for the tool's lab.</summary>
    public static string DataOf(string lab) => lab != Folder ? lab : Path.Combine(
        Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData, Environment.SpecialFolderOption.DoNotVerify), "perf-lab");
}
