using System.Text.Json.Nodes;
using System.Text.Json;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>An example with one seeded mistake, or with something that is still right.</summary>
internal sealed class Mutation
{
    private const string Place = "@place@";

    private static readonly string[] Values =
    [
        "null", "true", "5", "0.5", "-1", "1e300", "-1e300", "9223372036854775807",
        "\"x\"", "\"\"", "[]", "{}", "[[]]", "[null]", "{\"a\":1}",
    ];

    private readonly JsonNode _root;
    private readonly List<JsonNode> _nodes = [];
    private readonly SeededRandom _random;

    public Mutation(string example, ulong seed)
    {
        _root = JsonNode.Parse(example)!;
        _random = new(seed);
        Collect(_root);
    }

    /// <summary>Every path that has a value, as problems write it.</summary>
    public static IReadOnlyList<string> Paths(string example)
    {
        var mutation = new Mutation(example, 0);
        return [.. mutation._nodes.Where(node => node.Parent is not null).Select(node => node.GetPath()[2..])];
    }

    /// <summary>The example with another value at these paths: nothing that a format wants is a list of such lists.</summary>
    public static string Broken(string example, params IEnumerable<string> paths)
    {
        var root = JsonNode.Parse(example)!;
        foreach (var path in paths)
        {
            new Mutation(root)._nodes.Single(node => node.GetPath() == "$." + path).ReplaceWith(JsonNode.Parse("[[[[true]]]]"));
        }

        return root.ToJsonString();
    }

    private Mutation(JsonNode root)
    {
        _root = root;
        _random = new(0);
        Collect(root);
    }

    /// <summary>A mistake of which a schema can speak, or none: a member removed, added or renamed, or a value that is another.</summary>
    public string OfSchema()
    {
        switch (_random.Next(4))
        {
            case 0:
                var owner = Choose(_nodes.OfType<JsonObject>().Where(one => one.Count > 0));
                owner.Remove(Choose(owner.Select(member => member.Key)));
                return _root.ToJsonString();
            case 1:
                Choose(_nodes.OfType<JsonObject>())["x-unknown"] = JsonNode.Parse(Choose(Values));
                return _root.ToJsonString();
            case 2:
                var renamed = Choose(_nodes.OfType<JsonObject>().Where(one => one.Count > 0));
                var name = Choose(renamed.Select(member => member.Key));
                var value = renamed[name];
                renamed.Remove(name);
                renamed[_random.Next(2) == 0 ? name.ToUpperInvariant() : name + "s"] = value;
                return _root.ToJsonString();
            default:
                return With(Choose(Values));
        }
    }

    /// <summary>What no schema sees: it is always a mistake.</summary>
    public string OfText()
    {
        var text = _root.ToJsonString();
        switch (_random.Next(6))
        {
            case 0:
                var owner = Choose(_nodes.OfType<JsonObject>().Where(one => one.Count > 0));
                var name = Choose(owner.Select(member => member.Key));
                owner[Place] = 1;
                return Replaced(JsonSerializer.Serialize(name));
            case 1:
                return text[..(text.Length * (1 + _random.Next(9)) / 10)];
            case 2:
                return "\uFEFF" + text;
            case 3:
                return With("\"\\ud800\"");
            case 4:
                return With(new string('[', 50) + new string(']', 50));
            default:
                return With("1e400");
        }
    }

    private string With(string raw)
    {
        var node = Choose(_nodes.Where(node => node.Parent is not null));
        node.ReplaceWith(JsonValue.Create(Place));
        return Replaced(raw);
    }

    private string Replaced(string raw) => _root.ToJsonString().Replace(JsonSerializer.Serialize(Place), raw, StringComparison.Ordinal);

    private void Collect(JsonNode node)
    {
        _nodes.Add(node);
        IEnumerable<JsonNode?> inner = node switch
        {
            JsonObject members => members.Select(member => member.Value),
            JsonArray items => items,
            _ => [],
        };
        foreach (var one in inner.OfType<JsonNode>())
        {
            Collect(one);
        }
    }

    private T Choose<T>(IEnumerable<T> from)
    {
        var all = from.ToList();
        return all[_random.Next(all.Count)];
    }
}
