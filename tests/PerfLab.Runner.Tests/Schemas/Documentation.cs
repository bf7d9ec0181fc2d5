using System.Collections.Concurrent;
using System.Reflection;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>The comments of our records, as the compiler wrote them down: they are the descriptions in the schemas.</summary>
internal static partial class Documentation
{
    private static readonly ConcurrentDictionary<Assembly, Dictionary<string, XElement>> Known = new();

    /// <summary>The summary of a property, or of the parameter that it was made from.</summary>
    public static string? Of(MemberInfo member)
    {
        var type = member.DeclaringType!;
        var comments = Known.GetOrAdd(type.Assembly, Load);
        var name = (type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName!.Replace('+', '.');
        var comment = comments.GetValueOrDefault($"P:{name}.{member.Name}")?.Element("summary")
            ?? comments.GetValueOrDefault($"T:{name}")?.Elements("param").FirstOrDefault(one => one.Attribute("name")?.Value == member.Name);
        return comment is null ? null : Spaces().Replace(string.Concat(comment.Nodes().Select(Text)), " ").Trim();
    }

    private static Dictionary<string, XElement> Load(Assembly assembly)
    {
        var file = Path.ChangeExtension(assembly.Location, ".xml");
        // The base library (a pair) comes without.
        var members = File.Exists(file) ? XDocument.Load(file).Descendants("member") : [];
        return members.ToDictionary(member => (string)member.Attribute("name")!);
    }

    private static string Text(XNode node) => node switch
    {
        XText text => text.Value,
        XElement element when element.Attribute("cref")?.Value.Split('(')[0] is { } to => Name(to[0], to.Split('.')[^1]),
        XElement element when element.Attribute("name") is { } name => name.Value,
        XElement element => string.Concat(element.Nodes().Select(Text)),
        _ => "",
    };

    private static string Name(char kind, string name) => kind == 'P' ? JsonNamingPolicy.CamelCase.ConvertName(name) : name;

    [GeneratedRegex(@"\s+", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Spaces();
}
