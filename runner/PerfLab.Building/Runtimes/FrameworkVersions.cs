using PerfLab.Core.Model;
using PerfLab.Core.Planning;

namespace PerfLab.Building.Runtimes;

/// <summary>Which versions of a framework the package sources have.</summary>
internal sealed class FrameworkVersions(PackIndex packs)
{
    /// <summary>
    /// The definition with the versions that every one of its packages has, oldest first, and the newest release as its default. Where no
    /// source can say what it has, the lowest version is left as the default: a build will tell. No default where there are previews only.
    /// </summary>
    /// <param name="framework">As the manifest has it.</param>
    /// <param name="ask">Whether package sources may be asked where nothing is known.</param>
    public FrameworkDefinition Served(FrameworkDefinition framework, bool ask)
    {
        if (framework.Packages.Count == 0)
        {
            return framework;
        }

        var known = framework.Packages.Select(package => packs.Versions(package, ask)).ToList();
        var served = known.Aggregate((all, next) => [.. all.Intersect(next, StringComparer.OrdinalIgnoreCase)])
            .Where(version => VersionOrder.Instance.Compare(version, framework.From) >= 0).ToList();
        var newest = served.Where(version => !VersionOrder.IsPreview(version)).Max(VersionOrder.Instance);
        return framework with
        {
            Versions = [.. served.Concat(framework.Versions).Distinct(StringComparer.OrdinalIgnoreCase).Order(VersionOrder.Instance)],
            Default = newest ?? framework.Default ?? (known.Exists(versions => versions.Count == 0) ? framework.From : null),
        };
    }
}
