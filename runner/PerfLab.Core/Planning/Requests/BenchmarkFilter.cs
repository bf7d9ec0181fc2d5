using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Requests;

/// <summary>
/// `--filter`: which benchmarks of a project are measured. BenchmarkDotNet's own globs: * and ?, over the whole name, in any case of
/// letters.
/// </summary>
/// <param name="globs">One that matches is enough; none: all benchmarks.</param>
public sealed class BenchmarkFilter(IReadOnlyList<string> globs)
{
    private const string Where = "--filter";

    /// <summary>
    /// The workloads, those of BenchmarkDotNet with the benchmarks that match; one of which none does is left out. When nothing is left of
    /// them, a problem with the nearest names is added.
    /// </summary>
    public IReadOnlyList<Workload> Of(IReadOnlyList<Workload> workloads, ICollection<Problem> problems)
    {
        var all = workloads.Where(workload => workload.IsBenchmarkDotNet()).SelectMany(Names).ToList();
        if (globs.Count == 0 || workloads.Count == 0)
        {
            return workloads;
        }

        if (all.Count == 0)
        {
            problems.Add(new(Where, "is for benchmarks of BenchmarkDotNet; none was named."));
        }

        foreach (var glob in globs.Where(glob => all.Count > 0 && !all.Exists(name => Matches(glob, name))))
        {
            problems.Add(new(Where, $"no benchmark matches '{glob}'.", NearestNames.Suggest(glob.Trim('*', '?'), Candidates(glob, all))));
        }

        return [.. workloads.Select(workload => workload.IsBenchmarkDotNet() ? Narrowed(workload) : workload).OfType<Workload>()];
    }

    private static IReadOnlyList<string> Names(Workload workload) =>
        workload.Parameters.First(parameter => parameter.Name == BenchmarkCases.Parameter).Values;

    private Workload? Narrowed(Workload workload)
    {
        IReadOnlyList<string> left = [.. Names(workload).Where(name => globs.Any(glob => Matches(glob, name)))];
        return left.Count == 0 ? null : workload with
        {
            Parameters = [.. workload.Parameters
                .Select(parameter => parameter.Name == BenchmarkCases.Parameter ? parameter with { Default = left[0], Values = left }
                : parameter)],
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
