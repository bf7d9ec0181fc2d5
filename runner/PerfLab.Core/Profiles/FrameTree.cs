namespace PerfLab.Core.Profiles;

/// <summary>Stacks of both arms laid over each other: every node has what both spent below it for one unit of work.</summary>
public sealed class FrameTree
{
    private readonly SortedDictionary<string, FrameTree> _children = new(StringComparer.Ordinal);

    private FrameTree(string name) => Name = name;

    public string Name { get; }

    public double Reference { get; private set; }

    public double Arm { get; private set; }

    public IEnumerable<FrameTree> Children => _children.Values;

    /// <summary>The mean of all rounds of each arm.</summary>
    public static FrameTree Of(ProfileKind kind, IReadOnlyList<(LaunchProfile Reference, LaunchProfile Arm)> rounds)
    {
        var root = new FrameTree("all");
        foreach (var (reference, arm) in rounds)
        {
            root.Add(reference.Of(kind), (node, weight) => node.Reference += weight / rounds.Count);
            root.Add(arm.Of(kind), (node, weight) => node.Arm += weight / rounds.Count);
        }

        return root;
    }

    /// <summary>The tree that was written as a list; of one that is broken, what comes before the break.</summary>
    public static FrameTree Of(IReadOnlyList<FlameNode> nodes)
    {
        var path = new List<FrameTree>();
        var root = new FrameTree("all");
        foreach (var (depth, name, reference, arm) in nodes)
        {
            var node = depth == 0 ? root : new FrameTree(name);
            if (depth > path.Count || (depth > 0 && !path[depth - 1]._children.TryAdd(name, node)))
            {
                break;
            }

            (node.Reference, node.Arm) = (reference, arm);
            path.RemoveRange(depth, path.Count - depth);
            path.Add(node);
        }

        return root;
    }

    private void Add(IEnumerable<StackWeight> stacks, Action<FrameTree, double> count)
    {
        foreach (var (frames, weight) in stacks)
        {
            var node = this;
            count(node, weight);
            foreach (var frame in frames)
            {
                if (!node._children.TryGetValue(frame, out var child))
                {
                    node._children.Add(frame, child = new(frame));
                }

                count(node = child, weight);
            }
        }
    }
}
