using PerfLab.Launching.Docker.Engine;
using PerfLab.Machine.Facts;

namespace PerfLab.Launching.Docker.Containers;

/// <summary>What the kernel says about a container's first process while it runs: its cage as it is, not as it was asked for.</summary>
internal static class InnerProcess
{
    /// <summary>Null when that process can't be seen from here (an engine in another process namespace counts otherwise).</summary>
    public static JsonObject? Status(ContainerDetails container)
    {
        var state = container.State;
        if (!state.Running || state.Pid <= 0 || container.Id.Length == 0)
        {
            return null;
        }

        var files = new MachineFiles();
        var folder = "/proc/" + state.Pid.ToString(CultureInfo.InvariantCulture);
        // The id in its cgroup proves that it is the same process.
        return files.Text(folder + "/cgroup")?.Contains(container.Id, StringComparison.Ordinal) == true && files.Text(folder + "/status") is { } status
            ? InnerStatus.Read(status)
            : null;
    }
}
