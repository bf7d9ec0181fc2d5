using System.Text.Json.Serialization;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Runner.Sessions;

/// <summary>builds.json: what came of building each arm of a plan, from `build` to `measure`.</summary>
public static class BuildsFile
{
    private const string Schema = "perf-lab/builds/1";

    private static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true,
        NewLine = "\n",
        AllowDuplicateProperties = false,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectNullableAnnotations = true,
    };

    private sealed record Entry(string Cell, string Arm, Build? Build, string? Unavailable, string? Failure);

    private sealed record Contents(string Schema, string Plan, IReadOnlyList<Entry> Arms);

    public static string Write(RunPlan plan, IReadOnlyDictionary<(string Cell, string Arm), BuildResult> results) => JsonSerializer.Serialize(
        new Contents(Schema, plan.Hash, [.. results.Select(pair =>
            new Entry(pair.Key.Cell, pair.Key.Arm, pair.Value.Build, pair.Value.Unavailable, pair.Value.Failure))]),
        Options) + "\n";

    public static ArmBuilds Read(string path, RunPlan plan) => new(Results(path, plan));

    internal static Dictionary<(string Cell, string Arm), BuildResult> Results(string path, RunPlan plan)
    {
        try
        {
            var contents = JsonSerializer.Deserialize<Contents>(File.ReadAllText(path), Options);
            if (contents?.Schema != Schema || contents.Plan != plan.Hash)
            {
                throw new LabException($"reading {path}", $"it belongs to plan {contents?.Plan ?? "?"}, not to {plan.Hash}", "build this plan: `./perf-lab build plan.json`");
            }

            return contents.Arms.ToDictionary(entry => (entry.Cell, entry.Arm), entry => new BuildResult(entry.Build, entry.Unavailable, entry.Failure));
        }
        catch (Exception exception) when (exception is IOException or JsonException)
        {
            throw new LabException($"reading {path}", exception is JsonException json ? JsonFault.Text(json) : exception.Message, "build the plan again: `./perf-lab build plan.json`", exception);
        }
    }
}
