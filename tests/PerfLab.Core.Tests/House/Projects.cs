using System.Xml.Linq;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.House;

/// <summary>The projects under runner/ with what they refer to, as their project files say.</summary>
internal static class Projects
{
    public static IReadOnlyDictionary<string, XDocument> All { get; } = Directory
        .EnumerateFiles(Path.Combine(Repository.Root, "runner"), "*.csproj", SearchOption.AllDirectories)
        .ToDictionary(path => Path.GetFileNameWithoutExtension(path), XDocument.Load);

    public static IEnumerable<string> References(string project) =>
        Included(project, "ProjectReference").Select(path => Path.GetFileNameWithoutExtension(path)).Order(StringComparer.Ordinal);

    public static IEnumerable<string> Packages(string project) => Included(project, "PackageReference");

    private static IEnumerable<string> Included(string project, string element) =>
        All[project].Descendants(element).Select(reference => reference.Attribute("Include")!.Value);
}
