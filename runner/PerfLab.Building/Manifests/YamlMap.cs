using PerfLab.Core.Files;
using YamlDotNet.RepresentationModel;

namespace PerfLab.Building.Manifests;

/// <summary>
/// A mapping of a YAML file, read member by member. What is wrong is collected with file, line and field, so that a person sees every
/// problem at once; members that nobody asked for are problems too.
/// </summary>
internal sealed class YamlMap
{
    private readonly YamlFile _file;
    private readonly string _path;
    private readonly YamlMappingNode _node;
    private readonly HashSet<string> _asked = new(StringComparer.Ordinal);

    internal YamlMap(YamlFile file, string path, YamlMappingNode node) => (_file, _path, _node) = (file, path, node);

    public IEnumerable<string> Keys => _node.Children.Keys.OfType<YamlScalarNode>().Select(key => key.Value ?? "");

    public string Text(string name)
    {
        if (TextOrNull(name) is { } text)
        {
            return text;
        }

        if (Find(name) is null)
        {
            Problem(_node, name, "is missing.");
        }

        return "";
    }

    public string? TextOrNull(string name) => Find(name) switch
    {
        null => null,
        YamlScalarNode { Value: { } value } => value,
        var other => Wrong<string?>(other, name, "must be a text.", null),
    };

    public double? Number(string name) => TextOrNull(name) is not { } text ? null
        : double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number)
            ? number : Wrong<double?>(Find(name)!, name, $"is '{text}', expected a number.", null);

    public int? Integer(string name) => TextOrNull(name) is not { } text ? null
        : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number : Wrong<int?>(Find(name)!, name, $"is '{text}', expected a whole number from 0.", null);

    public bool Flag(string name) => TextOrNull(name) switch
    {
        null or "false" => false,
        "true" => true,
        var text => Wrong(Find(name)!, name, $"is '{text}', expected true or false.", false),
    };

    public T OneOf<T>(string name, IReadOnlyDictionary<string, T> words, T otherwise) => TextOrNull(name) switch
    {
        null => otherwise,
        var text when words.TryGetValue(text, out var value) => value,
        var text => Wrong(Find(name)!, name, $"is '{text}'. {NearestNames.Suggest(text, words.Keys)}", otherwise),
    };

    public IReadOnlyList<string> Texts(string name) => Find(name) switch
    {
        null => [],
        YamlSequenceNode list when list.All(item => item is YamlScalarNode) => [.. list.Cast<YamlScalarNode>().Select(item => item.Value ?? "")],
        var other => Wrong<IReadOnlyList<string>>(other, name, "must be a list of texts.", []),
    };

    public YamlMap? Map(string name) => Find(name) switch
    {
        null => null,
        YamlMappingNode map => new YamlMap(_file, Path(name), map),
        YamlScalarNode { Value: null or "" } => null,
        var other => Wrong<YamlMap?>(other, name, "must be a mapping.", null),
    };

    public YamlMap RequiredMap(string name)
    {
        if (Find(name) is null)
        {
            Problem(_node, name, "is missing.");
        }

        return Map(name) ?? new YamlMap(_file, Path(name), []);
    }

    /// <summary>Every member as a mapping of its own, e.g. `metrics: {name: {…}}`.</summary>
    public IReadOnlyList<(string Name, YamlMap Map)> Maps(string name)
    {
        var map = Map(name);
        return map is null ? [] : [.. map.Keys.Select(key => (key, map.RequiredMap(key)))];
    }

    /// <summary>A duration such as "500ms", "2s", "5m", in seconds.</summary>
    public double? Seconds(string name)
    {
        if (TextOrNull(name) is not { } text)
        {
            return null;
        }

        var (digits, factor) = text switch
        {
            _ when text.EndsWith("ms", StringComparison.Ordinal) => (text[..^2], 0.001),
            _ when text.EndsWith('s') => (text[..^1], 1.0),
            _ when text.EndsWith('m') => (text[..^1], 60.0),
            _ => ("", 0),
        };
        return double.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
            ? number * factor
            : Wrong<double?>(Find(name)!, name, $"is '{text}', expected a duration such as 500ms, 2s or 5m.", null);
    }

    /// <summary>Whether the member is a text rather than a mapping or a list.</summary>
    public bool IsText(string name) => Find(name) is YamlScalarNode;

    public void Problem(string name, string what) => Problem(Find(name) ?? _node, name, what);

    /// <summary>Reports the members that nobody asked for.</summary>
    public void End()
    {
        foreach (var (key, _) in _node.Children)
        {
            if (key is not YamlScalarNode { Value: { } name })
            {
                Problem(key, "", "has a key that is not a text.");
            }
            else if (!_asked.Contains(name))
            {
                Problem(key, name, $"is not known here. {NearestNames.Suggest(name, _asked)}");
            }
        }
    }

    private YamlNode? Find(string name)
    {
        _asked.Add(name);
        return _node.Children.TryGetValue(new YamlScalarNode(name), out var value) ? value : null;
    }

    private T Wrong<T>(YamlNode node, string name, string what, T otherwise)
    {
        Problem(node, name, what);
        return otherwise;
    }

    private void Problem(YamlNode node, string name, string what) => _file.Add(node.Start, Path(name), what);

    private string Path(string name) => _path.Length == 0 ? name : name.Length == 0 ? _path : $"{_path}.{name}";
}
