namespace PerfLab.Machine.Kernel;

/// <summary>
/// Keeps every thread of this process, and those that they start, to some cores: while several lanes are measured, what the lab does for
/// one of them would disturb the others. Launches pin themselves to their own cores.
/// </summary>
public sealed class LabThreads : IDisposable
{
    private readonly IReadOnlyList<int> _before;

    /// <param name="cores">Empty: nothing is changed.</param>
    public LabThreads(IReadOnlyList<int> cores)
    {
        _before = cores.Count > 0 && OperatingSystem.IsLinux() ? CpuAffinity.OfThisThread() : [];
        Keep(_before.Count > 0 ? cores : []);
    }

    /// <summary>Lets them run where they could before.</summary>
    public void Dispose() => Keep(_before);

    private static void Keep(IReadOnlyList<int> cores)
    {
        // A thread that ends meanwhile needs no mask, and one that begins has that of the thread which started it.
        foreach (var task in cores.Count == 0 ? [] : Directory.EnumerateDirectories("/proc/self/task"))
        {
            if (int.TryParse(Path.GetFileName(task), NumberStyles.None, CultureInfo.InvariantCulture, out var thread))
            {
                CpuAffinity.Pin(thread, cores);
            }
        }
    }
}
