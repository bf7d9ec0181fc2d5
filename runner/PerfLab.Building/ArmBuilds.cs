using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Building;

/// <summary>The builds of a plan's arms, by (cell, arm).</summary>
public sealed class ArmBuilds(IReadOnlyDictionary<(string Cell, string Arm), BuildResult> results)
{
    private readonly Dictionary<string, string?> _il = new(StringComparer.Ordinal);
    private readonly Dictionary<(string Identity, string Program), IReadOnlyDictionary<string, string>> _configured = [];

    public IReadOnlyDictionary<(string Cell, string Arm), BuildResult> Results => results;

    public BuildResult this[string cell, string arm] => results[(cell, arm)];

    public IEnumerable<Build> Builds => results.Values.Select(result => result.Build).OfType<Build>().DistinctBy(build => build.Identity, StringComparer.Ordinal);

    /// <summary>The journal's cells: build identities in place of recipes, and the reason where a cell can't be measured here.</summary>
    public IReadOnlyList<Cell> ToCells(RunPlan plan) => [.. plan.Cells.Select(ToCell)];

    /// <summary>What the project of these arms says and does not hold here, a sentence each and once.</summary>
    public IReadOnlyList<string> Overruled(IEnumerable<PlannedCell> cells) =>
        [.. cells.SelectMany(cell => cell.Arms.SelectMany(arm => Overruled(cell, arm) ?? [])).Distinct(StringComparer.Ordinal)];

    private IReadOnlyList<string>? Overruled(PlannedCell cell, PlannedArm arm) =>
        cell.Result != ResultFormat.WallTime && results.GetValueOrDefault((cell.Id, arm.Id)) is { Build: { Image: null } build } result
            ? [.. result.Notes, .. OverruledSettings.Of(Configured(build, arm.Command), arm.Environment)] : null;

    // Many cells launch the same bits.
    private IReadOnlyDictionary<string, string> Configured(Build build, IReadOnlyList<string> command)
    {
        var key = (build.Identity, command[0]);
        return _configured.TryGetValue(key, out var known) ? known : _configured[key] = RuntimeConfig.Of(build.Folder, command);
    }

    // Of the bits that are launched, wherever they were built.
    private string? Il(Build build) => _il.TryGetValue(build.Identity, out var known) ? known : _il[build.Identity] = IlIdentity.Of(build.Folder);

    private Cell ToCell(PlannedCell planned) => planned.ToCell(
        arm => results.GetValueOrDefault((planned.Id, arm))?.Build?.Identity,
        // A command's folder is the person's: there may be anything in it, and any amount.
        arm => planned.Result != ResultFormat.WallTime && results.GetValueOrDefault((planned.Id, arm))?.Build is { Image: null } build
            ? Il(build) : null,
        planned.Arms.Select(arm => results.GetValueOrDefault((planned.Id, arm.Id))?.Unavailable)
            .FirstOrDefault(reason => reason is not null),
        arm => Overruled(planned, arm));
}
