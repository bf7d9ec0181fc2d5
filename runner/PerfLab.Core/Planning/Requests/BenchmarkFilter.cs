using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Requests;

/// <summary>
/// `--filter`, `--any-categories`, `--all-categories`: which benchmarks of a project are measured. BenchmarkDotNet's own globs (* and ?,
/// over the whole name) and categories, in any case of letters; what is given more than one way must hold in each.
/// </summary>
/// <param name="globs">One that matches is enough; none: all benchmarks.</param>
/// <param name="categories">Null: all benchmarks.</param>
public sealed class BenchmarkFilter(IReadOnlyList<string> globs, BenchmarkCategories? categories = null)
{
    private const string Where = "--filter";

    /// <summary>
    /// The workloads, those of BenchmarkDotNet with the benchmarks that match; one of which none does is left out. When nothing is left of
    /// them, a problem with the nearest names is added.
    /// </summary>
    public IReadOnlyList<Workload> Of(IReadOnlyList<Workload> workloads, ICollection<Problem> problems)
    {
        var benchmarks = workloads.Where(workload => workload.IsBenchmarkDotNet()).ToList();
        if (workloads.Count == 0 || (globs.Count == 0 && categories is null))
        {
            return workloads;
        }

        var found = problems.Count;
        foreach (var problem in GlobProblems([.. benchmarks.SelectMany(workload => Benchmarks(workload).Values)])
            .Concat(categories?.Problems(benchmarks) ?? []))
        {
            problems.Add(problem);
        }

        IReadOnlyList<Workload> left =
            [.. workloads.Select(workload => workload.IsBenchmarkDotNet() ? Narrowed(workload) : workload).OfType<Workload>()];
        if (problems.Count == found && !left.Any(workload => workload.IsBenchmarkDotNet()))
        {
            problems.Add(new(globs.Count > 0 ? Where : BenchmarkCategories.All,
                "each of them holds for some benchmark, and all of them for none.", "Leave one out."));
        }

        return left;
    }

    private IEnumerable<Problem> GlobProblems(IReadOnlyList<string> names)
    {
        if (globs.Count > 0 && names.Count == 0)
        {
            yield return new(Where, "is for benchmarks of BenchmarkDotNet; none was named.");
        }

        foreach (var glob in globs.Where(glob => names.Count > 0 && !names.Any(name => Matches(glob, name))))
        {
            // Part of a name is what people mean who write no star.
            var starred = $"*{glob.Trim('*')}*";
            yield return new(Where, $"no benchmark matches '{glob}'.", glob != starred && names.Any(name => Matches(starred, name))
                ? $"A glob is over the whole name: write '{starred}'."
                : NearestNames.Suggest(glob.Trim('*', '?'), Candidates(glob, names)));
        }
    }

    private static ParameterDefinition Benchmarks(Workload workload) =>
        workload.Parameters.First(parameter => parameter.Name == BenchmarkCases.Parameter);

    private Workload? Narrowed(Workload workload)
    {
        var all = Benchmarks(workload);
        IReadOnlyList<string> left = [.. all.Values
            .Where(name => globs.Count == 0 || globs.Any(glob => Matches(glob, name)))
            .Where(name => categories?.Hold(all.Categories?.GetValueOrDefault(name) ?? []) ?? true)];
        return left.Count == 0 ? null : workload with
        {
            Parameters = [.. workload.Parameters
                .Select(parameter => parameter == all ? all with { Default = left[0], Values = left } : parameter)],
        };
    }

    // As in BenchmarkDotNet, with and without the parameters. Names come from a build and globs from a person: nothing here backtracks.
    private static bool Matches(string glob, string name) =>
        new[] { name, WithoutParameters(name) }.Any(text => Regex.IsMatch(
            text, $@"\A{Regex.Escape(glob).Replace(@"\*", ".*").Replace(@"\?", ".")}\z",
            RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.NonBacktracking | RegexOptions.Singleline,
                TimeSpan.FromSeconds(1)));

    private static string WithoutParameters(string name) => name.IndexOf('(') is > 0 and var at ? name[..at] : name;

    /// <summary>Whoever writes no namespace means a method or a type.</summary>
    private static IEnumerable<string> Candidates(string glob, IEnumerable<string> names)
    {
        var plain = names.Select(WithoutParameters).Distinct(StringComparer.Ordinal);
        return glob.Contains('.') ? plain
            : plain.SelectMany(name => name.Split('.').TakeLast(2).Reverse()).Distinct(StringComparer.Ordinal);
    }
}
