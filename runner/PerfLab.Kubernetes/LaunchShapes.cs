using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;

namespace PerfLab.Kubernetes;

/// <summary>What the largest launches of a plan ask for: where these have place, all others have.</summary>
internal static class LaunchShapes
{
    /// <returns>At most one of a single program, and one of all nodes that any launch has.</returns>
    public static IReadOnlyList<LaunchSpec> Of(RunPlan plan)
    {
        var arms = plan.Cells.Where(cell => cell.Unavailable is null)
            .SelectMany(cell => cell.Arms.Select(arm => (Resources: cell.ResourcesOf(arm), Nodes: arm.Nodes ?? []))).ToList();
        return [.. arms.GroupBy(arm => arm.Nodes.Count > 0).Select(kind => new LaunchSpec
        {
            Session = "place",
            Build = new("sha256:" + new string('0', 64), "/", NeedsShell: true),
            Command = ["true"],
            Environment = [new("PATH", "/usr/bin:/bin")],
            Nodes = [.. kind.SelectMany(arm => arm.Nodes).DistinctBy(node => node.Name, StringComparer.Ordinal)
                .GroupBy(node => node.Role, StringComparer.Ordinal).SelectMany(role => role)],
            Resources = new Resources(
                kind.Max(arm => arm.Resources.Cpus), kind.Max(arm => arm.Resources.MemoryBytes), kind.Max(arm => arm.Resources.Pids)),
            Timeout = TimeSpan.FromSeconds(1),
        })];
    }
}
