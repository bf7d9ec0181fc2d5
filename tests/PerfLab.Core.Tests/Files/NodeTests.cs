using PerfLab.Core.Files;

namespace PerfLab.Core.Tests.Files;

/// <summary>What comes as a tree with lines (YAML) goes through the same door.</summary>
public sealed class NodeTests
{
    private static readonly FileFormat<Garden> Format = new("perf-lab/garden/1", "") { IsWrittenByPeople = true };

    [Fact]
    public void a_plain_word_is_what_the_record_wants()
    {
        var garden = Format.Read(Tree()).Value.ShouldNotBeNull();

        (garden.Name, garden.Area, garden.Soil, garden.Seed).ShouldBe(("true", 12, Soil.SandyLoam, 7UL));
        garden.Plants.ShouldBe([new Tree("8.0", 2.5), new Herb("null", true)]);
        garden.Harvest["apple"].ShouldBe(1e3);
        garden.Notes.ToJsonString().ShouldBe("""{"a":1,"b":[true,"010"]}""");
    }

    [Theory]
    [InlineData("name", "~", "line 2, name: must be a name of a-z, is '~'")]
    [InlineData("area", "twelve", "line 3, area: must be a whole number, is 'twelve'")]
    [InlineData("area", "010", "line 3, area: must be a whole number, is '010'")]
    [InlineData("area", "0", "line 3, area: must be a whole number from 1 to 1000, is '0'")]
    [InlineData("soil", "chalk", "line 4, soil: must be one of clay, sandy-loam, is 'chalk'")]
    [InlineData("soil", "caly", "line 4, soil: must be one of clay, sandy-loam, is 'caly'. Did you mean clay?")]
    [InlineData("rent", "5", "line 20, rent: was paid to the old owner.")]
    [InlineData("seed", null, "line 1, seed: is missing")]
    [InlineData("watering", "0m", "line 13, watering: must be more than 0m, is '0m'")]
    [InlineData("height", "high", "line 8, plants[0].height: must be a finite number, is 'high'")]
    [InlineData("height", null, "line 6, plants[0].height: is missing")]
    [InlineData("twice", "x", "line 20, twice: is not known here. Valid: schema, name, area, soil, owner, seed, plants, harvest, planted, watering, notes, extra.")]
    [InlineData("area!", "5", "line 20, area: is there twice")]
    public void a_mistake_has_its_line(string name, string? value, string expected) =>
        Format.Read(Tree(name, value)).Problems.Single().ToString().ShouldBe(expected);

    [Fact]
    public void a_tree_that_is_too_deep_is_refused()
    {
        Node deep = Plain(9, "1");
        for (var level = 0; level < 100; level++)
        {
            deep = new ListNode(9, [deep]);
        }

        Format.Read(deep).Problems.Single().What.ShouldContain("depth");
    }

    private static MapNode Tree(string? name = null, string? value = null)
    {
        var tree = Map(("kind", Plain(6, "tree")), ("name", Plain(7, "8.0")), ("height", Plain(8, "2.5")));
        (string Name, Node Value)[] members =
        [
            ("schema", Plain(1, "perf-lab/garden/1")),
            ("name", Plain(2, "true")),
            ("area", Plain(3, "12")),
            ("soil", Plain(4, "sandy-loam")),
            ("seed", Plain(5, "7")),
            ("plants", new ListNode(6,
            [
                tree,
                Map(("kind", Plain(9, "herb")), ("name", new TextNode(10, "null", IsPlain: false)), ("perennial", Plain(11, "true"))),
            ])),
            ("harvest", Map(("apple", Plain(12, "1e3")))),
            ("planted", Plain(13, "2026-03-01T14:05:09Z")),
            ("watering", Plain(13, "5m")),
            ("notes", Map(("a", Plain(14, "1")), ("b", new ListNode(15, [Plain(15, "true"), Plain(15, "010")])))),
        ];
        var all = Map([.. members]);
        return name switch
        {
            null => all,
            "height" => With(all, "plants", new ListNode(6, [With(tree, name, value is null ? null : Plain(8, value))])),
            _ => With(all, name.TrimEnd('!'), value is null ? null : Plain(20, value), twice: name.EndsWith('!')),
        };
    }

    private static MapNode With(MapNode map, string name, Node? value, bool twice = false)
    {
        var at = map.Members.ToList().FindIndex(member => member.Key.Text == name && !twice);
        var members = map.Members.ToList();
        if (value is null)
        {
            members.RemoveAt(at);
        }
        else if (at < 0)
        {
            members.Add((Plain(20, name), value));
        }
        else
        {
            members[at] = (members[at].Key, value);
        }

        return map with { Members = members };
    }

    private static MapNode Map(params (string Name, Node Value)[] members) =>
        new(members[0].Value.Line, [.. members.Select(member => (Plain(member.Value.Line, member.Name), member.Value))]);

    private static TextNode Plain(int line, string text) => new(line, text, IsPlain: true);
}
