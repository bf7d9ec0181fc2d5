using PerfLab.Core.Model;

namespace PerfLab.Building.Runtimes;

/// <summary>Which packs a self-contained program for linux-x64 is published from.</summary>
internal static class RuntimePacks
{
    public const string Runtime = "Microsoft.NETCore.App.Runtime.linux-x64", AspNetCore = "Microsoft.AspNetCore.App.Runtime.linux-x64";

    private const string AspNetCoreReferences = "Microsoft.AspNetCore.App.Ref";

    /// <summary>Id and version of every pack that a workload needs to run on a patch, the runtime itself first.</summary>
    public static IEnumerable<(string Id, string Version)> For(Workload? workload, bool sameIl, RuntimeRelease release, string patch)
    {
        yield return (Runtime, patch);
        if (workload is null)
        {
            yield break;
        }

        if (workload.Build.AspNetCore)
        {
            yield return (AspNetCore, patch);
        }

        var target = sameIl ? TargetFrameworks.Lowest(workload.Build.Runtimes) : TargetFrameworks.Highest(workload.Build.Runtimes, release.Name);
        foreach (var (id, version) in (target is null ? null : RuntimeRelease.Find(target))?.CompiledWith ?? new Dictionary<string, string>(StringComparer.Ordinal))
        {
            if (workload.Build.AspNetCore || id != AspNetCoreReferences)
            {
                yield return (id, version);
            }
        }
    }
}
