using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching;

/// <summary>From the launch of several nodes to one launch for each.</summary>
internal static class NodePrograms
{
    /// <summary>How many cores all nodes want together.</summary>
    public static Resources Together(LaunchSpec launch) => launch.Resources with { Cpus = launch.Resources.Cpus * launch.Nodes.Count };

    /// <summary>What each node is started as, where all share one loopback: in the order of the plan.</summary>
    /// <param name="cpus">Cores for all of them.</param>
    public static IReadOnlyList<LaunchSpec> OnOneLoopback(LaunchSpec launch, IReadOnlyList<int> cpus)
    {
        var addresses = launch.Nodes.Select((_, number) =>
            Invariant($"127.0.0.1:{NodeVariables.FirstPort + (number * NodeVariables.Ports)}"));
        return [.. launch.Nodes.Select((node, number) => Of(launch, node, Addresses(launch.Nodes, addresses)) with
        {
            Cpus = CpuList.Format(CpusOf(number, launch.Resources.Cpus, cpus)),
        })];
    }

    /// <summary>The value of <see cref="NodeVariables.Nodes"/>.</summary>
    /// <param name="addresses">"host:port" for each node in turn.</param>
    public static string Addresses(IEnumerable<PlannedNode> nodes, IEnumerable<string> addresses) =>
        string.Join(' ', nodes.Zip(addresses, (node, address) => $"{node.Name}={address}"));

    public static LaunchSpec Of(LaunchSpec launch, PlannedNode node, string addresses) => launch with
    {
        Nodes = [],
        Environment = [.. launch.Environment.Select(pair => pair.Key switch
        {
            NodeVariables.Name => KeyValuePair.Create(pair.Key, node.Name),
            NodeVariables.Nodes => KeyValuePair.Create(pair.Key, addresses),
            _ => pair,
        })],
    };

    /// <summary>
    /// A node's own cores, where there are enough for all. Where there are not, nodes take turns and share: as evenly as can be, and never
    /// fewer than asked for unless the machine has fewer.
    /// </summary>
    internal static IReadOnlyList<int> CpusOf(int node, int each, IReadOnlyList<int> cpus) => cpus.Count <= each ? cpus
        : [.. Enumerable.Range(node * each, each).Select(place => cpus[place % cpus.Count]).Order()];
}
