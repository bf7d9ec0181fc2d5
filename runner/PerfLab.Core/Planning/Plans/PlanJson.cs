using System.Security.Cryptography;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Planning.Plans;

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

    /// <summary>The same as UTF-8, piece by piece: a plan of 100,000 cells is a gigabyte.</summary>
    public static void Write(RunPlan plan, Stream utf8)
    {
        JsonSerializer.Serialize(utf8, new File(Schema, plan), Options);
        utf8.WriteByte((byte)'\n');
    }

    /// <summary>"sha256:…" over the plan without its hash.</summary>
    public static string Hash(RunPlan plan)
    {
        using var sha = SHA256.Create();
        using (var hashed = new CryptoStream(Stream.Null, sha, CryptoStreamMode.Write))
        {
            JsonSerializer.Serialize(hashed, plan with { Hash = "" }, Options);
        }

        return "sha256:" + Convert.ToHexStringLower(sha.Hash!);
    }

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
