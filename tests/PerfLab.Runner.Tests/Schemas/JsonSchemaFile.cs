using NJsonSchema;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>A schema of the project, asked what is wrong with a document.</summary>
internal sealed class JsonSchemaFile(string name, string? text = null)
{
    private readonly JsonSchema _schema = JsonSchema.FromJsonAsync(text ?? Repository.Read($"schemas/{name}.schema.json")).GetAwaiter().GetResult();

    /// <summary>Where each mistake is and of which kind; empty when the document is valid.</summary>
    public IReadOnlyList<string> Mistakes(JToken document) => [.. _schema.Validate(document).Select(error => $"{error.Path}: {error.Kind}")];

    public IReadOnlyList<string> Mistakes(string json) => Mistakes(Parse(json));

    /// <summary>As it stands: Newtonsoft would otherwise turn times into dates and let doubles overflow.</summary>
    public static JToken Parse(string json)
    {
        using var reader = new JsonTextReader(new StringReader(json)) { DateParseHandling = DateParseHandling.None };
        return JToken.ReadFrom(reader);
    }
}
