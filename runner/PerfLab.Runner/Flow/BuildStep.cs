using PerfLab.Building;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Programs;

namespace PerfLab.Runner.Flow;

/// <summary>Plan -> builds: every distinct recipe once; what can't be had or does not build is a value, not an end.</summary>
internal sealed class BuildStep(Builder builder, Terminal terminal)
{
    public async Task<IReadOnlyDictionary<(string Cell, string Arm), BuildResult>> RunAsync(RunPlan plan, CancellationToken cancellationToken)
    {
        var byRecipe = new Dictionary<string, BuildResult>(StringComparer.Ordinal);
        var results = new Dictionary<(string Cell, string Arm), BuildResult>();
        var arms = plan.Cells.SelectMany(cell => cell.Arms.Select(arm => (Cell: cell, Arm: arm))).ToList();
        var recipes = arms.Where(pair => pair.Cell.Unavailable is null).Select(pair => RecipeKey.Of(pair.Arm.Recipe)).Distinct(StringComparer.Ordinal).Count();
        foreach (var (cell, arm) in arms)
        {
            if (cell.Unavailable is { } reason)
            {
                results[(cell.Id, arm.Id)] = new(null, reason, null);
                continue;
            }

            var key = RecipeKey.Of(arm.Recipe);
            if (!byRecipe.TryGetValue(key, out var result))
            {
                terminal.Say($"build {byRecipe.Count + 1} of {recipes}: {Describe(cell, arm)}");
                byRecipe[key] = result = await builder.BuildAsync(arm.Recipe, cancellationToken);
                Tell(result);
            }

            results[(cell.Id, arm.Id)] = result;
        }

        return results;
    }

    private void Tell(BuildResult result)
    {
        if (result.Unavailable is { } unavailable)
        {
            terminal.Say($"  unavailable: {unavailable}");
        }
        else if (result.Failure is { } failure)
        {
            terminal.Say($"  {failure}");
        }
    }

    /// <summary>"json-round-trip net8.0.33 newtonsoft@13.0.3 source 0a1b2c3d4e5f": what a build is made of, in the words of the command line.</summary>
    public static string Describe(PlannedCell cell, PlannedArm arm)
    {
        var values = cell.Dimensions.Concat(arm.Dimensions).ToDictionary(StringComparer.Ordinal);
        return string.Join(' ', new[]
        {
            cell.Workload, values.GetValueOrDefault(WorkloadDimensions.Runtime), values.GetValueOrDefault(WorkloadDimensions.Framework),
            values.GetValueOrDefault(WorkloadDimensions.Source) is { } source ? $"{WorkloadDimensions.Source} {source}" : null,
            values.GetValueOrDefault(WorkloadDimensions.Layout) is { } layout ? $"{WorkloadDimensions.Layout} {layout}" : null,
        }.OfType<string>());
    }
}
