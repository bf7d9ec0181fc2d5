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
