using PerfLab.Building.Manifests;
using PerfLab.Core.Files;

namespace PerfLab.Runner.Tests.Manifests;

public sealed class YamlTreeTests
{
    [Fact]
    public void a_tree_has_lines_and_knows_what_was_quoted()
    {
        var map = YamlTree.Read("# comment\na: 8.0\n\"b\": ['8.0', { c: }]\n").Value.ShouldBeOfType<MapNode>();

        map.Members.Select(member => (member.Key.Text, member.Key.Line)).ShouldBe([("a", 2), ("b", 3)]);
        map.Members[0].Value.ShouldBe(new TextNode(2, "8.0", IsPlain: true));
        var list = map.Members[1].Value.ShouldBeOfType<ListNode>();
        list.Items[0].ShouldBe(new TextNode(3, "8.0", IsPlain: false));
        list.Items[1].ShouldBeOfType<MapNode>().Members[0].Value.ShouldBe(new TextNode(3, "", IsPlain: true));
    }

    [Theory]
    [InlineData("a: &x 1\nb: *x\n", "line 1: an anchor (&name) has no place here")]
    [InlineData("a: 1\nb: *x\n", "line 2: an alias (*name) has no place here: write the value again")]
    [InlineData("a: 1\nb: !!str 5\n", "line 2: a tag (!name) has no place here")]
    [InlineData("a: 1\n---\nb: 1\n", "line 1: must hold one YAML document")]
    [InlineData("", "line 1: must hold one YAML document")]
    [InlineData("[a]: 1\n", "line 1: a key must be text")]
    [InlineData("a: 1\na: 2\n", "line 2: ")]
    [InlineData("a: [1\n", "line ")]
    public void what_json_can_not_say_is_refused(string text, string expected) =>
        YamlTree.Read(text).Problems.Single().ToString().ShouldStartWith(expected);

    [Fact]
    public void depth_is_bounded() =>
        YamlTree.Read(new string('[', 100_000)).Problems.Single().What.ShouldBe("is too deep");
}
