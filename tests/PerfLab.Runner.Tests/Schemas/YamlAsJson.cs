using System.Globalization;
using Newtonsoft.Json.Linq;
using YamlDotNet.Core;
using YamlDotNet.RepresentationModel;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>YAML as an editor's schema check sees it: plain scalars have the types of YAML's core schema, quoted ones are text.</summary>
internal static class YamlAsJson
{
    public static JToken Parse(string yaml)
    {
        var stream = new YamlStream();
        stream.Load(new StringReader(yaml));
        return Convert(stream.Documents.Single().RootNode);
    }

    private static JToken Convert(YamlNode node) => node switch
    {
        YamlMappingNode map => new JObject(map.Children.Select(member => new JProperty(((YamlScalarNode)member.Key).Value!, Convert(member.Value)))),
        YamlSequenceNode list => new JArray(list.Select(Convert)),
        YamlScalarNode { Style: ScalarStyle.Plain, Value: { } text } => Plain(text),
        YamlScalarNode scalar => new JValue(scalar.Value),
        _ => throw new InvalidOperationException($"no JSON for {node.NodeType}"),
    };

    private static JValue Plain(string text) => text switch
    {
        "" or "null" or "~" => JValue.CreateNull(),
        "true" or "false" => new JValue(text == "true"),
        _ when long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var whole) => new JValue(whole),
        _ when double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) => new JValue(number),
        _ => new JValue(text),
    };
}
