namespace PerfLab.Core.Model;

/// <summary>
/// One value of the parameter `nodes`: how many programs a launch has, and what each is for. No roles: one program, as always.
/// </summary>
/// <param name="Roles">In the order in which they are started; the first node of the last role reports the metrics.</param>
public sealed record NodeLayout(string Name, IReadOnlyList<NodeRole> Roles)
{
    /// <summary>The parameter that chooses among a workload's layouts.</summary>
    public const string Parameter = "nodes";

    /// <summary>More programs than that belong on a cluster with a tool of its own.</summary>
    public const int MostNodes = 32;
}

/// <summary>So many nodes with the same task: they are named sut-0, sut-1 ...</summary>
public sealed record NodeRole(string Name, int Count);
