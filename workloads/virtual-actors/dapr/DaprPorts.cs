using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>The ports of a node, all its own.</summary>
internal static class DaprPorts
{
    public static int Application(LaunchNode node) => node.Port + 1;

    public static int Http(LaunchNode node) => node.Port + 2;

    /// <summary>Where its sidecar answers.</summary>
    public static string Address(LaunchNode node) => $"http://{node.Host}:{Http(node)}";

    public static int Grpc(LaunchNode node) => node.Port + 3;

    public static int Internal(LaunchNode node) => node.Port + 4;

    public static int Placement(LaunchNode node) => node.Port + 5;

    public static int PlacementHealth(LaunchNode node) => node.Port + 6;

    public static int PlacementRaft(LaunchNode node) => node.Port + 7;
}
