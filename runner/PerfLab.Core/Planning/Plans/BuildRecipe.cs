using System.Text.Json.Serialization;
using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Plans;

/// <summary>Everything that decides what is built for one arm: equal recipes are built once.</summary>
public sealed record BuildRecipe
{
    public required string Workload { get; init; }

    /// <summary>Absolute path of the workload's folder.</summary>
    public required string Folder { get; init; }
    public required BuildKind Kind { get; init; }

    /// <summary>Project file relative to <see cref="Folder"/>; dotnet only.</summary>
    public string? Project { get; init; }

    /// <summary>Dockerfile relative to <see cref="Folder"/>; docker only.</summary>
    public string? Dockerfile { get; init; }

    /// <summary>Target framework compiled, e.g. "net8.0"; dotnet only.</summary>
    public string? TargetFramework { get; init; }

    /// <summary>Runtime patch published, e.g. "8.0.33"; dotnet only.</summary>
    public string? RuntimePatch { get; init; }

    /// <summary>
    /// MSBuild properties: the framework version ("NewtonsoftVersion" = "13.0.3"), the framework's name, the source path.
    /// </summary>
    public IReadOnlyDictionary<string, string> Properties { get; init; } = new SortedDictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Folders of packages beside the configured sources, absolute paths.</summary>
    public IReadOnlyList<string> Feeds { get; init; } = [];

    /// <summary>
    /// Absolute path of the checkout that `source=` names; it is also in <see cref="Properties"/> under the manifest's source-property.
    /// </summary>
    public string? Source { get; init; }

    /// <summary>Built with the newest SDK that is here, whatever a global.json asks for.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool CurrentSdk { get; init; }

    /// <summary>Absolute path of the project's folder in another arm, which stands in place of the one in this arm's checkout.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Benchmarks { get; init; }

    /// <summary>Benchmarks in C#, compiled in place of the project's source files; null: the project's own.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Snippet { get; init; }

    /// <summary>The project holds benchmarks of BenchmarkDotNet: what is published is the lab's driver with the project in it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsBenchmarkDotNet { get; init; }
}

/// <summary>A text that is equal for equal recipes and differs for different ones.</summary>
public static class RecipeKey
{
    public static string Of(BuildRecipe recipe) => JsonSerializer.Serialize(recipe);
}
