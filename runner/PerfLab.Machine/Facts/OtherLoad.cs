namespace PerfLab.Machine.Facts;

/// <summary>What is at work on the cores for workloads while the lab itself sleeps.</summary>
internal static class OtherLoad
{
    private static readonly TimeSpan Watched = TimeSpan.FromSeconds(0.5);

    /// <summary>Share of the workloads' cores (all cores where nobody split them) that was busy for half a second; "unknown" when the kernel does not say.</summary>
    public static async Task<JsonNode> WatchAsync(MachineFiles files, TimeProvider time, CancellationToken cancellationToken)
    {
        var cpus = new MachineScan(files, time).WorkloadCpus;
        var before = KernelText.BusyTicks(files.Text("/proc/stat", MachineFiles.Large), cpus);
        await Task.Delay(Watched, time, cancellationToken);
        var after = KernelText.BusyTicks(files.Text("/proc/stat", MachineFiles.Large), cpus);
        return before is { } one && after is { } other && other.Total > one.Total
            ? JsonValue.Create((double)(other.Busy - one.Busy) / (other.Total - one.Total))
            : JsonValue.Create(MachineFiles.Unknown)!;
    }
}
