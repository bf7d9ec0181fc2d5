using System.Text.Json.Nodes;
using System.Xml.Linq;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.House;

/// <summary>The projects under runner/ with what they refer to, as their project files say.</summary>
internal static class Projects
{
    public static IReadOnlyDictionary<string, XDocument> All { get; } = Directory
        .EnumerateFiles(Path.Combine(Repository.Root, "runner"), "*.csproj", SearchOption.AllDirectories)
        .ToDictionary(path => Path.GetFileNameWithoutExtension(path), XDocument.Load);

    public static IEnumerable<string> References(string project) => Named(project, isPart: true);

    /// <summary>Those that are built with a project and are no part of it: it starts them.</summary>
    public static IEnumerable<string> Started(string project) => Named(project, isPart: false);

    public static IEnumerable<string> Packages(string project) => Included(project, "PackageReference").Select(Name);

    /// <summary>Every package that comes with a project, asked for or not, with its version: from its lock file.</summary>
    public static IReadOnlyDictionary<string, string> Closure(string project)
    {
        var locked = JsonNode.Parse(Repository.Read($"runner/{project}/packages.lock.json"))!["dependencies"]!["net10.0"]!.AsObject();
        return locked.Where(package => package.Value!["resolved"] is not null)
            .ToDictionary(package => package.Key, package => package.Value!["resolved"]!.GetValue<string>());
    }

    private static IEnumerable<string> Named(string project, bool isPart) => Included(project, "ProjectReference")
        .Where(reference => (reference.Attribute("ReferenceOutputAssembly")?.Value != "false") == isPart)
        .Select(reference => Path.GetFileNameWithoutExtension(Name(reference))).Order(StringComparer.Ordinal);

    private static IEnumerable<XElement> Included(string project, string element) => All[project].Descendants(element);

    private static string Name(XElement reference) => reference.Attribute("Include")!.Value;
}
