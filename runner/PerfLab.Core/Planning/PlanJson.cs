using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace PerfLab.Core.Planning;

/// <summary>plan.json: written with a fixed order of members, read strictly, proven by its hash.</summary>
public static class PlanJson
{
    public const string Schema = "perf-lab/plan/1";

    private static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true,
        NewLine = "\n",
        MaxDepth = 32,
        AllowDuplicateProperties = false,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        NumberHandling = JsonNumberHandling.Strict,
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.KebabCaseLower) },
    };

    private sealed record File(string Schema, RunPlan Plan);

    public static string Write(RunPlan plan) => JsonSerializer.Serialize(new File(Schema, plan), Options) + "\n";

    /// <summary>"sha256:…" over the plan without its hash.</summary>
    public static string Hash(RunPlan plan) => "sha256:" + Convert.ToHexStringLower(
        SHA256.HashData(JsonSerializer.SerializeToUtf8Bytes(plan with { Hash = "" }, Options)));

    /// <summary>A plan, or why the text is none: unknown members, damage, or a hash that does not fit.</summary>
    public static (RunPlan? Plan, string? Problem) Read(string text)
    {
        try
        {
            var file = JsonSerializer.Deserialize<File>(text, Options);
            if (file?.Schema != Schema)
            {
                return (null, $"schema is '{file?.Schema}', expected '{Schema}'.");
            }

            var hash = Hash(file.Plan);
            return hash == file.Plan.Hash
                ? (file.Plan, null)
                : (null, $"the plan was changed after it was made: its hash says {file.Plan.Hash}, its contents {hash}.");
        }
        catch (JsonException exception)
        {
            return (null, JsonFault.Text(exception));
        }
    }
}
