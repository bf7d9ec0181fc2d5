using PerfLab.Building;
using PerfLab.Building.Changes;
using PerfLab.Core.Files;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>What differs between two builds, or why nobody knows.</summary>
/// <param name="Build">"My.Benchmarks net10.0.12".</param>
/// <param name="Change">Null where one of them is not there.</param>
/// <param name="Why">Why not; null where there is a change.</param>
internal sealed record BuildDiff(string Build, BuildChange? Change, string? Why);

/// <summary>Two sources -> builds -> what differs between them. Nothing is launched.</summary>
internal sealed class DiffStep(Lab lab, string executor)
{
    public async Task<IReadOnlyList<BuildDiff>> RunAsync(BenchmarkRequest request, IReadOnlyCollection<Problem> found,
        CancellationToken cancellationToken)
    {
        var problems = found.ToList();
        if (request.Arms.Count != 2)
        {
            problems.Add(new("--base", "a difference has two sides.",
                "Example: ./perf-lab diff --base main --head . bench/My.Benchmarks.csproj"));
        }

        var projects = await ProjectStep.ReadAsync(lab, request, problems, cancellationToken);

        var plan = new PlanStep(lab.Config, lab.Runtimes(request, cancellationToken)) { Projects = projects }
            .Make(ProjectStep.Unlisted(request, request.Targets), problems, isCompared: false);
        SourceCommits.CheckOut(plan, lab.Config);
        await using var launcher = await lab.Executors.ChooseSilentlyAsync(executor, cancellationToken);
        var builds = await new BuildStep(lab.BuilderFor(launcher), lab.Terminal).RunAsync(plan, cancellationToken);
        return
        [
            .. plan.Cells.DistinctBy(cell => string.Join('\0', cell.Arms.Select(arm => RecipeKey.Of(arm.Recipe))), StringComparer.Ordinal)
                .Select(cell => Compared(BuildStep.Describe(cell with { Arms = [] }, cell.Arms[0] with { Dimensions = None }),
                    cell.Arms[0].Id, builds[(cell.Id, cell.Arms[0].Id)], cell.Arms[1].Id, builds[(cell.Id, cell.Arms[1].Id)])),
        ];
    }

    private static readonly Dictionary<string, string> None = [];

    private static BuildDiff Compared(string name, string baseArm, BuildResult old, string headArm, BuildResult now)
    {
        if (old.Build is null || now.Build is null)
        {
            var missing = old.Build is null ? old : now;
            return new(name,
                null, $"{(old.Build is null ? baseArm : headArm)} can't be built: {missing.Unavailable ?? "the errors above"}");
        }

        var (reference, arm) = (BuildContent.Read(old.Build.Folder), BuildContent.Read(now.Build.Folder));
        return reference.Content is null ? new(name, null, $"{baseArm}: {reference.Why}")
            : arm.Content is null ? new(name, null, $"{headArm}: {arm.Why}")
            : new(name, BuildChange.Of(reference.Content, arm.Content), null);
    }
}
