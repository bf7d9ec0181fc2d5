using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Programs;

namespace PerfLab.Runner.Sessions;

/// <summary>builds.json: what came of building each arm of a plan, from `build` to `measure`.</summary>
/// <param name="Plan">Hash of the plan.</param>
internal sealed record BuildsFile([RegularExpression(Build.IdentityForm, ErrorMessage = "sha256: and 64 hexadecimal digits")] string Plan, IReadOnlyList<BuiltArm> Arms) : IChecked
{
    private const string ToDo = "build the plan again: `./perf-lab build plan.json`";

    /// <summary>A plan of 100,000 cells is 90 MB of builds.</summary>
    public static FileFormat<BuildsFile> File { get; } = new("perf-lab/builds/1", "builds.json: what came of building each arm of a plan") { MostBytes = 256 << 20 };

    public IEnumerable<Problem> Problems()
    {
        var known = new HashSet<(string Cell, string Arm)>();
        return Arms.Select((arm, index) => (arm, index)).Where(one => !known.Add((one.arm.Cell, one.arm.Arm)))
            .Select(one => new Problem(Invariant($"arms[{one.index}]"), "is there twice")).ToList();
    }

    public static string Write(RunPlan plan, IReadOnlyDictionary<(string Cell, string Arm), BuildResult> results) => File.Write(
        new(plan.Hash, [.. results.Select(pair => BuiltArm.Of(pair.Key.Cell, pair.Key.Arm, pair.Value))]));

    /// <summary>The builds of every arm of the plan, or exit code 1.</summary>
    public static ArmBuilds Read(string path, RunPlan plan) => new(Results(path, plan, _ => true));

    /// <param name="path">The file; it may come from a machine that ran strangers' code.</param>
    /// <param name="plan">Whose builds it must hold.</param>
    /// <param name="isAsked">Which arms it must hold, and no others.</param>
    internal static Dictionary<(string Cell, string Arm), BuildResult> Results(string path, RunPlan plan, Func<string, bool> isAsked)
    {
        var file = InputFile.Read(File, path, ToDo);
        if (file.Plan != plan.Hash && file.Plan != plan.BuildsOf)
        {
            throw new LabException($"reading {path}", $"it belongs to plan {file.Plan}, not to {plan.BuildsOf ?? plan.Hash}", ToDo);
        }

        // Of the plan that was built its cells are asked for; some of them may have been left out since.
        var isItsOwn = file.Plan == plan.Hash;
        var results = file.Arms.ToDictionary(arm => (arm.Cell, arm.Arm), arm => arm.Result);
        var asked = plan.Cells.SelectMany(cell => cell.Arms.Where(arm => isAsked(arm.Id))
            .Select(arm => (Cell: cell.Id, Arm: arm.Id, From: (isItsOwn ? cell.Id : cell.BuiltAs ?? cell.Id, arm.Id)))).ToList();
        var isWhole = isItsOwn ? asked.Select(one => one.From).ToHashSet().SetEquals(results.Keys)
            : asked.TrueForAll(one => results.ContainsKey(one.From)) && results.Keys.All(key => isAsked(key.Arm));
        return isWhole ? asked.ToDictionary(one => (one.Cell, one.Arm), one => results[one.From])
            : throw new LabException($"reading {path}", "it does not hold exactly the builds of "
                + string.Join(", ", asked.Select(one => $"arm '{one.Arm}'").Distinct(StringComparer.Ordinal)), ToDo);
    }
}

/// <summary>What came of one arm of one cell: exactly one of build, unavailable and failure is there.</summary>
/// <param name="Unavailable">Why its bits are not available here.</param>
/// <param name="Failure">Why it does not build.</param>
internal sealed record BuiltArm(string Cell, string Arm, Build? Build, string? Unavailable, string? Failure) : IChecked
{
    /// <summary>What a reader has to know of the build; null where there is nothing.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? Notes { get; init; }

    [JsonIgnore]
    public BuildResult Result => new(Build, Unavailable, Failure) { Notes = Notes ?? [] };

    public static BuiltArm Of(string cell, string arm, BuildResult result) =>
        new(cell, arm, result.Build, result.Unavailable, result.Failure) { Notes = result.Notes is [] ? null : result.Notes };

    public IEnumerable<Problem> Problems() => ((object?[])[Build, Unavailable, Failure]).Count(one => one is not null) == 1 ? []
        : [new("", "must have exactly one of build, unavailable and failure")];
}
