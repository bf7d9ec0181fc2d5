using PerfLab.Building;
using PerfLab.Core.Planning.Plans;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Flow;

/// <summary>Plan -> builds: every distinct recipe once; what can't be had or does not build is a value, not an end.</summary>
public sealed class BuildStep(Builder builder, Terminal terminal)
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
                terminal.Say($"build {byRecipe.Count + 1} of {recipes}: {Describe(arm.Recipe)}");
                byRecipe[key] = result = await builder.BuildAsync(arm.Recipe, cancellationToken);
                Tell(arm.Recipe, result);
            }

            results[(cell.Id, arm.Id)] = result;
        }

        return results;
    }

    private void Tell(BuildRecipe recipe, BuildResult result)
    {
        if (result.Unavailable is { } unavailable)
        {
            terminal.Say($"  unavailable: {unavailable}");
        }
        else if (result.Failure is { } failure)
        {
            terminal.Say($"  {recipe.Workload} does not build: {failure}");
        }
    }

    private static string Describe(BuildRecipe recipe) => string.Join(" ", new[]
    {
        recipe.Workload,
        recipe.RuntimePatch is { } patch ? $".NET {patch}" : null,
        string.Join(" ", recipe.Properties.Select(property => $"{property.Key}={property.Value}")),
    }.Where(text => !string.IsNullOrEmpty(text)));
}
