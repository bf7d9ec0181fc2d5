using PerfLab.Building;
using PerfLab.Building.Tools;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Afterwards;

/// <summary>Builds of commits, made again apart from those that are kept: whether they have the identities that the session says.</summary>
internal sealed class RebuiltArms(Lab lab)
{
    private const string What = "rebuilt";

    public async Task<SessionCheck> CheckAsync(RunPlan plan, ArmBuilds said, CancellationToken cancellationToken)
    {
        var arms = plan.Cells.Where(cell => cell.Unavailable is null)
            .SelectMany(cell => cell.Arms.Select(arm => (arm.Recipe, Said: said[cell.Id, arm.Id].Build?.Identity)))
            .Where(arm => arm.Said is not null).DistinctBy(arm => RecipeKey.Of(arm.Recipe), StringComparer.Ordinal).ToList();
        var ofCommits = arms.Where(arm => IsCheckedOut(arm.Recipe)).ToList();
        if (ofCommits.Count == 0)
        {
            return new(What, "", [], "none of its builds is of a commit");
        }

        try
        {
            SourceCommits.CheckOut(plan, lab.Config);
        }
        catch (LabException gone)
        {
            return new(What, "", [], gone.CameBack);
        }

        var folder = Directory.CreateTempSubdirectory("perf-lab-rebuilt-").FullName;
        try
        {
            var builder = lab.BuilderAt(folder);
            var (flaws, same, not) = (new List<string>(), 0, new List<string>());
            foreach (var (recipe, identity) in ofCommits)
            {
                if (new Git(recipe.Folder).Changes().Changes is { Changed.Count: > 0 } changes)
                {
                    flaws.Add($"{recipe.Folder} is not the commit any more: {changes}");
                    continue;
                }

                lab.Terminal.Say(Invariant($"building {same + flaws.Count + not.Count + 1} of {ofCommits.Count} again: {recipe.Folder}"));
                var made = await builder.BuildAsync(recipe, cancellationToken);
                if (made.Build is not { } build)
                {
                    not.Add(made.Unavailable ?? made.Failure ?? "it does not build");
                }
                else if (build.Identity == identity)
                {
                    same++;
                }
                else
                {
                    flaws.Add($"{recipe.Folder} builds {build.Identity}, the session has {identity}");
                }
            }

            return new(What, Invariant($"{same} of {arms.Count} builds were made again from their commits, and are the same bits"), flaws,
                same > 0 || flaws.Count > 0 ? null : UntrustedText.Line(not[0], UntrustedText.MaxChars));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>A plan may come from anywhere; what it may have built is a commit of this repository.</summary>
    private bool IsCheckedOut(BuildRecipe recipe) => recipe.Kind is BuildKind.Dotnet or BuildKind.None
        && Path.GetFullPath(recipe.Folder).StartsWith(Path.Combine(lab.Config.Store, "checkouts") + "/", StringComparison.Ordinal);
}
