using PerfLab.Core.Profiles;
using PerfLab.Reports.Why;

namespace PerfLab.Core.Tests.Profiles;

/// <summary>The flame graph as a list in explanation.json: drawn from it as from the stacks, bounded, and read from anybody.</summary>
public sealed class FlameNodeTests
{
    [Fact]
    public void a_tree_comes_back_from_its_list_and_draws_the_same_picture()
    {
        var tree = Tree(new(["Main", "A", "B"], 3), new(["Main", "A"], 2), new(["Main", "C"], 5), new(["Other"], 1));

        var nodes = FlameNode.ListOf(tree);

        nodes.Select(node => (node.Depth, node.Name)).ShouldBe([(0, "all"), (1, "Main"), (2, "A"), (3, "B"), (2, "C"), (1, "Other")]);
        FlameNode.Problems(nodes, "flame").ShouldBeEmpty();
        FlameSvg.Render(FrameTree.Of(nodes), "t", "s").ShouldBe(FlameSvg.Render(tree, "t", "s"));
    }

    [Fact]
    public void the_largest_of_very_many_stay_and_are_still_a_tree()
    {
        var nodes = FlameNode.ListOf(Tree([.. Enumerable.Range(1, 3000).Select(number => new StackWeight([FormattableString.Invariant($"M{number}"), "Inner"], number))]));

        nodes.Count.ShouldBe(FlameNode.Most);
        FlameNode.Problems(nodes, "flame").ShouldBeEmpty();
        nodes.ShouldContain(node => node.Name == "M3000");
        nodes.ShouldNotContain(node => node.Name == "M1");
    }

    [Fact]
    public void what_is_deeper_than_anybody_can_see_is_left_out() =>
        FlameNode.ListOf(Tree(new StackWeight([.. Enumerable.Repeat("Again", 500)], 1))).Max(node => node.Depth).ShouldBe(FlameNode.MostDepth);

    [Theory]
    [InlineData(1)]
    [InlineData(0, 2)]
    [InlineData(0, 1, 0)]
    [InlineData(0, 1, 3)]
    public void a_list_that_is_no_tree_is_refused_with_its_place_and_drawn_without_an_exception(params int[] depths)
    {
        IReadOnlyList<FlameNode> nodes = [.. depths.Select(depth => new FlameNode(depth, "x", 1, 1))];
        var row = new ExplainedRow { Cell = "c", Label = "l", Arm = "head", Reference = "base", Work = "doc", Rounds = 12, Figures = [], Methods = [], Doubts = [], Flame = nodes };

        row.Problems().ShouldHaveSingleItem().ToString().ShouldContain("is not below the one before it");
        FlameSvg.Render(FrameTree.Of(nodes), "t", "s").ShouldStartWith("<svg");
    }

    private static FrameTree Tree(params IReadOnlyList<StackWeight> stacks)
    {
        var profile = new LaunchProfile
        {
            Stacks = new Dictionary<ProfileKind, IReadOnlyList<StackWeight>> { [ProfileKind.Processor] = stacks },
            Figures = new Dictionary<ProfileFigure, double>(),
        };
        return FrameTree.Of(ProfileKind.Processor, [(profile, profile)]);
    }
}
