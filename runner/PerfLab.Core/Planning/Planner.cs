using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Planning;

/// <summary>A plan, or every problem at once.</summary>
public sealed record PlanResult(RunPlan? Plan, IReadOnlyList<Problem> Problems);

/// <summary>Turns a request into the complete list of what may be launched.</summary>
public static class Planner
{
    public static PlanResult Plan(BenchmarkRequest request, PlanningFacts facts)
    {
        var problems = new List<Problem>();
        var matrix = new Matrix(request, facts, problems).Expand(facts.Workloads);
        problems.AddRange(WarmUpTimes.Problems(facts.Workloads, request));
        if (problems.Count > 0)
        {
            return new(null, problems);
        }

        if (matrix.Count == 0)
        {
            return new(null, [new("request", "nothing to measure: no workload was named.", "See `./perf-lab list`.")]);
        }

        var cells = matrix.Select((cell, index) => ToCell(cell, index, request, facts.Commits ?? ((arm, _) => arm))).ToList();
        if (request.Turns is { OrLaunches: true })
        {
            cells = [.. matrix.Zip(cells, (one, cell) => TakingTurns.WhereItCan(one.Workload, cell))];
        }
        else if (request.Turns is not null)
        {
            problems.AddRange(TakingTurns.Problems(matrix.Select(cell => cell.Workload).Zip(cells)));
        }

        if (problems.Count > 0)
        {
            return new(null, problems);
        }

        var same = facts.Workloads.ToLookup(workload => workload.Name, workload => workload.SameBits, StringComparer.Ordinal);
        bool IsSame(PlannedCell cell, PlannedArm arm) => (!request.IsAa && AreAlike(arm, cell.Arms[0]))
            || same[cell.Workload].Any(bits => bits.Contains((arm.Id, arm.Recipe.RuntimePatch)));
        var plan = Drawn(request, cells, IsSame);
        return new(plan with { Hash = PlanFile.Hash(plan) }, []);
    }

    /// <summary>Whether both are built alike and launched with the same values: nothing of one of them is launched, but for an A/A.</summary>
    public static bool AreAlike(PlannedArm arm, PlannedArm reference) => RecipeKey.Of(arm.Recipe) == RecipeKey.Of(reference.Recipe)
        && PairEvidence.DifferInBuildOnly(arm.Dimensions, reference.Dimensions);

    /// <summary>Cells -> the plan around them, without its hash: policy, the order of rounds, what it takes.</summary>
    internal static RunPlan Drawn(BenchmarkRequest request, IReadOnlyList<PlannedCell> cells, Func<PlannedCell, PlannedArm, bool> isSame)
    {
        var policy = PolicyFor(request, cells);
        var measurable = cells.Where(cell => cell.Unavailable is null).ToList();
        var launched = measurable.Where(cell => cell.Arms.Count == 1 || !cell.Arms.Skip(1).All(arm => isSame(cell, arm))).ToList();
        var isSelected = request.OnlyTouched && !request.IsAa && cells.Any(IsSelected);
        return new RunPlan
        {
            Request = request.Asked,
            Seed = request.Seed,
            IsAa = request.IsAa,
            SameIl = request.SameIl,
            Explain = request.Explain && request.Arms.Count > 1,
            OnlyTouched = isSelected,
            PlacedAt = request.PlacedAt,
            Policy = policy,
            Cells = cells,
            Screen = RoundOrder.Draw(request.Seed, Stage.Screen, policy.ScreenRounds, measurable),
            Confirm = RoundOrder.Draw(request.Seed, Stage.Confirm, policy.ConfirmRounds, measurable),
            Repeat = RoundOrder.DrawRepeats(request.Seed, policy, measurable),
            Estimate = Estimate.Of(launched, policy, request.Machine, request.Explain, isSelected),
        };
    }

    /// <summary>What it runs can be told, and it is compared with nothing but another build.</summary>
    private static bool IsSelected(PlannedCell cell) => cell.Result == ResultFormat.BenchmarkDotNet
        && cell.Arms.Skip(1).Any(arm => PairEvidence.DifferInBuildOnly(arm.Dimensions, cell.Arms[0].Dimensions));

    /// <summary>
    /// With few pairs there is no screen: fewer launches find more (docs/internals/statistics-method.md, `few-pairs`). One arm has nothing
    /// to confirm.
    /// </summary>
    private static Policy PolicyFor(BenchmarkRequest request, IReadOnlyCollection<PlannedCell> cells)
    {
        var asked = request.Arms.Count == 1 ? request.Policy with { Repeats = 0 } : request.Policy;
        if (request.Rounds is { } rounds)
        {
            return asked with { ScreenRounds = rounds.Screen, ConfirmRounds = rounds.Confirm };
        }

        if (request.Arms.Count == 1)
        {
            return asked with { ConfirmRounds = 0 };
        }

        var pairs = cells.Where(cell => cell.Unavailable is null).Sum(cell => cell.Arms.Count - 1);
        return PolicyRules.ForPairs(asked, pairs);
    }

    /// <summary>"c001" is the first.</summary>
    internal static string IdOf(int index) => "c" + (index + 1).ToString("D3", CultureInfo.InvariantCulture);

    private static PlannedCell ToCell(
        MatrixCell cell, int index, BenchmarkRequest request, Func<PlannedArm, Workload, PlannedArm> placed)
    {
        var workload = cell.Workload;
        var alsoComPlus = cell.Arms.SelectMany(arm => arm.Own.Values).Concat(cell.Shared.Values)
            .Any(value => value.Runtime is { } runtime && KnobSetting.NeedsComPlus(runtime.Release));
        var arms = cell.Arms.Select(arm => placed(ToArm(cell, arm, request, alsoComPlus), workload)).ToList();
        var modeName = cell.Shared.GetValueOrDefault(WorkloadDimensions.Mode)?.Name ?? workload.Modes[0].Name;
        return new PlannedCell
        {
            Id = IdOf(index),
            Workload = workload.Name,
            Mode = modeName,
            Dimensions = Names(cell.Shared.Values.Where(value => !WorkloadDimensions.IsParameter(workload, value.Dimension))),
            Parameters = Names(cell.Shared.Values.Where(value => WorkloadDimensions.IsParameter(workload, value.Dimension))),
            Arms = arms,
            Metrics = workload.Modes.First(mode => mode.Name == modeName).Metrics,
            Launch = FromTheFirstUnit(cell, WarmUpTimes.Of(workload, request)),
            Resources = workload.Resources,
            Result = workload.Result,
            Turns = request.Turns,
            Unavailable = cell.Unavailable ?? workload.Parameters
                .Select(parameter => cell.Shared.TryGetValue(parameter.Name, out var value)
                    ? parameter.Missing.GetValueOrDefault(value.Name) : null)
                .FirstOrDefault(reason => reason is not null)
                ?? arms.Select(arm => workload.NotBuilt.GetValueOrDefault((arm.Id, arm.Recipe.RuntimePatch)))
                    .FirstOrDefault(reason => reason is not null),
        };
    }

    /// <summary>A cell that was asked to be cold warms up nothing.</summary>
    private static LaunchTimes FromTheFirstUnit(MatrixCell cell, LaunchTimes times) =>
        cell.Shared.ContainsKey(Cell.Age) && WorkloadDimensions.HasOurAge(cell.Workload) ? times with { WarmUpSeconds = 0 } : times;

    private static PlannedArm ToArm(MatrixCell cell, MatrixArm arm, BenchmarkRequest request, bool alsoComPlus)
    {
        var values = new SortedDictionary<string, DimensionValue>(StringComparer.Ordinal);
        foreach (var value in cell.Shared.Values.Concat(arm.Own.Values))
        {
            values[value.Dimension] = value;
        }

        var knobs = Names(values.Values.Where(value => !WorkloadDimensions.IsParameter(cell.Workload, value.Dimension)));
        return new PlannedArm
        {
            Id = arm.Id,
            Dimensions = Names(arm.Own.Values),
            Recipe = Recipes.For(cell.Workload, values, request),
            Command = cell.Workload.Command,
            Nodes = Nodes(cell.Workload, values),
            Limits = LimitDimensions.Of(cell.Workload, values),
            Environment = [.. cell.Workload.HasKnobs ? KnobSetting.Environment(knobs, alsoComPlus) : [],
                .. ParameterEnvironment(cell.Workload, values), .. EnvironmentDimension.Of(values.Values)],
        };
    }

    // Null without a layout of several programs.
    private static List<PlannedNode>? Nodes(Workload workload, SortedDictionary<string, DimensionValue> values)
    {
        var name = values.GetValueOrDefault(NodeLayout.Parameter)?.Name;
        var layout = workload.Layouts.FirstOrDefault(known => name is null || known.Name == name);
        return layout is null or { Roles: [] } ? null
            : [.. layout.Roles.SelectMany(role => Enumerable.Range(0, role.Count)
                .Select(number => new PlannedNode(Invariant($"{role.Name}-{number}"), role.Name)))];
    }

    /// <summary>What a launch is told a parameter's value by.</summary>
    internal static string VariableOf(string parameter) => "PERF_LAB_PARAM_" + parameter.ToUpperInvariant().Replace('-', '_');

    private static IEnumerable<KeyValuePair<string, string>> ParameterEnvironment(
        Workload workload, SortedDictionary<string, DimensionValue> values) =>
        workload.Parameters.Select(parameter => new KeyValuePair<string, string>(
            VariableOf(parameter.Name),
            values.TryGetValue(parameter.Name, out var value) ? value.Name : parameter.Default));

    private static SortedDictionary<string, string> Names(IEnumerable<DimensionValue> values) =>
        new(values.ToDictionary(value => value.Dimension, value => value.Name, StringComparer.Ordinal), StringComparer.Ordinal);
}
