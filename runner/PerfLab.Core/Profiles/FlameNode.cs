using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;

namespace PerfLab.Core.Profiles;

/// <summary>A method in the calls of both arms, in a list of which each node stands behind the one that called it.</summary>
/// <param name="Depth">Calls above it; 0 is the root, under which everything is.</param>
/// <param name="Name">Of the method. Untrusted.</param>
/// <param name="Reference">What the reference spends there and below for one unit of work.</param>
/// <param name="Arm">The same of the arm.</param>
public sealed record FlameNode(
    [Range(0, FlameNode.MostDepth)] int Depth, string Name, [AtLeast(0)] double Reference, [AtLeast(0)] double Arm)
{
    /// <summary>Deeper calls are left out: no screen shows them.</summary>
    public const int MostDepth = 48;

    /// <summary>More boxes can't be told apart; the largest stay.</summary>
    public const int Most = 2000;

    /// <summary>The tree as a list, without what is too small or too deep to be drawn.</summary>
    public static IReadOnlyList<FlameNode> ListOf(FrameTree tree)
    {
        var all = new List<FlameNode>();
        Add(tree, 0);
        if (all.Count <= Most)
        {
            return all;
        }

        // Who calls costs at least as much as who is called and stands before it: so the largest are a whole tree.
        var kept = all.Index().OrderByDescending(node => Math.Max(node.Item.Reference, node.Item.Arm))
            .ThenBy(node => node.Index).Take(Most);
        return [.. kept.OrderBy(node => node.Index).Select(node => node.Item)];

        void Add(FrameTree node, int depth)
        {
            all.Add(new(depth, node.Name, node.Reference, node.Arm));
            foreach (var child in depth < MostDepth ? node.Children : [])
            {
                Add(child, depth + 1);
            }
        }
    }

    /// <summary>What is wrong with such a list.</summary>
    public static IEnumerable<Problem> Problems(IReadOnlyList<FlameNode> nodes, string member)
    {
        var wrong = nodes.Index().Where(node => node.Index == 0 ? node.Item.Depth != 0
            : node.Item.Depth == 0 || node.Item.Depth > nodes[node.Index - 1].Depth + 1).Select(node => (int?)node.Index).FirstOrDefault();
        return wrong is { } index ? [new(Invariant($"{member}[{index}].depth"), "is not below the one before it")] : [];
    }
}
