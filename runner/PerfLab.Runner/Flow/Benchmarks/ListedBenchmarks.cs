using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Launching.Results;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>What each arm holds -> the benchmarks of a workload. One that only some arms hold has a row that says so.</summary>
internal static class ListedBenchmarks
{
    public const string None = "it holds none: no public class has a method with [Benchmark]";

    public const string WhatToDo = "name the project that holds the benchmarks";

    /// <summary>The parameter that names the benchmarks; null: there are none.</summary>
    /// <param name="lists">By arm.</param>
    /// <param name="mostMissing">
    /// Rows of benchmarks that not every arm holds; of further ones the first row says how many they are. Nothing of them is launched.
    /// </param>
    public static ParameterDefinition? Of(IReadOnlyList<(string Arm, BenchmarkList List)> lists, int mostMissing = int.MaxValue)
    {
        var all = lists.SelectMany(list => list.List.Benchmarks).Select(benchmark => benchmark.Name)
            .Distinct(StringComparer.Ordinal).ToList();
        var held = lists.Select(list => list.List.Benchmarks.Select(benchmark => benchmark.Name).ToHashSet(StringComparer.Ordinal)).ToList();
        var partly = all.Where(name => held.Exists(names => !names.Contains(name))).ToList();
        var dropped = partly.Skip(mostMissing).ToHashSet(StringComparer.Ordinal);
        IReadOnlyList<string> names = [.. all.Where(name => !dropped.Contains(name))];
        return names.Count == 0 ? null : BenchmarkProject.Parameter(names) with
        {
            Missing = Missing(lists, [.. partly.Take(mostMissing)], dropped.Count),
            Categories = Categories(lists.Select(list => list.List)),
        };
    }

    private static Dictionary<string, string> Missing(
        IReadOnlyList<(string Arm, BenchmarkList List)> lists, IReadOnlyList<string> partly, int more)
    {
        var missing = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var (arm, list) in lists)
        {
            var held = list.Benchmarks.Select(benchmark => benchmark.Name).ToHashSet(StringComparer.Ordinal);
            var near = new NearBenchmarks(held);
            foreach (var name in partly.Where(name => !held.Contains(name)))
            {
                missing[name] = $"{arm} holds no such benchmark, so there is nothing to compare{near.Hint(name)}";
            }
        }

        if (more > 0)
        {
            missing[partly[0]] += Invariant($"; {more} more like it have no row");
        }

        return missing;
    }

    /// <summary>A benchmark is in a category when any arm has it there.</summary>
    private static Dictionary<string, IReadOnlyList<string>> Categories(IEnumerable<BenchmarkList> lists) =>
        lists.SelectMany(list => list.Benchmarks).GroupBy(benchmark => benchmark.Name, StringComparer.Ordinal)
            .ToDictionary(
                group => group.Key,
                IReadOnlyList<string> (group) =>
                    [.. group.SelectMany(benchmark => benchmark.Categories).Distinct(StringComparer.OrdinalIgnoreCase)],
                StringComparer.Ordinal);
}
