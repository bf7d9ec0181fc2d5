using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Planning;

/// <summary>
/// Makes cells of combinations: settles the knobs that nobody asked for, and sets aside arms that make no sense. Where a product of lists
/// gives a senseless combination among good ones, its row says so and the others are measured; a value that somebody wrote and that makes
/// sense nowhere is a mistake.
/// </summary>
internal sealed class CellSettlement(BenchmarkRequest request)
{
    private readonly HashSet<(string Dimension, string Value)> _useful = [];
    private readonly Dictionary<(string Dimension, string Value), IReadOnlyList<Problem>> _useless = [];
    private readonly HashSet<string> _written =
    [
        .. request.Arms.SelectMany(arm => arm.Values.Keys),
        .. request.Set.Where(list => !list.Value.Contains("*", StringComparer.Ordinal)).Select(list => list.Key),
    ];

    /// <summary>What was asked for and fits nowhere: complete when every combination was settled.</summary>
    public IEnumerable<Problem> Mistakes => _useless.Where(pair => !_useful.Contains(pair.Key)).SelectMany(pair => pair.Value)
        .DistinctBy(problem => problem.What, StringComparer.Ordinal);

    /// <summary>
    /// One cell of the arms that can run; beside it one for each reason why others can't, unavailable, with the reference and those
    /// others. Without its reference a cell has nothing to compare.
    /// </summary>
    public IEnumerable<MatrixCell> Settle(Workload workload, IReadOnlyDictionary<string, DimensionValue> shared, IReadOnlyList<MatrixArm> arms)
    {
        var settled = arms.Select(arm => SettledArm.Of(workload, shared, arm)).ToList();
        settled.ForEach(arm => Remember(arm, shared));
        var reference = settled[0];
        if (settled.TrueForAll(arm => arm.Obstacle is null) || reference.Obstacle is not null)
        {
            return [ToCell(workload, shared, settled, reference.Obstacle)];
        }

        var whole = ToCell(workload, shared, [.. settled.Where(arm => arm.Obstacle is null)], null);
        return settled.Where(arm => arm.Obstacle is not null).GroupBy(arm => arm.Obstacle, StringComparer.Ordinal)
            .Select(group => ToCell(workload, shared, [reference, .. group], group.Key)).Prepend(whole);
    }

    private void Remember(SettledArm arm, IReadOnlyDictionary<string, DimensionValue> shared)
    {
        foreach (var value in shared.Values.Concat(arm.Arm.Own.Values).Where(value => _written.Contains(value.Dimension)))
        {
            if (arm.Mistakes.Count == 0)
            {
                _useful.Add((value.Dimension, value.Name));
            }
            else
            {
                _useless.TryAdd((value.Dimension, value.Name), arm.Mistakes);
            }
        }
    }

    /// <summary>Knobs that are equal in all arms describe the cell, the others the arms.</summary>
    private static MatrixCell ToCell(Workload workload, IReadOnlyDictionary<string, DimensionValue> shared, List<SettledArm> arms, string? unavailable)
    {
        var common = new Dictionary<string, DimensionValue>(shared, StringComparer.Ordinal);
        var own = arms.ConvertAll(arm => new Dictionary<string, DimensionValue>(arm.Arm.Own, StringComparer.Ordinal));
        foreach (var (knob, value) in arms[0].Knobs)
        {
            if (shared.ContainsKey(knob))
            {
                continue;
            }

            if (arms.TrueForAll(arm => arm.Knobs[knob] == value && !arm.Names(knob)))
            {
                common[knob] = new(knob, value);
                continue;
            }

            for (var i = 0; i < arms.Count; i++)
            {
                own[i][knob] = new(knob, arms[i].Knobs[knob]);
            }
        }

        return new(workload, common, [.. arms.Select((arm, i) => arm.Arm with { Own = own[i] })], unavailable);
    }
}

/// <summary>An arm in a cell with all its knobs, and what keeps it from running.</summary>
/// <param name="Knobs">Every knob, or none for workloads without.</param>
internal sealed record SettledArm(MatrixArm Arm, IReadOnlyDictionary<string, string> Knobs, IReadOnlyList<Problem> Mistakes, string? Unavailable)
{
    private static readonly Dictionary<string, string> None = new(StringComparer.Ordinal);

    public string? Obstacle => Mistakes is [var first, ..] ? first.What : Unavailable;

    public bool Names(string knob) => Arm.Own.ContainsKey(knob);

    public static SettledArm Of(Workload workload, IReadOnlyDictionary<string, DimensionValue> shared, MatrixArm arm)
    {
        var runtime = Value(WorkloadDimensions.Runtime)?.Runtime;
        var mistakes = new List<Problem>();
        if (runtime is not null && TargetFrameworks.Highest(workload.Build.Runtimes, runtime.Release) is null)
        {
            mistakes.Add(new(workload.Name, $"{workload.Name} does not run on {runtime.Asked}: it claims {string.Join(", ", workload.Build.Runtimes)}."));
        }

        if (runtime is { Unavailable: { } reason, IsExactPatch: true })
        {
            mistakes.Add(new(workload.Name, reason));
        }

        if (Value(WorkloadDimensions.Framework)?.Framework is { } framework && runtime is not null
            && framework.ClashWith(runtime, workload) is { } clash)
        {
            mistakes.Add(clash);
        }

        if (!workload.HasKnobs)
        {
            return new(arm, None, mistakes, runtime?.Unavailable);
        }

        var asked = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var knob in RuntimeKnobs.All)
        {
            if (Value(knob.Name) is { } value)
            {
                asked[knob.Name] = value.Name;
            }
        }

        var setting = KnobSetting.Settle(runtime?.Release, Cores(), asked);
        mistakes.AddRange(setting.Clashes.Select(knob => new Problem(workload.Name, knob.ToString(), knob.Instead)));
        return new(arm, setting.Values, mistakes, runtime?.Unavailable);

        int Cores() => LimitDimensions.Is(workload, LimitDimensions.Cpus) && Value(LimitDimensions.Cpus) is { } cpus
            ? int.Parse(cpus.Name, CultureInfo.InvariantCulture) : workload.Resources.Cpus;

        DimensionValue? Value(string dimension) => arm.Own.GetValueOrDefault(dimension) ?? shared.GetValueOrDefault(dimension);
    }
}
