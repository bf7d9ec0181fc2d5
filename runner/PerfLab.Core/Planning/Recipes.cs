using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Planning;

/// <summary>The build recipe of an arm: everything that decides its bits, and nothing else, so that equal recipes are built once.</summary>
public static class Recipes
{
    /// <summary>MSBuild property with the framework's name, for workloads that choose their sources by it.</summary>
    public const string FrameworkProperty = "PerfLabFramework";

    /// <summary>MSBuild property with the number of the layout.</summary>
    public const string LayoutProperty = "PerfLabLayout";

    /// <summary>MSBuild property with the packages of <c>package=</c>, as <see cref="PackageChoice.Name"/> writes them.</summary>
    public const string PackagesProperty = "PerfLabPackages";

    public static BuildRecipe For(Workload workload, IReadOnlyDictionary<string, DimensionValue> values, BenchmarkRequest request)
    {
        var runtime = values.GetValueOrDefault(WorkloadDimensions.Runtime)?.Runtime;
        var claimed = workload.Build.Runtimes;
        var source = values.GetValueOrDefault(WorkloadDimensions.Source)?.Name;
        return new BuildRecipe
        {
            Workload = workload.Name,
            Folder = workload.Folder,
            Kind = workload.Build.Kind,
            Project = workload.Build.Project,
            Dockerfile = workload.Build.Dockerfile,
            TargetFramework = runtime is null ? null
                : request.SameIl ? TargetFrameworks.Lowest(claimed) : TargetFrameworks.Highest(claimed, runtime.Release),
            RuntimePatch = runtime?.Patch,
            Properties = Properties(values.GetValueOrDefault(WorkloadDimensions.Framework)?.Framework, source,
                Layout(workload, values), Packages(workload, values)),
            Feeds = request.Feeds,
            Source = source,
            CurrentSdk = request.CurrentSdk && workload.Build.Kind == BuildKind.Dotnet,
            IsBenchmarkDotNet = workload.IsBenchmarkDotNet(),
            Snippet = workload.IsBenchmarkDotNet() ? request.Snippet : null,
        };
    }

    private static string? Layout(Workload workload, IReadOnlyDictionary<string, DimensionValue> values) =>
        WorkloadDimensions.IsParameter(workload, WorkloadDimensions.Layout) ? null
            : values.GetValueOrDefault(WorkloadDimensions.Layout)?.Name;

    private static string? Packages(Workload workload, IReadOnlyDictionary<string, DimensionValue> values) =>
        WorkloadDimensions.IsParameter(workload, WorkloadDimensions.Package) ? null
            : values.GetValueOrDefault(WorkloadDimensions.Package)?.Name;

    private static SortedDictionary<string, string> Properties(FrameworkChoice? choice, string? source, string? layout, string? packages)
    {
        var properties = new SortedDictionary<string, string>(StringComparer.Ordinal);
        if (packages is not null)
        {
            properties[PackagesProperty] = packages;
        }

        if (layout is not null)
        {
            properties[LayoutProperty] = layout;
        }

        if (choice is null)
        {
            return properties;
        }

        properties[FrameworkProperty] = choice.Framework.Name;
        if (choice.Framework.Property is { } property && choice.Version is { } version)
        {
            properties[property] = version;
        }

        if (source is not null && choice.Framework.SourceProperty is { } sourceProperty)
        {
            properties[sourceProperty] = source;
        }

        return properties;
    }
}
