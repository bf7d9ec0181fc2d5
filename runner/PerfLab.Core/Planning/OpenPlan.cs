using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Planning;

/// <summary>
/// A plan whose benchmarks are known only when it is built (docs/decisions/0032-listed-when-it-is-built.md). It is made in two steps: the open plan
/// is built, which does not need their names, and the complete one is measured with these builds.
/// </summary>
public static class OpenPlan
{
    /// <summary>The plan, with a cell for each benchmark in place of those that stood for all.</summary>
    /// <param name="open">As it was built.</param>
    /// <param name="request">What <paramref name="open"/> was made for; its rounds, sessions and price may be others now.</param>
    /// <param name="workloads">
    /// Those of the request, with the benchmarks that are wanted of each; the cells of one that is not there are left out.
    /// </param>
    public static RunPlan Complete(RunPlan open, BenchmarkRequest request, IReadOnlyList<Workload> workloads)
    {
        var wanted = workloads.ToDictionary(workload => workload.Name, StringComparer.Ordinal);
        var unlisted = open.Unlisted?.ToHashSet(StringComparer.Ordinal) ?? [];
        IReadOnlyList<PlannedCell> cells =
        [
            .. open.Cells.Where(cell => wanted.ContainsKey(cell.Workload))
                .SelectMany(cell => unlisted.Contains(cell.Workload) ? Listed(cell, wanted[cell.Workload]) : Kept(cell, wanted[cell.Workload]))
                .Select((cell, index) => cell with { Id = Planner.IdOf(index) }),
        ];
        // Bits are compared on the machine that measures: nobody has both builds before.
        var plan = Planner.Drawn(request with { Seed = open.Seed, Asked = open.Request }, cells, (_, _) => false);
        var built = plan with { BuildsOf = open.BuildsOf ?? open.Hash };
        return built with { Hash = PlanFile.Hash(built) };
    }

    private static IEnumerable<PlannedCell> Kept(PlannedCell cell, Workload workload)
    {
        var values = workload.IsBenchmarkDotNet() ? Benchmarks(workload).Values : null;
        return values is null || values.Contains(cell.Parameters.GetValueOrDefault(BenchmarkCases.Parameter, ""), StringComparer.Ordinal)
            ? [cell with { BuiltAs = cell.BuiltAs ?? cell.Id }] : [];
    }

    private static IEnumerable<PlannedCell> Listed(PlannedCell cell, Workload workload)
    {
        var benchmarks = Benchmarks(workload);
        return benchmarks.Values.Select(name => cell with
        {
            BuiltAs = cell.BuiltAs ?? cell.Id,
            Parameters = With(cell.Parameters, name),
            Arms = [.. cell.Arms.Select(arm => arm with { Environment = [.. arm.Environment.Select(pair => Named(pair, name))] })],
            Unavailable = cell.Unavailable ?? benchmarks.Missing.GetValueOrDefault(name),
        });
    }

    private static ParameterDefinition Benchmarks(Workload workload) =>
        workload.Parameters.First(parameter => parameter.Name == BenchmarkCases.Parameter);

    private static SortedDictionary<string, string> With(IReadOnlyDictionary<string, string> parameters, string benchmark) =>
        new(parameters.ToDictionary(StringComparer.Ordinal), StringComparer.Ordinal) { [BenchmarkCases.Parameter] = benchmark };

    private static KeyValuePair<string, string> Named(KeyValuePair<string, string> variable, string benchmark) =>
        variable.Key == Planner.VariableOf(BenchmarkCases.Parameter) ? new(variable.Key, benchmark) : variable;
}
