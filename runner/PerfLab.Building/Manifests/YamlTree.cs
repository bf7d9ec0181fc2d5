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

    private static FileReading<Node> Refused(long line, string what) => new(null, [new($"line {line}", what)]);

    private static Node From(YamlNode node) => node switch
    {
        YamlMappingNode map => new MapNode(Line(node), [.. map.Children.Select(member => (Key(member.Key), From(member.Value)))]),
        YamlSequenceNode list => new ListNode(Line(node), [.. list.Select(From)]),
        YamlScalarNode scalar => new TextNode(Line(node), scalar.Value ?? "", scalar.Style == ScalarStyle.Plain),
        _ => throw Broken(node, "is no text, list or mapping"),
    };

    private static TextNode Key(YamlNode node) => From(node) as TextNode ?? throw Broken(node, "a key that is no text has no place here");

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
