using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching;

/// <summary>
/// What a program is told when its launch has several. The names are the same for every arm of a cell, also for one that is one program,
/// for which they are empty.
/// </summary>
internal static class NodeVariables
{
    /// <summary>The node's own name: "sut-0".</summary>
    public const string Name = "PERF_LAB_NODE";

    /// <summary>
    /// Every node with its address and the first of its <see cref="Ports"/> ports: "sut-0=127.0.0.1:21000 client-0=127.0.0.1:21020".
    /// </summary>
    public const string Nodes = "PERF_LAB_NODES";

    /// <summary>Path of a file that a node writes when others may talk to it. Its content is nothing.</summary>
    public const string Ready = "PERF_LAB_READY";

    public const string ReadyFile = "ready";

    /// <summary>Ports that are a node's own, from its first.</summary>
    public const int Ports = 20;

    /// <summary>Below the range from which the kernel takes ports for outgoing connections (32768 unless set otherwise).</summary>
    public const int FirstPort = 21000;

    public static IReadOnlyList<string> Names(PlannedCell cell) => Has(cell) ? [Name, Nodes] : [];

    /// <summary>Variable -> file beside the result.</summary>
    public static IReadOnlyList<KeyValuePair<string, string>> Files(PlannedCell cell) => Has(cell) ? [new(Ready, ReadyFile)] : [];

    private static bool Has(PlannedCell cell) => cell.Arms.Any(arm => arm.Nodes is not null);
}
