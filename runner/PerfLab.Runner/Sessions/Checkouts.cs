using PerfLab.Core.Model;
using PerfLab.Core.Planning.Cells;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning;

namespace PerfLab.Runner.Sessions;

/// <summary>A commit and where its files lie, or will lie when the plan is built.</summary>
/// <param name="Arm">"base" or "head".</param>
/// <param name="Commit">40 hexadecimal digits.</param>
/// <param name="Folder">Absolute path; planning does not look inside.</param>
internal sealed record Checkout(string Arm, string Commit, string Folder)
{
    /// <summary>Enough of a commit to find it, short enough for a table.</summary>
    public string Short => Commit[..12];
}

/// <summary>
/// Turns the arms of a pull request's plan into commits (docs/decisions/0005-a-pull-request-as-arms.md). A framework that can be built from
/// source takes the checkout as its source, and the workload stays the trusted one; any other workload is itself taken from the checkout.
/// Manifests always come from the lab's own folder.
/// </summary>
internal sealed class Checkouts(IReadOnlyList<Checkout> checkouts, string root, IReadOnlyList<Workload> workloads)
{
    public RunPlan Place(RunPlan plan)
    {
        var placed = plan with { Cells = [.. plan.Cells.Select(Place)] };
        return placed with { Hash = PlanFile.Hash(placed) };
    }

    private PlannedCell Place(PlannedCell cell)
    {
        var workload = workloads.First(known => known.Name == cell.Workload);
        return cell with { Arms = [.. cell.Arms.Select(arm => Place(arm, checkouts.First(checkout => checkout.Arm == arm.Id), workload))] };
    }

    private PlannedArm Place(PlannedArm arm, Checkout checkout, Workload workload) => arm with
    {
        Dimensions = new SortedDictionary<string, string>(arm.Dimensions.ToDictionary(StringComparer.Ordinal), StringComparer.Ordinal) { [WorkloadDimensions.Source] = checkout.Short },
        Recipe = SourceProperty(arm.Recipe, workload) is { } property
            ? arm.Recipe with
            {
                Source = checkout.Folder,
                Properties = new SortedDictionary<string, string>(arm.Recipe.Properties.ToDictionary(StringComparer.Ordinal), StringComparer.Ordinal) { [property] = checkout.Folder },
            }
            : arm.Recipe with { Folder = In(checkout, arm.Recipe.Folder) },
    };

    /// <summary>The same folder in a checkout; one that lies outside the lab's repository is the same for both commits.</summary>
    private string In(Checkout checkout, string folder)
    {
        var relative = Path.GetRelativePath(root, folder);
        return relative == ".." || relative.StartsWith("../", StringComparison.Ordinal) || Path.IsPathRooted(relative) ? folder : Path.Combine(checkout.Folder, relative);
    }

    private static string? SourceProperty(BuildRecipe recipe, Workload workload) =>
        recipe.Properties.TryGetValue(Recipes.FrameworkProperty, out var name)
            ? workload.Frameworks.FirstOrDefault(framework => framework.Name == name)?.SourceProperty
            : null;
}
