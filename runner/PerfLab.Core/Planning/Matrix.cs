using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Planning;

/// <summary>One cell of the matrix with its arms, values looked up but nothing decided yet about building or order.</summary>
public sealed record MatrixCell(
    Workload Workload, IReadOnlyDictionary<string, DimensionValue> Shared, IReadOnlyList<MatrixArm> Arms, string? Unavailable);

/// <summary>The values in which an arm differs from the other arms.</summary>
public sealed record MatrixArm(string Id, IReadOnlyDictionary<string, DimensionValue> Own);

/// <summary>Expands what was asked for into cells: every combination of the set dimensions, for every workload that knows them.</summary>
public sealed class Matrix(BenchmarkRequest request, PlanningFacts facts, ICollection<Problem> problems)
{
    private readonly CellSettlement _settlement = new(request);

    public IReadOnlyList<MatrixCell> Expand(IReadOnlyList<Workload> workloads)
    {
        var asked = request.Set.Keys.Concat(request.Arms.SelectMany(arm => arm.Values.Keys)).ToHashSet(StringComparer.Ordinal);
        var known = workloads.ToDictionary(workload => workload, workload => new WorkloadDimensions(workload, facts, asked));
        foreach (var dimension in request.Set.Keys.Where(dimension => known.Values.All(dimensions => !dimensions.Knows(dimension))))
        {
            problems.Add(dimension == Cell.Age && workloads.Count > 0
                ? ColdStart.NeedsKit(workloads) : Unknown("--set", dimension, known.Values));
        }

        List<MatrixCell> cells = [.. workloads.SelectMany(workload => ExpandOne(workload, known[workload]))];
        foreach (var mistake in _settlement.Mistakes)
        {
            problems.Add(mistake);
        }

        return cells;
    }

    private IEnumerable<MatrixCell> ExpandOne(Workload workload, WorkloadDimensions dimensions)
    {
        var armDimensions = request.Arms.SelectMany(arm => arm.Values.Keys).Distinct(StringComparer.Ordinal).ToList();
        if (facts.Commits is not null)
        {
            armDimensions.Remove(WorkloadDimensions.Source);
        }

        var isAgeOfArms = WorkloadDimensions.HasOurAge(workload) && armDimensions.Remove(Cell.Age);
        var unknown = armDimensions.Where(dimension => !dimensions.Knows(dimension)).ToList();
        var twice = armDimensions.Where(request.Set.ContainsKey).ToList();
        if (isAgeOfArms && ColdStart.InArms(workload) is var problem && !problems.Contains(problem))
        {
            problems.Add(problem);
        }

        unknown.ForEach(dimension => problems.Add(Unknown($"arms of {workload.Name}", dimension, [dimensions])));
        twice.ForEach(dimension => problems.Add(new(
            $"arms of {workload.Name}", $"'{dimension}' is named for all arms, too.", "A dimension either makes the cells or the arms.")));
        // Also where something is unknown: the other values may be wrong, too, and all problems come at once.
        var arms = request.Arms.Select(arm => new MatrixArm(arm.Id, Own(arm, armDimensions, dimensions))).ToList();
        if (isAgeOfArms || unknown.Count > 0 || twice.Count > 0)
        {
            return [];
        }

        var shared = dimensions.Names.Where(dimension => request.IsAa || !armDimensions.Contains(dimension, StringComparer.Ordinal));
        if (request.IsAa)
        {
            // Base against base: the arm's values describe the cell, and the two arms differ in nothing.
            var fixedValues = arms[0].Own;
            arms = [.. arms.Select(arm => arm with { Own = new Dictionary<string, DimensionValue>(StringComparer.Ordinal) })];
            return Combinations(shared, dimensions, fixedValues).SelectMany(values => _settlement.Settle(workload, values, arms));
        }

        return Combinations(shared, dimensions, null).SelectMany(values => _settlement.Settle(workload, values, arms));
    }

    private Dictionary<string, DimensionValue> Own(ArmRequest arm, IEnumerable<string> armDimensions, WorkloadDimensions dimensions)
    {
        var own = new Dictionary<string, DimensionValue>(StringComparer.Ordinal);
        foreach (var dimension in dimensions.Names.Intersect(armDimensions, StringComparer.Ordinal))
        {
            var text = arm.Values.GetValueOrDefault(dimension) ?? dimensions.Default(dimension);
            if (text is not null && Look(dimensions, dimension, text) is { } value)
            {
                own.Add(dimension, value);
            }
        }

        return own;
    }

    private IEnumerable<IReadOnlyDictionary<string, DimensionValue>> Combinations(
        IEnumerable<string> names, WorkloadDimensions dimensions, IReadOnlyDictionary<string, DimensionValue>? fixedValues)
    {
        List<Dictionary<string, DimensionValue>> combinations = [new(StringComparer.Ordinal)];
        foreach (var dimension in names)
        {
            var values = fixedValues?.TryGetValue(dimension, out var value) == true ? [value] : ValuesOf(dimension, dimensions);
            if (values.Count > 0)
            {
                combinations = [.. combinations.SelectMany(before => values.Select(next =>
                    new Dictionary<string, DimensionValue>(before, StringComparer.Ordinal) { [dimension] = next }))];
            }
        }

        return combinations;
    }

    private List<DimensionValue> ValuesOf(string dimension, WorkloadDimensions dimensions)
    {
        IReadOnlyList<string> texts = request.Set.TryGetValue(dimension, out var asked)
            ? asked.Contains("*", StringComparer.Ordinal) ? dimensions.All(dimension) ?? asked : asked
            : dimensions.Default(dimension) is { } only ? [only] : [];
        return [.. texts.Select(text => Look(dimensions, dimension, text)).OfType<DimensionValue>().DistinctBy(value => value.Name, StringComparer.Ordinal)];
    }

    private DimensionValue? Look(WorkloadDimensions dimensions, string dimension, string text)
    {
        var (value, problem) = dimensions.Resolve(dimension, text);
        if (problem is not null && !problems.Contains(problem))
        {
            problems.Add(problem);
        }

        return value;
    }

    private static Problem Unknown(string where, string dimension, IEnumerable<WorkloadDimensions> known) => new(
        where, $"'{dimension}' is not a dimension or parameter.",
        dimension == WorkloadDimensions.Framework && known.Any(one => one.Knows(WorkloadDimensions.Package))
            ? "Another version of a package that the project refers to: package=NAME@VERSION."
            : NearestNames.Suggest(dimension, known.SelectMany(dimensions => dimensions.Names).Distinct(StringComparer.Ordinal)));
}
