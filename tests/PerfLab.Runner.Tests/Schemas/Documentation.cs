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
            ?? comments.GetValueOrDefault($"T:{name}")?.Elements("param").FirstOrDefault(parameter => (string?)parameter.Attribute("name") == member.Name);
        return comment is null ? null : Spaces().Replace(string.Concat(comment.Nodes().Select(Text)), " ").Trim();
    }

    private static Dictionary<string, XElement> Load(Assembly assembly)
    {
        var file = Path.ChangeExtension(assembly.Location, ".xml");
        return File.Exists(file) ? XDocument.Load(file).Descendants("member").ToDictionary(member => (string)member.Attribute("name")!) : [];
    }

    private static string Text(XNode node) => node switch
    {
        XText text => text.Value,
        XElement element when element.Attribute("cref")?.Value.Split('(')[0] is { } to => to.StartsWith("P:", StringComparison.Ordinal) ? JsonNamingPolicy.CamelCase.ConvertName(to.Split('.')[^1]) : to.Split('.')[^1],
        XElement element when element.Attribute("name") is { } name => name.Value,
        XElement element => string.Concat(element.Nodes().Select(Text)),
        _ => "",
    };

    [GeneratedRegex(@"\s+", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Spaces();
}
