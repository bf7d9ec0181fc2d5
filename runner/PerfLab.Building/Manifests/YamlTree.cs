using PerfLab.Core.Files;
using YamlDotNet.Core;
using YamlDotNet.Core.Events;
using YamlDotNet.RepresentationModel;

namespace PerfLab.Building.Manifests;

/// <summary>YAML as the tree that a format reads. What JSON can't say (anchors, tags, several documents) is refused.</summary>
internal static class YamlTree
{
    private const int MostDepth = 34; // a stream and a document are two levels

    /// <summary>The tree, or the one thing that keeps the text from being one.</summary>
    public static FileReading<Node> Read(string text)
    {
        try
        {
            var stream = new YamlStream();
            stream.Load(new NoSurprises(new Parser(new StringReader(text))));
            return stream.Documents is [var document] ? new(From(document.RootNode), []) : Refused(1, "must hold one YAML document");
        }
        catch (YamlException broken)
        {
            return Refused(broken.Start.Line, (broken.InnerException ?? broken).Message);
        }
    }

    /// <summary>How a format is made whose files are YAML: people write them, with names such as price-per-hour.</summary>
    public static FileFormat<T> Format<T>(string schema, string title)
        where T : class => new(schema, title) { IsWrittenByPeople = true, MostBytes = 256 << 10, Names = JsonNamingPolicy.KebabCaseLower };

    /// <summary>What the file says, or null with every problem added, each with file, line and member.</summary>
    /// <param name="format">Its format.</param>
    /// <param name="path">Where it is.</param>
    /// <param name="problems">Grows.</param>
    /// <param name="name">What its member `name` must say: the folder's name. Null: it has none.</param>
    public static T? Read<T>(FileFormat<T> format, string path, ICollection<Problem> problems, string? name = null)
        where T : class
    {
        var (text, wrong) = ReadText(path, format.MostBytes);
        var tree = text is null ? new(null, [new("", wrong!)]) : Read(text);
        var reading = tree.Value is { } root ? format.Read(root) : new(null, tree.Problems);
        var otherName = (tree.Value as MapNode)?.Members.FirstOrDefault(member => member.Key.Text == "name").Value as TextNode;
        IReadOnlyList<Problem> all = name is null || otherName is null || otherName.Text == name ? reading.Problems
            : [.. reading.Problems, new(Invariant($"line {otherName.Line}, name"), $"must be the name of the folder, {name}")];
        foreach (var problem in all)
        {
            problems.Add(problem with { Where = problem.Where.Length == 0 ? path : $"{path}, {problem.Where}" });
        }

        return all.Count == 0 ? reading.Value : null;
    }

    private static (string? Text, string? Wrong) ReadText(string path, int mostBytes)
    {
        try
        {
            if (new FileInfo(path).Length is var length && length > mostBytes)
            {
                return (null, Invariant($"has {length} bytes, over the limit of {mostBytes}"));
            }

            var utf8 = File.ReadAllBytes(path);
            return utf8.AsSpan().StartsWith(Encoding.UTF8.Preamble) ? (null, "starts with a byte order mark; save it as UTF-8 without one")
                : System.Text.Unicode.Utf8.IsValid(utf8) ? (Encoding.UTF8.GetString(utf8), null) : (null, "is not UTF-8");
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException)
        {
            return (null, $"can't be read: {unreadable.Message}");
        }
    }

    private static FileReading<Node> Refused(long line, string what) => new(null, [new($"line {line}", what)]);

    private static Node From(YamlNode node) => node switch
    {
        YamlMappingNode map => new MapNode(Line(node), [.. map.Children.Select(member => (Key(member.Key), From(member.Value)))]),
        YamlSequenceNode list => new ListNode(Line(node), [.. list.Select(From)]),
        YamlScalarNode scalar => new TextNode(Line(node), scalar.Value ?? "", scalar.Style == ScalarStyle.Plain),
        _ => throw Broken(node, "is no text, list or mapping"),
    };

    private static TextNode Key(YamlNode key) => From(key) as TextNode ?? throw Broken(key, "a key must be text");

    private static YamlException Broken(YamlNode node, string what) => new(node.Start, node.End, what);

    private static int Line(YamlNode node) => (int)node.Start.Line;

    /// <summary>Lets through what JSON can say as well, so that nothing is expanded, and no stack is deep.</summary>
    private sealed class NoSurprises(IParser parser) : IParser
    {
        private int _depth;

        public ParsingEvent? Current => parser.Current;

        public bool MoveNext()
        {
            if (!parser.MoveNext())
            {
                return false;
            }

            _depth += Current!.NestingIncrease;
            var wrong = Current switch
            {
                AnchorAlias => "an alias (*name) has no place here: write the value again",
                NodeEvent { Anchor.IsEmpty: false } => "an anchor (&name) has no place here",
                NodeEvent { Tag.IsEmpty: false } => "a tag (!name) has no place here",
                _ => _depth > MostDepth ? "is too deep" : null,
            };
            return wrong is null ? true : throw new YamlException(Current.Start, Current.End, wrong);
        }
    }
}
