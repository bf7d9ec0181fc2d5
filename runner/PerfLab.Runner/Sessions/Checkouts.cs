using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Runner.Sessions;

/// <summary>The files of an arm: where a commit's lie, or will lie when the plan is built, or a working tree as it is.</summary>
/// <param name="Arm">"base", "head", or what `--vary` calls it.</param>
/// <param name="Name">What the row shows, and what its line writes after `source=`.</param>
/// <param name="Folder">Absolute path; planning does not look inside.</param>
internal sealed record Checkout(string Arm, string Name, string Folder)
{
    /// <summary>What a working tree holds beside its commit; null for a commit.</summary>
    public string? WorkingTree { get; init; }

    /// <summary>Shows enough of a commit to find it, short enough for a table.</summary>
    /// <param name="arm">See above.</param>
    /// <param name="commit">40 hexadecimal digits.</param>
    /// <param name="folder">See above.</param>
    public static Checkout OfCommit(string arm, string commit, string folder) => new(arm, commit[..12], folder);
}

/// <summary>
/// Gives the arms of a plan the files of their commits (docs/decisions/0005-a-pull-request-as-arms.md). A framework that can be built from source
/// takes the checkout as its source, and the workload stays the trusted one; any other workload is itself taken from the checkout.
/// Manifests always come from the folder that was named.
/// </summary>
/// <param name="checkouts">One for each arm.</param>
/// <param name="root">The folder that the checkouts are copies of.</param>
internal sealed class Checkouts(IReadOnlyList<Checkout> checkouts, string root)
{
    /// <summary>Where a framework's sources begin in a checkout: "" at its top, "a/b" below.</summary>
    public string SourceBelow { get; init; } = "";

    /// <summary>Whose benchmarks measure the library of every arm; null: each arm has its own.</summary>
    public Checkout? WithBenchmarksOf { get; init; }

    /// <summary>The arm with its files; as it is, where its commit was not found, which is told elsewhere.</summary>
    public PlannedArm Place(PlannedArm arm, Workload workload) =>
        checkouts.FirstOrDefault(checkout => checkout.Arm == arm.Id) is { } own ? Place(arm, own, workload) : arm;

    private PlannedArm Place(PlannedArm arm, Checkout checkout, Workload workload) => arm with
    {
        Dimensions = With(arm.Dimensions, WorkloadDimensions.Source, checkout.Name),
        WorkingTree = checkout.WorkingTree,
        Recipe = SourceProperty(arm.Recipe, workload) is { } property
            ? Built(arm.Recipe, property, Path.Combine(checkout.Folder, SourceBelow))
            : WithBenchmarksOf is { } other && other.Arm != checkout.Arm && workload.IsBenchmarkDotNet()
            ? arm.Recipe with
            {
                Folder = In(HeadBenchmarks.Beside(checkout, other), arm.Recipe.Folder),
                Benchmarks = In(other, arm.Recipe.Folder),
            }
            : arm.Recipe with { Folder = In(checkout, arm.Recipe.Folder) },
    };

    private static BuildRecipe Built(BuildRecipe recipe, string property, string source) => recipe with
    {
        Source = source,
        Properties = With(recipe.Properties, property, source),
    };

    private static SortedDictionary<string, string> With(IReadOnlyDictionary<string, string> values, string name, string value) =>
        new(values.ToDictionary(StringComparer.Ordinal), StringComparer.Ordinal) { [name] = value };

    /// <summary>The same folder in a checkout; one that lies outside the lab's repository is the same for both commits.</summary>
    private string In(Checkout checkout, string folder)
    {
        var relative = Path.GetRelativePath(root, folder);
        return relative == "." ? checkout.Folder
            : relative == ".." || relative.StartsWith("../", StringComparison.Ordinal) || Path.IsPathRooted(relative) ? folder
            : Path.Combine(checkout.Folder, relative);
    }

    private static string? SourceProperty(BuildRecipe recipe, Workload workload) =>
        recipe.Properties.TryGetValue(Recipes.FrameworkProperty, out var name)
            ? workload.Frameworks.FirstOrDefault(framework => framework.Name == name)?.SourceProperty
            : null;
}
