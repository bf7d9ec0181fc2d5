using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Requests;

/// <summary>
/// What a benchmark's [BenchmarkCategory] must hold, as BenchmarkDotNet's --anyCategories and --allCategories have it
/// (https://github.com/dotnet/BenchmarkDotNet/tree/v0.14.0/src/BenchmarkDotNet/Filters).
/// </summary>
/// <param name="OneOf">One of them is enough; none: any.</param>
/// <param name="Each">All of them.</param>
public sealed record BenchmarkCategories(IReadOnlyList<string> OneOf, IReadOnlyList<string> Each)
{
    public const string Any = "--any-categories", All = "--all-categories";

    /// <summary>Null when nothing is asked for.</summary>
    public static BenchmarkCategories? Of(IReadOnlyList<string> oneOf, IReadOnlyList<string> each) =>
        oneOf.Count + each.Count == 0 ? null : new(oneOf, each);

    public bool Hold(IReadOnlyList<string> categories) =>
        (OneOf.Count == 0 || OneOf.Any(asked => IsAmong(asked, categories))) && Each.All(asked => IsAmong(asked, categories));

    /// <summary>What can't hold for any benchmark of these workloads.</summary>
    public IEnumerable<Problem> Problems(IReadOnlyList<Workload> workloads)
    {
        var option = OneOf.Count > 0 ? Any : All;
        var benchmarks = workloads.SelectMany(workload => workload.Parameters)
            .Where(parameter => parameter.Name == BenchmarkCases.Parameter).ToList();
        if (benchmarks.Count == 0)
        {
            return [new(option, "is for benchmarks of BenchmarkDotNet; none was named.")];
        }

        if (workloads.FirstOrDefault(workload => workload.Parameters.Any(parameter => parameter.Categories is null)) is { } listed)
        {
            return [new(option, $"the manifest of {listed.Name} lists benchmarks, and says nothing of their categories.",
                "Name the project file in its place, or use --filter.")];
        }

        var known = benchmarks.SelectMany(parameter => parameter.Categories!.Values).SelectMany(category => category)
            .Distinct(StringComparer.OrdinalIgnoreCase).Order(StringComparer.Ordinal).ToList();
        return OneOf.Select(asked => (Option: Any, Asked: asked)).Concat(Each.Select(asked => (Option: All, Asked: asked)))
            .Where(one => !IsAmong(one.Asked, known))
            .Select(one => new Problem(
                one.Option, $"no benchmark is in the category '{one.Asked}'.", NearestNames.Suggest(one.Asked, known)));
    }

    private static bool IsAmong(string asked, IEnumerable<string> categories) =>
        categories.Contains(asked, StringComparer.OrdinalIgnoreCase);
}
